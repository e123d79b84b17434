#include "lint/estimate/formulas.h"

#include <algorithm>

namespace oomlint {

namespace {

/// A fused loss cuts the tokens so that a chunk of logits is about as large as the hidden states (Liger's
/// rule), and a chunked one into eight pieces (torchtune's default, close to TRL's).
constexpr std::uint64_t default_chunks = 8;
/// 16-bit logits, fp32 logits and their gradient within one chunk.
constexpr std::uint64_t chunk_logit_bytes = 10;

Bytes chunk_bytes(const Sizes& sizes) {
  const std::uint64_t tokens = sizes.tokens;
  std::uint64_t rows = (tokens + default_chunks - 1) / default_chunks;
  if (sizes.plan.loss == Loss::fused && sizes.vocabulary > sizes.hidden && sizes.hidden > 0) {
    const std::uint64_t chunks = (sizes.vocabulary + sizes.hidden - 1) / sizes.hidden;
    rows = std::min(tokens, std::max<std::uint64_t>(1, tokens / chunks));
  }
  return product({rows, sizes.vocabulary, chunk_logit_bytes});
}

/// A packed head is unpacked beside the logits of its own dtype; they are widened when it is gone.
void add_unpacked_head(const Sizes& sizes, const Stack& stack, Bytes logits, LossBytes& bytes) {
  const Bytes unpacked = Bytes(sizes.vocabulary_elements()) * stack.dequantised_bytes;
  const Bytes widened = logits * (stack.logits.forward + stack.logits.saved);
  const bool widens = sizes.half_compute() && stack.logits.saved > sizes.compute_bytes;
  const Bytes narrow = widened - logits * (widens ? 4 : 0) + unpacked;
  bytes.forward = std::max(widened, narrow) - bytes.saved;
  bytes.head_gradient += unpacked;
}

}  // namespace

// Losses over a handful of classes or a scalar have no vocabulary term.
bool over_vocabulary(Task task) {
  return task != Task::classify && task != Task::reward && task != Task::diffusion;
}

LossBytes loss_bytes(const Sizes& sizes, const Stack& stack) {
  LossBytes bytes;
  const ConcretePlan& plan = sizes.plan;
  if (!over_vocabulary(plan.task) || plan.stage == PipelineStage::first) return bytes;
  const Bytes logits = product({sizes.tokens, sizes.vocabulary});
  const Bytes hidden = product({sizes.tokens, sizes.hidden});
  const bool trains_head = sizes.trains != Trains::adapters || plan.adapter.save_head;
  const Bytes head_gradient = trains_head ? Bytes(sizes.vocabulary_elements()) * sizes.weight_bytes : Bytes();

  const bool kept_chunks = plan.loss == Loss::chunked && stack.keeps_chunks;
  if (plan.loss == Loss::fused || (plan.loss == Loss::chunked && !kept_chunks)) {
    // Gradients of the hidden states are made in forward (fused) or chunk by chunk (chunked).
    bytes.forward = hidden * 4 + chunk_bytes(sizes);
    bytes.backward = bytes.forward;
    if (plan.loss == Loss::fused) bytes.forward += head_gradient;
    bytes.head_gradient = hidden * 4 + head_gradient;
    return bytes;
  }
  if (plan.loss == Loss::kernel) {
    bytes.forward = logits * sizes.compute_bytes;
    bytes.backward = logits * stack.logits.kernel;
    bytes.head_gradient = logits * sizes.compute_bytes + head_gradient;
    if (stack.blocks == Blocks::megatron) {
      // The gathered input of the head, and its gradient before and after the scatter.
      const bool gathers = plan.sequence_parallel && plan.tensor_parallel > 1;
      bytes.head_gradient += hidden * 2 * (gathers ? 2 : 1);
      if (gathers) bytes.forward += hidden * 2;
      if (gathers) bytes.backward += hidden * 2;
    }
    return bytes;
  }
  const bool half = sizes.half_compute();
  const bool upcasts = sizes.recipe.upcasts_logits;
  const bool wide = upcasts || sizes.precision != Precision::half;
  bytes.saved = logits * (stack.logits.saved > 0 ? stack.logits.saved
                                                 : std::uint32_t{sizes.recipe.saved_logits[sizes.column()]});
  bytes.forward = logits * (!half || (!upcasts && wide) ? 4 : upcasts ? stack.logits.forward : 2);
  if (sizes.precision == Precision::mixed) bytes.forward += hidden * 4;
  bytes.hole = logits * stack.logits.hole;
  bytes.held = logits * stack.logits.held;
  bytes.backward = logits * (wide ? stack.logits.backward : 4) + bytes.held;
  const std::uint64_t rows = std::min<std::uint64_t>(sizes.length, stack.logits.chunk_rows);
  bytes.backward += product({sizes.batch, rows, sizes.vocabulary, stack.logits.chunk});
  // The saved probabilities are gone when the head's backward runs.
  bytes.head_gradient = logits * sizes.compute_bytes + bytes.held + head_gradient;
  if (trains_head && stack.logits.head_chunks > 2) {
    // The second chunk's backward: the sum of the first two weight gradients is a third tensor; later sums
    // are made in place.
    const std::uint64_t chunks = stack.logits.head_chunks;
    bytes.head_gradient =
        logits * sizes.compute_bytes * (chunks - 2) / chunks + bytes.held + head_gradient * 3;
  }
  if (trains_head && sizes.precision == Precision::mixed)
    bytes.head_gradient += Bytes(sizes.vocabulary_elements()) * 2;
  if (plan.quantised_head && sizes.quantised()) add_unpacked_head(sizes, stack, logits, bytes);
  return bytes;
}

}  // namespace oomlint
