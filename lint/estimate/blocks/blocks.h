#pragma once

#include "lint/estimate/formulas.h"
#include "lint/estimate/sizes.h"
#include "lint/estimate/stack.h"
#include "lint/plan/bytes.h"

namespace oomlint {

/// What one decoder layer of a framework's own model code saves for backward, and what is saved beside the
/// layers; for one micro batch on one device. The recipes of recipe.h are those of transformers.
struct BlockBytes {
  Bytes layer;               ///< all that a layer saves
  Bytes mlp;                 ///< of `layer`, freed before the attention's backward starts
  Bytes weight_copies;       ///< of `layer`, 16-bit copies of fp32 weights
  Bytes selective;           ///< of `layer`, kept where single operators are recomputed
  Bytes lowest_saving;       ///< less in the lowest layer, whose input needs no gradient
  Bytes quantised_inputs;    ///< of `layer`, held by 4-bit layers until the next graph replaces them
  Bytes attention_backward;  ///< temporaries of the attention's backward
  Bytes outside;             ///< final norm, head input, labels; copy of an fp32 head
};

/// litgpt's GPT (litgpt/model.py, lora.py), by dtype, norm, MLP and adapter.
[[nodiscard]] BlockBytes litgpt_block(const Sizes& sizes, const Stack& stack);

/// torchtune's TransformerSelfAttentionLayer, eager or compiled.
[[nodiscard]] BlockBytes torchtune_block(const Sizes& sizes, const Stack& stack);
/// torchtitan's TransformerBlock, eager or compiled.
[[nodiscard]] BlockBytes torchtitan_block(const Sizes& sizes, const Stack& stack);

/// What the routed experts, the router and a shared expert of one layer save in place of the MLP, where the
/// dense MLP saves `mlp_bytes` per token and feature.
[[nodiscard]] Bytes expert_activations(const Sizes& sizes, std::uint64_t mlp_bytes);

/// The layer and checkpointing put together.
[[nodiscard]] ActivationBytes block_activations(const Sizes& sizes, const Stack& stack);
[[nodiscard]] LayerBackward block_backward(const Sizes& sizes, const Stack& stack);

}  // namespace oomlint
