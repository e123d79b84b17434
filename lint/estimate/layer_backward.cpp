#include "lint/estimate/blocks/blocks.h"
#include "lint/estimate/formulas.h"

#include <algorithm>

namespace oomlint {

namespace {

/// Width of what the MLP's modules pass on: all visited experts of a mixture.
std::uint64_t mlp_width(const Sizes& sizes) {
  if (!sizes.plan.model.moe) return sizes.mlp;
  const ModelExperts& moe = *sizes.plan.model.moe;
  return product({moe.intermediate_size, std::max<std::uint32_t>(1, moe.per_token)}).count() +
         moe.shared_intermediate_size;
}

/// Gradients of the MLP's product, activation and inputs beside what is saved. A frozen `down` has not saved
/// its input, so nothing of it is freed by then; an fp32 one under autocast gives its 16-bit copy back.
Bytes in_mlp(const Sizes& sizes) {
  const Recipe& recipe = sizes.recipe;
  const std::size_t column = sizes.column();
  const std::uint64_t width = mlp_width(sizes);
  std::uint64_t per_feature = recipe.mlp_gradient[column];
  if (sizes.trains == Trains::adapters) per_feature += recipe.mlp[column] - recipe.frozen_mlp[column];
  // Experts are no modules that autocast casts: their rows keep the weights' width.
  if (sizes.plan.model.moe && sizes.precision == Precision::mixed) per_feature *= 2;
  Bytes bytes = product({sizes.tokens, width, per_feature});
  if (sizes.half_compute() && sizes.precision != Precision::mixed)
    bytes += product({sizes.tokens, sizes.hidden, 2});
  if (sizes.precision == Precision::mixed && !sizes.quantised() && !sizes.plan.model.moe) {
    const Bytes copy = product({sizes.hidden, sizes.mlp, 2});
    bytes = bytes > copy ? bytes - copy : Bytes();
  }
  return bytes;
}

/// With a fused kernel the gradients of q, k and v; with norms on the heads their fp32 steps as well. Without
/// one, the fp32 gradients into and out of the softmax, while its 16-bit copy is already gone.
Bytes in_attention(const Sizes& sizes) {
  const ConcretePlan& plan = sizes.plan;
  const std::uint64_t element = sizes.compute_bytes;
  Bytes bytes = product({sizes.tokens, sizes.hidden, sizes.residual_bytes});
  if (plan.attention == Attention::eager || sizes.recipe.eager_only) {
    const std::uint64_t scores = product({sizes.batch, sizes.length, sizes.length, sizes.heads}).count();
    return bytes + Bytes(scores) * (sizes.half_compute() ? 6 : 8);
  }
  bytes += (Bytes(sizes.q) + Bytes(sizes.kv) * 2) * element * sizes.tokens;
  const QkNorm norm = plan.model.qk_norm;
  if (norm == QkNorm::head || norm == QkNorm::layer_head || norm == QkNorm::layer_head2)
    bytes += product({sizes.tokens, sizes.q, 16});
  return bytes;
}

/// An RMS norm written out in operations makes fp32 gradients step by step, and has not freed its copies of
/// the input; a fused layer norm does it at once (bytes per token and feature, counted).
Bytes in_norm(const Sizes& sizes) {
  const std::uint64_t per_feature = sizes.plan.model.norm == NormKind::rms ? 28 : 10;
  return product({sizes.tokens, sizes.hidden, per_feature});
}

/// The recomputed forward is at its widest in the adapter on `down`: the product itself, its fp32 cast where
/// that is not what is saved, and the dropped-out cast where a 16-bit copy of it is; besides, the residual,
/// the norm's output, the base layer's result and the incoming gradient (counted together, in 16 bits).
Bytes recomputing(const Sizes& sizes) {
  const ConcretePlan& plan = sizes.plan;
  const ConcreteAdapter& adapter = plan.adapter;
  if (plan.checkpointing == Checkpointing::none || sizes.trains != Trains::adapters) return {};
  if (!adapter.down || (plan.model.moe && !adapter.experts)) return {};
  const bool casts = bytes_of(adapter.dtype) == 4 && sizes.half_compute();
  std::uint64_t per_feature = sizes.recipe.keeps_product ? 0 : sizes.compute_bytes;
  if (casts && (adapter.dropout || plan.autocast)) per_feature += 4;
  if (casts && adapter.dropout && plan.autocast) per_feature += 4;
  std::uint64_t per_hidden = casts && !plan.autocast ? 14 : 10;
  if (sizes.recipe.parallel) per_hidden += 2;
  return product({sizes.tokens, mlp_width(sizes), per_feature}) +
         product({sizes.tokens, sizes.hidden, per_hidden});
}

}  // namespace

LayerBackward layer_backward_bytes(const Sizes& sizes, const Stack& stack) {
  if (stack.blocks != Blocks::transformers) return block_backward(sizes, stack);
  LayerBackward bytes{in_mlp(sizes), in_attention(sizes), in_norm(sizes), recomputing(sizes)};
  if (sizes.plan.checkpointing != Checkpointing::none) bytes.recomputing += weight_norm_bytes(sizes);
  return bytes;
}

// An identity of the input's width, the base weight, the product of the adapter's matrices, that scaled, and
// their sum.
Bytes weight_norm_bytes(const Sizes& sizes) {
  if (sizes.trains != Trains::adapters || !sizes.plan.adapter.dora) return {};
  Bytes largest;
  for (const LinearModule& module : sizes.modules.all()) {
    if (adapts(sizes.plan.adapter, module))
      largest = std::max(largest, product({module.in, module.in, 4}) + product({module.in, module.out, 16}));
  }
  return largest;
}

}  // namespace oomlint
