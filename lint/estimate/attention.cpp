#include "lint/estimate/formulas.h"

namespace oomlint {

namespace {

std::uint64_t pairs_of(const Sizes& sizes) {
  return product({sizes.batch, sizes.length, sizes.length}).count();
}

/// Families that mix windows with full attention make a mask of each kind.
std::uint64_t mask_kinds(const Sizes& sizes) {
  const std::uint8_t every = sizes.recipe.full_every;
  return every > 0 && sizes.layers >= every ? 2 : 1;
}

/// One key and value head is expanded to all heads by a view, not by a copy; under autocast of fp32 weights
/// the rotated keys are copied by their cast.
void share_single_head(const Sizes& sizes, std::uint64_t& q, std::uint64_t& kv) {
  const std::uint64_t views = sizes.casts_weights() ? 1 : 2;
  q -= views * sizes.compute_bytes;
  kv += views * sizes.compute_bytes;
}

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

  const std::uint64_t scores = pairs_of(sizes) * sizes.heads;
  const bool masked = plan.padding_mask && plan.attention == Attention::sdpa;

  AttentionBytes bytes;
  std::uint64_t q = layout.q[wide];
  std::uint64_t kv = layout.kv[wide];
  std::uint64_t joint = layout.fused * element;
  if (eager) {
    q = 4 * element;
    kv = 0;
    joint = 0;
    if (layout.fused > 0 && sizes.batch == 1 && sizes.q == sizes.kv && sizes.recipe.rotary_share > 0) {
      // The reshapes of a batch of one are views: the joint projection stays, with the values in it.
      joint = element;
      q -= element;
    }
    if (sizes.kv_heads == 1 && sizes.batch == 1) share_single_head(sizes, q, kv);
    if (adapters) q -= element;  // only a trained output projection reads the attention's output again
    const std::size_t column = sizes.column();
    std::uint64_t per_pair = sizes.recipe.pairs[column];
    if (!plan.model_dropout) per_pair -= sizes.recipe.pair_dropout[column];
    bytes.saved += Bytes(scores) * per_pair;
    if (adapters && !plan.adapter.k) bytes.lowest_saving += product({sizes.tokens, sizes.q, element});
  } else {
    if (prepared && layout.fused > 0) {
      q = 4 * element;
      kv = joint = 0;
    } else if (adapters) {
      q -= layout.frozen_q[wide];
    }
    if (masked) {
      // A mask makes SDPA repeat K and V to all heads, and every layer keeps a copy of the mask.
      if (layout.fused == 0) {
        q += kv;
        kv = 0;
        if (sizes.kv_heads == 1) share_single_head(sizes, q, kv);
      }
      bytes.saved += Bytes(pairs_of(sizes)) * element;
    } else if (stack.repeats_kv && plan.attention == Attention::sdpa && layout.fused == 0) {
      q += kv + element;
      kv = 0;
    }
    bytes.saved += product({sizes.tokens, sizes.heads, 4});
  }
  if (eager || masked) bytes.mask = Bytes(pairs_of(sizes)) * sizes.residual_bytes * mask_kinds(sizes);
  if (headed) {
    const std::uint64_t normed = adapters ? 4 : layout.normed[wide];
    bytes.saved += (Bytes(sizes.q) + Bytes(sizes.kv)) * normed * sizes.tokens;
    bytes.saved += product({sizes.tokens, sizes.heads + sizes.kv_heads, 4});
    if (adapters && !plan.adapter.k)
      bytes.lowest_saving += product({sizes.tokens, sizes.kv + sizes.kv_heads, 4});
    if (adapters && !plan.adapter.q) bytes.lowest_saving += product({sizes.tokens, sizes.q + sizes.heads, 4});
  }
  bytes.saved += product({sizes.tokens, sizes.q, q}) + product({sizes.tokens, sizes.kv, kv});
  bytes.saved += (Bytes(sizes.q) + Bytes(sizes.kv) * 2) * joint * sizes.tokens;
  return bytes;
}

}  // namespace oomlint
