#include "lint/estimate/sizes.h"
#include "lint/estimate/stacks/profiles.h"

#include <algorithm>

namespace oomlint {

namespace {

constexpr std::string_view package = "torchtitan";

/// Bytes per logit (components/loss.py by date, torch's loss-parallel cross entropy): with the vocabulary
/// divided over tensor-parallel ranks the gradient is made out of place; a compiled loss keeps 16-bit logits
/// and their gradient. Until 12 June 2024 the fp32 logits were returned and kept, and the readings ask for
/// those of the step before as well.
LogitCopies logits_of(const Answers& answers, const ConcretePlan& plan) {
  LogitCopies logits;
  if (plan.compile && plan.compiled_loss) {
    logits.saved = 2;
    logits.forward = 0;
    logits.backward = 2;
    return logits;
  }
  if (plan.loss == Loss::chunked) {
    logits.saved = 4;
    logits.forward = 3;
    logits.backward = 3;
    return logits;
  }
  logits.saved = 4;
  logits.forward = plan.tensor_parallel > 1 ? 10 : 6;
  logits.backward = plan.tensor_parallel > 1 ? 12 : 8;
  // The 16-bit logits are freed before the loss asks for fp32 blocks of their size: replays of traces through
  // the allocator.
  logits.hole = plan.expandable_segments ? 2 : 4;
  if (answers.before("2024-06-12", package, {0, 1, 0})) logits.held = 8;
  return logits;
}

/// fp32 shards with a 16-bit gather and fp32 reduction; on one device the same dtypes under autocast.
void set_dtypes(const Answers& answers, ConcretePlan& plan) {
  const Dtype kept = answers.word<Dtype>(Field::weight_dtype).value_or(Dtype::fp32);
  plan.compute_dtype = answers.word<Dtype>(Field::compute_dtype).value_or(Dtype::bf16);
  const bool mixes = bytes_of(kept) == 4 && bytes_of(plan.compute_dtype) == 2;
  if (plan.sharding == Sharding::none || plan.sharding == Sharding::ddp) {
    plan.weight_dtype = plan.gradient_dtype = kept;
    plan.autocast = mixes;
    return;
  }
  plan.weight_dtype = mixes ? plan.compute_dtype : kept;
  plan.master_weights = mixes;
  plan.gradient_dtype = answers.word<Dtype>(Field::gradient_dtype).value_or(Dtype::fp32);
}

/// A pipeline takes the batch in pieces: of one sequence unless told, until 2025 in as many as there are
/// stages. Within a stage weights stay gathered and gradients whole until the last piece.
void set_pipeline(const Answers& answers, ConcretePlan& plan, Stack& stack) {
  if (plan.pipeline_parallel <= 1) return;
  const std::uint64_t whole = plan.micro_batch;
  const bool by_stages = answers.before("2025-03-01", package, {0, 1, 0});
  const std::uint64_t usual = by_stages ? whole / plan.pipeline_parallel : 1;
  plan.micro_batch = std::max<std::uint64_t>(1, answers.count(Field::pipeline_micro_batch).value_or(usual));
  plan.pipeline_micro_batches = std::max<std::uint64_t>(1, whole / plan.micro_batch);
  if (plan.sharding == Sharding::fsdp) plan.sharding = Sharding::fsdp_grad_op;
  stack.unsharded_accumulation = true;
  stack.pipeline_stages = true;
}

}  // namespace

// torchtitan: FSDP 2 over data and context ranks, tensor parallelism with sequence parallelism (torchtitan
// 83c879f18 to b5bcd76c6 by date; torch 2.15).
void apply_torchtitan(const Answers& answers, Concrete& concrete) {
  ConcretePlan& plan = concrete.plan;
  Stack& stack = concrete.stack;
  stack.name = "torchtitan";
  stack.blocks = Blocks::torchtitan;
  stack.keeps_chunks = true;
  stack.rough = plan.model.moe.has_value();  // its own experts and router; readings differ by -24 to +15 %
  stack.selective_operators = true;
  stack.step_loop = StepLoop::foreach;
  if (plan.world == 1 && !answers.known(Field::shard_group)) plan.sharding = Sharding::none;
  set_dtypes(answers, plan);
  // The shard degree counts data ranks; the states are divided over context ranks too.
  if (answers.count(Field::shard_group)) plan.shard_group *= plan.context_parallel;
  plan.sequence_parallel = plan.tensor_parallel > 1;
  if (plan.checkpointing == Checkpointing::selective && answers.defaulted(Field::checkpointing) &&
      answers.before("2024-04-01", package, {0, 1, 0}))
    plan.checkpointing = Checkpointing::full;
  if (!answers.known(Field::expandable_segments))
    plan.expandable_segments = !answers.before("2024-10-22", package, {0, 1, 0});
  stack.fused_norms = !answers.before("2025-03-19", package, {0, 1, 0});
  stack.split_root = !answers.before("2025-07-28", package, {0, 2, 0});
  stack.repeats_kv = answers.before("2026-01-27", package, {0, 2, 2});
  stack.stream_pools = plan.sharding != Sharding::none && plan.sharding != Sharding::ddp;
  // The loss is compiled with the model unless the components say otherwise.
  plan.compiled_loss =
      answers.flag(Field::compiled_loss).value_or(!answers.before("2025-08-20", package, {0, 2, 0}));
  set_pipeline(answers, plan, stack);
  stack.logits = logits_of(answers, plan);
  set_runtime(answers, plan, stack);
}

}  // namespace oomlint
