#include "lint/estimate/blocks/blocks.h"

#include <algorithm>

// torchtitan's TransformerBlock, from replayed traces of torch 2.15 and min-cut partitions of compiled layers
// (profile of the multi-GPU stacks, section 4). The widths of Sizes are those of one tensor-parallel rank;
// what has the width of the residual stream is divided by sequence parallelism.
namespace oomlint {

namespace {

std::uint64_t ranks(const Sizes& sizes) {
  return sizes.plan.sequence_parallel ? std::max<std::uint64_t>(1, sizes.plan.tensor_parallel) : 1;
}

/// Of one norm, per token. Written in Python it keeps its fp32 input, the normalised tensor and its output;
/// the kernel, or the compiler, keeps input and output.
std::uint64_t norm_bytes(const Sizes& sizes, const Stack& stack) {
  const std::uint64_t input = sizes.residual_bytes;
  if (stack.fused_norms || sizes.plan.compile) return (input + sizes.compute_bytes) * sizes.hidden;
  return (4 + input + sizes.compute_bytes) * sizes.hidden;
}

/// q, k, v and the output, with k and v at all heads where they are repeated; per token.
std::uint64_t attention_width(const Sizes& sizes, const Stack& stack) {
  const std::uint64_t wide = stack.repeats_kv ? sizes.q : sizes.kv;
  return (2 * sizes.q + 2 * wide) * sizes.compute_bytes + 4 * sizes.heads;
}

/// What per-operator checkpointing keeps: the layer's input, the outputs of every second matrix product (q,
/// v, gate, down of q, k, v, o, gate, up, down) and of the attention, and of the reduce-scatters.
Bytes kept_operators(const Sizes& sizes) {
  const std::uint64_t element = sizes.compute_bytes;
  const std::uint64_t h = sizes.hidden;
  Bytes kept = Bytes(sizes.tokens) * h * sizes.residual_bytes / ranks(sizes);
  const std::uint64_t gate = sizes.plan.model.moe ? 0 : sizes.mlp;
  kept += Bytes(sizes.tokens) * ((2 * sizes.q + sizes.kv + gate) * element + 4 * sizes.heads);
  // A compiled layer drops the output of the down projection, which backward does not need.
  if (!sizes.plan.compile) kept += Bytes(sizes.tokens) * element * h;
  if (sizes.plan.tensor_parallel > 1) kept += Bytes(sizes.tokens) * 2 * element * h / ranks(sizes);
  return kept;
}

/// Routed rows are multiplied with their scores in fp32: 12h beside the MLP's widths for each expert a token
/// visits; router scores; the shared expert. Tokens are divided over tensor-parallel ranks.
Bytes routed_bytes(const Sizes& sizes, std::uint64_t mlp_bytes) {
  const ModelExperts& moe = *sizes.plan.model.moe;
  const std::uint64_t row = 12 * sizes.hidden + mlp_bytes * moe.intermediate_size;
  const Bytes routed = product({sizes.tokens, std::max<std::uint32_t>(1, moe.per_token), row});
  const Bytes scores = product({sizes.tokens, moe.experts, 8});
  return (routed + scores) / ranks(sizes) +
         product({sizes.tokens, moe.shared_intermediate_size, mlp_bytes}) / ranks(sizes);
}

}  // namespace

BlockBytes torchtitan_block(const Sizes& sizes, const Stack& stack) {
  const ModelShape& shape = sizes.plan.model;
  const std::uint64_t element = sizes.compute_bytes;
  // gate, up, silu and product; the compiled layer makes silu again.
  const std::uint64_t mlp = (sizes.plan.compile ? 3 : 4) * element;
  const std::uint64_t norms = std::max<std::uint64_t>(1, shape.norms_per_layer);

  BlockBytes bytes;
  bytes.mlp = shape.moe ? routed_bytes(sizes, mlp) : product({sizes.tokens, sizes.mlp, mlp});
  bytes.layer = Bytes(sizes.tokens) * norms * norm_bytes(sizes, stack) / ranks(sizes) +
                Bytes(sizes.tokens) * attention_width(sizes, stack) + bytes.mlp;
  if (shape.qk_norm != QkNorm::none) {
    const std::uint64_t kept = stack.fused_norms || sizes.plan.compile ? element : 4 + element;
    bytes.layer += Bytes(sizes.tokens) * (sizes.q + sizes.kv) * kept;
  }
  // What the operator policy keeps of experts was not counted: half of the layer, as for every second one.
  bytes.selective =
      shape.moe ? (bytes.layer + product({sizes.tokens, sizes.hidden, element})) / 2 : kept_operators(sizes);
  if (sizes.precision == Precision::mixed) {
    bytes.weight_copies = Bytes(sizes.matrix_elements()) * 2;
    bytes.layer += bytes.weight_copies;
  }
  const std::uint64_t ids = 12;
  bytes.outside = Bytes(sizes.tokens) * ids + Bytes(sizes.tokens) * norm_bytes(sizes, stack) / ranks(sizes);
  if (ranks(sizes) > 1) bytes.outside += Bytes(sizes.tokens) * element * sizes.hidden;
  return bytes;
}

}  // namespace oomlint
