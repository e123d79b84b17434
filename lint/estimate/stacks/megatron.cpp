#include "lint/estimate/formulas.h"
#include "lint/estimate/sizes.h"
#include "lint/estimate/stacks/profiles.h"

#include <algorithm>

namespace oomlint {

namespace {

constexpr std::uint64_t mib = 1ULL << 20;

/// The vocabulary is padded to a multiple of 128 for each tensor-parallel rank.
void pad_vocabulary(ConcretePlan& plan) {
  const std::uint64_t multiple = 128 * std::max<std::uint64_t>(1, plan.tensor_parallel);
  const std::uint64_t padded = (plan.model.vocabulary + multiple - 1) / multiple * multiple;
  plan.model.vocabulary = static_cast<std::uint32_t>(padded);
}

/// Published pairs of one run: reserved lies 3 to 12 % above allocated.
void set_growth(const Answers& answers, const ConcretePlan& plan, Stack& stack) {
  const End end = answers.runtime();
  stack.static_growth = Ratio{102, 100};
  stack.constant_growth = end == End::low    ? Ratio{103, 100}
                          : end == End::high ? Ratio{115, 100}
                                             : Ratio{108, 100};
  stack.varying_growth = stack.constant_growth;
  const std::uint64_t context = end == End::low ? 1024 : end == End::high ? 2560 : 1536;
  stack.context = Bytes((plan.world > 1 ? context : 512) * mib);
}

}  // namespace

// Megatron-Core: 16-bit weights beside fp32 gradient buffers that stand from the start, fp32 weights and
// moments divided by the distributed optimizer or whole (Megatron-LM d98e8a64dd).
void apply_megatron(const Answers& answers, Concrete& concrete) {
  ConcretePlan& plan = concrete.plan;
  Stack& stack = concrete.stack;
  stack.name = "megatron";
  stack.blocks = Blocks::megatron;
  stack.pipeline_stages = true;
  stack.gradients_stay = true;
  stack.accumulates_in_place = true;
  stack.step_loop = StepLoop::fused;
  plan.compute_dtype = answers.word<Dtype>(Field::compute_dtype).value_or(Dtype::bf16);
  const bool half = bytes_of(plan.compute_dtype) <= 2;
  if (plan.compute_dtype == Dtype::fp8) plan.compute_dtype = Dtype::bf16;
  plan.weight_dtype = plan.compute_dtype;
  plan.autocast = false;
  plan.gradient_dtype = answers.word<Dtype>(Field::gradient_dtype).value_or(Dtype::fp32);
  plan.master_weights = answers.flag(Field::master_weights).value_or(half);
  if (!answers.known(Field::optimizer)) plan.optimizer = OptimizerId::adamw_fp32_states;
  if (plan.sharding == Sharding::none || plan.sharding == Sharding::ddp) plan.shard_group = 1;
  plan.sharding = Sharding::megatron;
  if (plan.tensor_parallel == 1) plan.sequence_parallel = false;
  if (trains_adapters(plan.method))
    plan.adapter.dtype = answers.word<Dtype>(Field::adapter_dtype).value_or(plan.weight_dtype);
  pad_vocabulary(plan);
  // In place: softmax over fp32 logits, whose gradient is written over it, and the 16-bit gradient.
  stack.logits.forward = 2;
  stack.logits.backward = 2;
  // Transformer Engine's kernel writes the gradient over the logits. Megatron's own is compiled: 6 by reading
  // it, while readings of runs ask for 10, a copy of the compiled region.
  stack.logits.kernel = !answers.flag(Field::compiled_loss).value_or(false) ? 2
                        : answers.runtime() == End::low                     ? 6
                                                                            : 10;
  if (!trains_adapters(plan.method)) stack.standing_gradients = megatron_standing_gradients(Sizes(plan));
  set_growth(answers, plan, stack);
}

}  // namespace oomlint
