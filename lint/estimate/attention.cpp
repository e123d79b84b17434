#include "lint/estimate/formulas.h"

namespace oomlint {

namespace {

/// Score-shaped transients of the backward without a fused kernel: the fp32 gradients into and out of the
/// softmax.
constexpr std::uint64_t eager_backward_bytes = 8;

}  // namespace

AttentionBytes attention_bytes(const Sizes& sizes, const Stack& stack) {
  const ConcretePlan& plan = sizes.plan;
  const AttentionRecipe& layout = sizes.recipe.attention;
  const std::size_t wide = sizes.half_compute() ? 0 : 1;
  const std::uint64_t element = sizes.compute_bytes;
  const bool adapters = sizes.trains == Trains::adapters;
  // Behind a k-bit preparation the joint projection's output is fp32 and not what the kernel keeps.
  const bool prepared = sizes.quantised() && sizes.precision == Precision::mixed;
  const bool eager = plan.attention == Attention::eager || sizes.recipe.eager_only;
  const bool headed = plan.model.qk_norm == QkNorm::head || plan.model.qk_norm == QkNorm::layer_head ||
                      plan.model.qk_norm == QkNorm::layer_head2;

  AttentionBytes bytes;
  std::uint64_t q = layout.q[wide];
  std::uint64_t kv = layout.kv[wide];
  std::uint64_t joint = layout.fused * element;
  const Bytes pairs = product({sizes.batch, sizes.length, sizes.length});
  if (eager) {
    q = 4 * element;
    kv = 0;
    joint = layout.fused > 0 && sizes.batch == 1 ? element : 0;
    if (adapters && !plan.adapter.o) q -= element;
    const std::uint8_t column = static_cast<std::uint8_t>(sizes.column());
    std::uint64_t per_pair = sizes.recipe.pairs[column];
    if (!plan.model_dropout) per_pair -= sizes.recipe.pair_dropout[column];
    bytes.saved += pairs * sizes.heads * per_pair;
    bytes.backward = pairs * sizes.heads * eager_backward_bytes;
  } else {
    if (prepared && layout.fused > 0) {
      q = 4 * element;
      kv = joint = 0;
    } else if (adapters && !plan.adapter.o) {
      q -= layout.frozen_q[wide];
    }
    if (plan.padding_mask && plan.attention == Attention::sdpa) {
      // A mask makes SDPA repeat K and V to all heads, and every layer keeps a copy of the mask.
      if (layout.fused == 0) q += kv;
      if (layout.fused == 0) kv = 0;
      bytes.saved += pairs * element;
    } else if (stack.repeats_kv && plan.attention == Attention::sdpa && layout.fused == 0) {
      q += kv + element;
      kv = 0;
    }
    bytes.saved += product({sizes.tokens, sizes.heads, 4});
  }
  if (headed) {
    const std::uint64_t normed = adapters ? 4 : layout.normed[wide];
    bytes.saved += (Bytes(sizes.q) + Bytes(sizes.kv)) * normed * sizes.tokens;
    bytes.saved += product({sizes.tokens, sizes.heads + sizes.kv_heads, 4});
  }
  bytes.saved += product({sizes.tokens, sizes.q, q}) + product({sizes.tokens, sizes.kv, kv});
  bytes.saved += (Bytes(sizes.q) + Bytes(sizes.kv) * 2) * joint * sizes.tokens;
  return bytes;
}

}  // namespace oomlint
