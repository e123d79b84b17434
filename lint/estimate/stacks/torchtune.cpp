#include "lint/estimate/sizes.h"
#include "lint/estimate/stacks/profiles.h"

namespace oomlint {

namespace {

/// Bytes per logit. Until September 2024 the loop held the shifted fp32 logits through backward; since then
/// the model's own cast is dropped before it. A chunked loss makes the logits of all chunks first; compiled,
/// each chunk's gradient takes the chunk's place (recipes at a95c6b931 to 1814feb17).
LogitCopies logits_of(const Answers& answers, const ConcretePlan& plan) {
  LogitCopies logits;
  if (plan.loss == Loss::chunked) {
    logits.saved = plan.compile ? 2 : 6;
    logits.forward = 0;
    logits.backward = plan.compile ? 0 : 1;
    logits.head_chunks = 8;
    return logits;
  }
  logits.saved = 4;
  logits.forward = 6;
  logits.backward = 8;
  logits.hole = plan.expandable_segments ? 2 : 4;
  if (answers.before("2024-09-01", "torchtune", {0, 3, 0})) logits.held = 4;
  return logits;
}

/// fp32 rotary tables for every position of the model; builders cloned one layer with its table until the
/// layers came to share one.
Bytes rotary_tables(const Answers& answers, const ConcretePlan& plan) {
  const ModelShape& shape = plan.model;
  const bool cloned = shape.max_positions <= 8192 && answers.before("2024-11-01", "torchtune", {0, 4, 0});
  return product({4, shape.max_positions, shape.head_dim, cloned ? shape.layers : 1});
}

}  // namespace

// torchtune: one dtype for weights, adapters, gradients and states; torchao's NF4 for the layers' linears;
// FSDP 2 with the root unit gathered throughout (recipes and modules at a95c6b931 to 1814feb17).
void apply_torchtune(const Answers& answers, Concrete& concrete) {
  ConcretePlan& plan = concrete.plan;
  Stack& stack = concrete.stack;
  stack.name = "torchtune";
  stack.blocks = Blocks::torchtune;
  stack.step_loop = StepLoop::foreach;
  stack.keeps_chunks = true;
  stack.pages_states = true;
  plan.weight_dtype = answers.word<Dtype>(Field::weight_dtype).value_or(Dtype::bf16);
  plan.compute_dtype = answers.word<Dtype>(Field::compute_dtype).value_or(plan.weight_dtype);
  plan.autocast = false;
  plan.gradient_dtype = answers.word<Dtype>(Field::gradient_dtype).value_or(plan.weight_dtype);
  plan.adapter.dtype = answers.word<Dtype>(Field::adapter_dtype).value_or(plan.weight_dtype);
  plan.padding_mask = false;
  if (plan.sharding == Sharding::ddp) plan.sharding = Sharding::fsdp;
  stack.stream_pools = plan.sharding == Sharding::fsdp || plan.sharding == Sharding::fsdp_grad_op;
  // Set by every recipe from 0.3 on.
  if (!answers.known(Field::expandable_segments))
    plan.expandable_segments = !answers.before("2024-09-01", "torchtune", {0, 3, 0});
  stack.logits = logits_of(answers, plan);
  stack.buffers = rotary_tables(answers, plan);
  set_runtime(answers, plan, stack);
}

}  // namespace oomlint
