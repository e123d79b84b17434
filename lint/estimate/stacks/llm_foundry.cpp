#include "lint/estimate/sizes.h"
#include "lint/estimate/stacks/profiles.h"

namespace oomlint {

// Composer with FSDP 1: fp32 shards, weights gathered in 16 bits, gradients reduced in fp32 and kept sharded
// also while accumulating (Composer distributed/mosaic_parallelism.py; `DEFAULT` and `PURE` differ in what is
// on its way only). Without FSDP, fp32 weights under autocast. Its own optimizers update one parameter after
// another (composer/optim/decoupled_weight_decay.py), and every micro batch has the full length.
void apply_llm_foundry(const Answers& answers, Concrete& concrete) {
  apply_hf_trainer(answers, concrete);
  ConcretePlan& plan = concrete.plan;
  Stack& stack = concrete.stack;
  stack.name = "llm_foundry";
  stack.step_loop = StepLoop::single;
  const bool half = bytes_of(plan.compute_dtype) <= 2;
  const bool shards = plan.sharding == Sharding::fsdp || plan.sharding == Sharding::fsdp_grad_op ||
                      plan.sharding == Sharding::hsdp;
  plan.gradient_dtype = answers.word<Dtype>(Field::gradient_dtype).value_or(Dtype::fp32);
  if (shards) return;  // as the Trainer's FSDP
  plan.weight_dtype = answers.word<Dtype>(Field::weight_dtype).value_or(Dtype::fp32);
  plan.autocast = half && bytes_of(plan.weight_dtype) == 4;
}

}  // namespace oomlint
