#include "lint/estimate/blocks/blocks.h"

#include <algorithm>

// torchtune's TransformerSelfAttentionLayer at 1814feb17, eager and compiled by layer (flex attention breaks
// the graph; the partitioner was run on both halves). The counts hold for a layer without activation
// checkpointing.
namespace oomlint {

namespace {

/// Per token. Eager norms keep their fp32 input and the normalised tensor, and the linears behind them its
/// product with the weight; compiled ones keep their input and the normalised tensor.
std::uint64_t norm_bytes(const Sizes& sizes, bool frozen) {
  const std::uint64_t element = sizes.compute_bytes;
  if (sizes.plan.compile) return (frozen ? 1 : 2) * element * sizes.hidden;
  return 4 * sizes.hidden + (frozen ? 0 : 2 * element * sizes.hidden) + 4;
}

/// Per token. 16-bit adapters read the tensor the base layer reads: one copy for each distinct input.
std::uint64_t adapter_bytes(const Sizes& sizes) {
  const ConcreteAdapter& adapter = sizes.plan.adapter;
  const std::uint64_t element = sizes.compute_bytes;
  const auto low_rank = [&](std::uint64_t modules, std::uint64_t width) {
    const std::uint64_t dropped = adapter.dropout ? modules * width * (element + 1) : 0;
    return modules * element * adapter.rank + dropped;
  };
  const std::uint64_t attention =
      std::uint64_t{adapter.q} + std::uint64_t{adapter.k} + std::uint64_t{adapter.v};
  const std::uint64_t mlp = std::uint64_t{adapter.gate} + std::uint64_t{adapter.up};
  std::uint64_t bytes = low_rank(attention, sizes.hidden) + low_rank(mlp, sizes.hidden);
  if (!adapter.dropout)
    bytes += element * sizes.hidden * (std::uint64_t{attention > 0} + std::uint64_t{mlp > 0});
  if (adapter.o) bytes += low_rank(1, sizes.q);
  if (adapter.down) bytes += low_rank(1, sizes.mlp) + (adapter.dropout ? 0 : element * sizes.mlp);
  return bytes;
}

}  // namespace

BlockBytes torchtune_block(const Sizes& sizes, const Stack& /*stack*/) {
  const ModelShape& shape = sizes.plan.model;
  const bool frozen = sizes.trains == Trains::adapters;
  const std::uint64_t element = sizes.compute_bytes;
  const std::uint64_t norms = std::max<std::uint64_t>(1, shape.norms_per_layer);
  // gate, up, silu and product; the compiled layer makes silu again.
  std::uint64_t mlp = (shape.gated_mlp ? 4 : 2) * element;
  if (frozen) mlp -= element;
  if (sizes.plan.compile) mlp -= element;

  BlockBytes bytes;
  bytes.mlp = shape.moe ? expert_activations(sizes, mlp) : product({sizes.tokens, sizes.mlp, mlp});
  // k and v are repeated to all heads before the attention.
  std::uint64_t per_token = norms * norm_bytes(sizes, frozen) + 4 * element * sizes.q + 4 * sizes.heads;
  if (shape.qk_norm != QkNorm::none) per_token += (sizes.q + sizes.kv) * (4 + (frozen ? 0 : element));
  if (frozen) per_token += adapter_bytes(sizes);
  bytes.layer = Bytes(sizes.tokens) * per_token + bytes.mlp;
  if (shape.attention_softcap > 0) {
    bytes.layer += product({sizes.batch, sizes.heads, sizes.length, sizes.length, 2 * element + 4});
    bytes.attention_backward = product({sizes.batch, sizes.heads, sizes.length, sizes.length, 8});
  }
  if (frozen) bytes.lowest_saving = Bytes(sizes.tokens) * norm_bytes(sizes, frozen);
  // The final norm stays eager. Offloading moves what it saves to the host.
  const std::uint64_t ids = 12;
  const bool offloaded = sizes.plan.checkpointing == Checkpointing::offloaded;
  const std::uint64_t last = 4 * sizes.hidden + (frozen ? 0 : 2 * element * sizes.hidden);
  bytes.outside = Bytes(sizes.tokens) * (ids + (offloaded ? 0 : last));
  return bytes;
}

}  // namespace oomlint
