#include "lint/estimate/sizes.h"
#include "lint/estimate/stacks/profiles.h"

namespace oomlint {

namespace {

/// Fabric casts the logits to fp32, also where the head ran chunk by chunk of 128 positions (finetune/lora.py
/// asks for a list), and the loop holds them until the next forward has ended; each chunk's log-probabilities
/// are saved besides (litgpt at eight commits and Fabric 2.1 to 2.4). Until September 2023 the readings ask
/// for 16-bit logits.
LogitCopies logits_of(const ConcretePlan& plan, const Stack& stack, bool narrow) {
  LogitCopies logits;
  const std::uint32_t element = narrow ? 2 : 4;
  logits.saved = element;
  logits.held = element;
  if (trains_adapters(plan.method)) {
    const std::uint32_t widened = narrow ? 2 : 6;
    logits.forward = widened - element + (stack.longest_first ? 0 : element);
    logits.backward = 0;
    logits.chunk = 2 * element;
    logits.chunk_rows = 128;
    return logits;
  }
  if (plan.task == Task::pretrain) {  // one call over all logits
    logits.forward = 6;
    logits.backward = 8;
    return logits;
  }
  // Full fine-tuning copies the shifted logits; their gradient and its padded form follow.
  logits.forward = 2 * element;
  logits.backward = element;
  return logits;
}

}  // namespace

// litgpt on Lightning Fabric: own model code, embedding and head always two tensors, adapters in the default
// dtype, bitsandbytes on every linear layer with the head, FSDP 1 with flat parameters and no synchronisation
// while gradients accumulate (litgpt 064fd523 to e7e8f7cf; Fabric 2.1 to 2.4).
void apply_litgpt(const Answers& answers, Concrete& concrete) {
  ConcretePlan& plan = concrete.plan;
  Stack& stack = concrete.stack;
  stack.name = "litgpt";
  stack.blocks = Blocks::litgpt;
  stack.step_loop = StepLoop::foreach;
  const Dtype compute = answers.word<Dtype>(Field::compute_dtype).value_or(Dtype::bf16);
  plan.compute_dtype = compute;
  plan.weight_dtype = answers.word<Dtype>(Field::weight_dtype).value_or(compute);
  plan.autocast = answers.flag(Field::autocast).value_or(false);
  plan.gradient_dtype = answers.word<Dtype>(Field::gradient_dtype).value_or(plan.weight_dtype);
  plan.adapter.dtype = answers.word<Dtype>(Field::adapter_dtype).value_or(plan.weight_dtype);
  plan.adapter.split_projections = true;
  plan.model.tied_embeddings = false;
  plan.padding_mask = false;
  if (plan.quantisation != Quantisation::none) {
    plan.quantised_head = true;
    stack.dequantised_bytes = 4;  // unpacked to fp16, then copied to bf16
    // bitsandbytes 0.42 was pinned until the end of 2024.
    stack.keeps_quantised_inputs = answers.before("2024-12-23", "litgpt", {0, 5, 4});
    // torch's AdamW is replaced by bitsandbytes' paged one.
    plan.optimizer_paged = true;
    stack.pages_states = true;
  }
  // q, k and v are split before the rotation, and both repeated, since the end of 2024 (litgpt/model.py).
  stack.repeats_kv = !answers.before("2024-12-23", "litgpt", {0, 5, 4});
  // Until February 2024 the first micro batch was made to hold the longest example.
  stack.longest_first = answers.before("2024-03-01", "litgpt", {0, 2, 0});
  stack.narrow_norms = answers.before("2023-10-01", "litgpt", {0, 2, 0});
  stack.logits = logits_of(plan, stack, answers.before("2023-09-01", "litgpt", {0, 2, 0}));
  stack.keeps_chunks = true;
  if (plan.sharding == Sharding::ddp) plan.sharding = Sharding::fsdp;
  if (plan.sharding == Sharding::fsdp) {
    stack.flat_parameters = true;
    stack.unsharded_accumulation = true;
  }
  set_runtime(answers, plan, stack);
}

}  // namespace oomlint
