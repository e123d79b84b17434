#include "lint/estimate/sizes.h"
#include "lint/estimate/stacks/profiles.h"

namespace oomlint {

namespace {

bool in_deepspeed(Sharding sharding) {
  return sharding == Sharding::zero1 || sharding == Sharding::zero2 || sharding == Sharding::zero3;
}

}  // namespace

void set_diffusion_growth(const Answers& answers, const ConcretePlan& plan, Stack& stack) {
  const bool recomputes = plan.checkpointing != Checkpointing::none;
  const End end = answers.runtime();
  const Ratio growth = end == End::low ? Ratio{1, 1} : recomputes ? Ratio{120, 100} : Ratio{103, 100};
  stack.varying_growth = stack.constant_growth = end == End::high ? Ratio{130, 100} : growth;
  stack.static_growth = Ratio{1, 1};
}

// finetrainers: a 16-bit base with fp32 adapters under autocast; trained in full, fp32 weights under autocast
// (`cast_training_params`). Under DeepSpeed accelerate adds no autocast, and everything is 16-bit (3a519f5,
// v0.0.1).
void apply_finetrainers(const Answers& answers, Concrete& concrete) {
  apply_hf_trainer(answers, concrete);
  ConcretePlan& plan = concrete.plan;
  Stack& stack = concrete.stack;
  stack.name = "finetrainers";
  stack.encodes_apart = true;
  stack.step_loop = StepLoop::foreach;
  const Dtype half = answers.word<Dtype>(Field::compute_dtype).value_or(Dtype::bf16);
  const bool adapters = trains_adapters(plan.method);
  const bool engine = in_deepspeed(plan.sharding);
  plan.compute_dtype = half;
  plan.autocast = !engine && bytes_of(half) <= 2;
  plan.weight_dtype = adapters || engine ? half : Dtype::fp32;
  plan.adapter.dtype = engine ? half : Dtype::fp32;
  plan.gradient_dtype = plan.weight_dtype;
  if (engine) plan.offload_optimizer = answers.flag(Field::offload_optimizer).value_or(true);
  set_diffusion_growth(answers, plan, stack);
}

// Its scripts of 2024 put the transformer, the text encoder and the autoencoder on the device before the two
// are given up.
void apply_cogvideox_factory(const Answers& answers, Concrete& concrete) {
  apply_finetrainers(answers, concrete);
  concrete.stack.name = "cogvideox_factory";
  concrete.stack.encodes_apart = false;
  concrete.stack.loads_together = true;
}

}  // namespace oomlint
