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

/// Losses over a handful of classes or a scalar have no vocabulary term.
bool over_vocabulary(Task task) {
  return task != Task::classify && task != Task::reward && task != Task::diffusion;
}

}  // namespace

LossBytes loss_bytes(const Sizes& sizes, const Stack& stack) {
  LossBytes bytes;
  const ConcretePlan& plan = sizes.plan;
  if (!over_vocabulary(plan.task)) return bytes;
  const Bytes logits = product({sizes.tokens, sizes.vocabulary});
  const Bytes hidden = product({sizes.tokens, sizes.hidden});
  const bool trains_head = sizes.trains != Trains::adapters || plan.adapter.save_head;
  const Bytes head_gradient = trains_head ? Bytes(sizes.vocabulary_elements()) * sizes.weight_bytes : Bytes();

  if (plan.loss != Loss::plain) {
    // Gradients of the hidden states are made in forward (fused) or chunk by chunk (chunked).
    bytes.forward = hidden * 4 + chunk_bytes(sizes);
    bytes.backward = bytes.forward;
    if (plan.loss == Loss::fused) bytes.forward += head_gradient;
    bytes.head_gradient = hidden * 4 + head_gradient;
    return bytes;
  }
  const bool half = sizes.half_compute();
  bytes.saved = logits * sizes.recipe.saved_logits[sizes.column()];
  bytes.forward = logits * (half ? stack.logits.forward : 4);
  if (sizes.precision == Precision::mixed) bytes.forward += hidden * 4;
  bytes.backward = logits * (stack.logits.backward + stack.logits.held);
  // The saved probabilities are gone when the head's backward runs.
  bytes.head_gradient = logits * (sizes.compute_bytes + stack.logits.held) + head_gradient;
  if (trains_head && sizes.precision == Precision::mixed)
    bytes.head_gradient += Bytes(sizes.vocabulary_elements()) * 2;
  return bytes;
}

}  // namespace oomlint
