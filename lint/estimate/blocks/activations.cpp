#include "lint/estimate/blocks/blocks.h"

#include <algorithm>

namespace oomlint {

namespace {

BlockBytes block_of(const Sizes& sizes, const Stack& stack) {
  switch (stack.blocks) {
    case Blocks::torchtune:
      return torchtune_block(sizes, stack);
    case Blocks::torchtitan:
      return torchtitan_block(sizes, stack);
    case Blocks::megatron:  // in megatron.cpp
    case Blocks::litgpt:
    case Blocks::transformers:
      break;
  }
  return litgpt_block(sizes, stack);
}

/// Temporaries of the MLP's backward: the gradients of product, gate and up beside what is saved.
Bytes mlp_backward(const Sizes& sizes) {
  std::uint64_t wide = sizes.mlp;
  if (sizes.plan.model.moe) {
    wide = product({sizes.plan.model.moe->intermediate_size,
                    std::max<std::uint32_t>(1, sizes.plan.model.moe->per_token)})
               .count();
  }
  const std::uint64_t element = sizes.compute_bytes;
  const std::uint64_t gradients = sizes.trains == Trains::adapters ? 3 : 2;
  return product({sizes.tokens, wide, gradients * element}) + product({sizes.tokens, sizes.hidden, element});
}

/// Of a layer, on average: one in so many is recomputed, or of each layer the outputs of some operators are
/// kept.
Bytes selective(const ConcretePlan& plan, const Stack& stack, const BlockBytes& block, Bytes input) {
  if (plan.checkpointing_every == 0 && stack.selective_operators) return block.selective;
  const std::uint64_t every = plan.checkpointing_every > 0 ? plan.checkpointing_every : 2;
  return (block.layer * (every - 1) + input) / every;
}

}  // namespace

ActivationBytes block_activations(const Sizes& sizes, const Stack& stack) {
  const ConcretePlan& plan = sizes.plan;
  const BlockBytes block = block_of(sizes, stack);
  const std::uint64_t split = plan.sequence_parallel ? std::max<std::uint64_t>(1, plan.tensor_parallel) : 1;
  const Bytes input = product({sizes.tokens, sizes.hidden, sizes.residual_bytes}) / split;
  const std::uint64_t saving = sizes.layers - std::min(sizes.layers, sizes.lowest_trained);
  const bool recomputes = plan.checkpointing != Checkpointing::none;

  ActivationBytes bytes;
  bytes.layer = block.layer;
  bytes.mlp = block.mlp;
  bytes.outside = block.outside;
  switch (plan.checkpointing) {
    case Checkpointing::none:
      bytes.checkpoint = block.layer;
      break;
    case Checkpointing::full:
      bytes.checkpoint = input;
      break;
    case Checkpointing::selective:
      bytes.checkpoint = selective(plan, stack, block, input);
      break;
    case Checkpointing::offloaded:
      break;
  }
  bytes.saved = bytes.checkpoint * (recomputes ? sizes.layers : saving) * sizes.in_flight + bytes.outside;
  if (recomputes) {
    return bytes;
  }
  if (saving > 0) bytes.saved = bytes.saved - block.lowest_saving;
  bytes.weight_copies = block.weight_copies * saving;
  bytes.previous = block.quantised_inputs * saving;
  return bytes;
}

LayerBackward block_backward(const Sizes& sizes, const Stack& stack) {
  LayerBackward bytes;
  bytes.in_mlp = mlp_backward(sizes);
  bytes.in_attention = block_of(sizes, stack).attention_backward;
  return bytes;
}

}  // namespace oomlint
