#pragma once

#include "lint/estimate/sizes.h"
#include "lint/estimate/stack.h"
#include "lint/plan/bytes.h"
#include "lint/plan/words.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace oomlint {

// The formula families of the estimator, one file each. All sizes are bytes of one device.

// --- storage.cpp: quantised formats
// -------------------------------------------------------------------------------

/// Bytes of one matrix of `in` × `out` elements in a storage format, with its scales and metadata.
[[nodiscard]] Bytes stored_bytes(Quantisation format, std::uint64_t in, std::uint64_t out,
                                 std::uint32_t group);

// --- weights.cpp
// --------------------------------------------------------------------------------------------------

struct WeightBytes {
  Bytes layers;      ///< decoder layers
  Bytes vocabulary;  ///< embedding, head, final norm, towers
  Bytes buffers;     ///< rotary frequencies and the like
  [[nodiscard]] Bytes total() const { return layers + vocabulary + buffers; }
};
[[nodiscard]] WeightBytes weight_bytes(const Sizes& sizes);

// --- adapters.cpp
// -------------------------------------------------------------------------------------------------

struct AdapterCounts {
  std::uint64_t low_rank = 0;  ///< A and B matrices, their biases and DoRA magnitudes
  std::uint64_t copies = 0;    ///< full trainable copies of embedding and head
  std::uint64_t biases = 0;    ///< biases of the base model that train
  [[nodiscard]] std::uint64_t total() const {
    return (Bytes(low_rank) + Bytes(copies) + Bytes(biases)).count();
  }
};
[[nodiscard]] AdapterCounts count_adapter(const ModelShape& shape, const ConcreteAdapter& adapter);

/// What the adapters save for backward: in every layer, and in the lowest, where no gradient leaves the
/// layer.
struct AdapterActivations {
  Bytes per_layer;
  Bytes mlp;            ///< of `per_layer`, in the MLP
  Bytes lowest_saving;  ///< less than another layer
};
[[nodiscard]] AdapterActivations adapter_activations(const Sizes& sizes);

// --- gradients.cpp
// ------------------------------------------------------------------------------------------------

/// Parameters that train, and their gradients.
struct TrainableBytes {
  std::uint64_t parameters = 0;
  Bytes gradients;
  Bytes stored;                         ///< their weights
  std::uint64_t layer_parameters = 0;   ///< of one decoder layer
  std::uint64_t expert_parameters = 0;  ///< of `parameters`, those of routed experts
};
[[nodiscard]] TrainableBytes trainable_bytes(const Sizes& sizes);

// --- optimizer.cpp
// ------------------------------------------------------------------------------------------------

/// Bytes of an optimizer's state per element.
struct OptimizerInfo {
  OptimizerId id;
  std::uint32_t states;       ///< tensors of the parameter's size
  std::uint32_t state_bytes;  ///< of one element of them; 0: the parameter's dtype
  bool blockwise = false;     ///< quantised in blocks, with scales
  bool factored = false;      ///< rows and columns instead
  bool paged = false;
  std::string_view what;  ///< "two moments in the parameter's dtype"
};
/// By the name a framework uses ("adamw_torch_fused", "paged_adamw_8bit", "AdamW"); nothing for unknown
/// names.
[[nodiscard]] std::optional<OptimizerInfo> find_optimizer(std::string_view name);
[[nodiscard]] const OptimizerInfo& optimizer_info(OptimizerId id);
[[nodiscard]] Bytes optimizer_state(const Sizes& sizes, const TrainableBytes& trainable);
[[nodiscard]] Bytes optimizer_transient(const Sizes& sizes, const Stack& stack,
                                        const TrainableBytes& trainable);

// --- attention.cpp
// ------------------------------------------------------------------------------------------------

struct AttentionBytes {
  Bytes saved;          ///< of one layer
  Bytes lowest_saving;  ///< less in the lowest layer, where keys need no gradient unless their projection
                        ///< trains
  Bytes mask;           ///< one mask for all layers, kept where layers are recomputed
};
[[nodiscard]] AttentionBytes attention_bytes(const Sizes& sizes, const Stack& stack);

// --- activations.cpp
// ----------------------------------------------------------------------------------------------

struct ActivationBytes {
  Bytes layer;           ///< saved by one layer (all of it, when nothing is recomputed)
  Bytes checkpoint;      ///< kept of one layer when it is recomputed
  Bytes input;           ///< of one layer: its residual stream
  Bytes saved;           ///< alive at the end of forward, logits excepted
  Bytes outside;         ///< of `saved`, outside the layers
  Bytes weight_copies;   ///< of `saved`: 16-bit copies of fp32 weights
  Bytes autocast_cache;  ///< 16-bit copies alive during forward only
  Bytes mlp;             ///< of `layer`: what the MLP and its norm saved, weight copies included
  Bytes previous;        ///< of the micro batch before, still alive while this one's forward runs
};
[[nodiscard]] ActivationBytes activation_bytes(const Sizes& sizes, const Stack& stack);

// --- megatron.cpp
// ----------------------------------------------------------------------------------------------

struct LayerBackward;
/// Megatron-Core's transformer layer on Transformer Engine.
[[nodiscard]] ActivationBytes megatron_activations(const Sizes& sizes);
[[nodiscard]] LayerBackward megatron_layer_backward(const Sizes& sizes);
/// One 16-bit gradient for every shape of weight: what fused accumulation keeps for good.
[[nodiscard]] Bytes megatron_standing_gradients(const Sizes& sizes);

// --- layer_backward.cpp
// -------------------------------------------------------------------------------------------

/// What is alive in the backward of one layer besides what it saved, at the moments that can be its peak.
struct LayerBackward {
  Bytes in_mlp;
  Bytes in_attention;  ///< when what the MLP and its norm saved is gone
  Bytes in_norm;       ///< the same, in the backward of the MLP's norm
  Bytes recomputing;   ///< while its last module runs again; nothing unless layers are recomputed
};
[[nodiscard]] LayerBackward layer_backward_bytes(const Sizes& sizes, const Stack& stack);
/// DoRA's norms of the adapted weights: fp32 matrices of the largest module, for a moment of forward.
[[nodiscard]] Bytes weight_norm_bytes(const Sizes& sizes);

// --- loss.cpp
// -----------------------------------------------------------------------------------------------------

struct LossBytes {
  Bytes saved;          ///< from the loss to its backward
  Bytes forward;        ///< besides, while the loss is computed
  Bytes backward;       ///< besides, while its gradient is
  Bytes held;           ///< of `backward`, alive until backward ends
  Bytes hole;           ///< of reserved memory: where the logits were, unfit for what followed
  Bytes head_gradient;  ///< alive while the head's backward runs, gradient of the head included
};
[[nodiscard]] bool over_vocabulary(Task task);
[[nodiscard]] LossBytes loss_bytes(const Sizes& sizes, const Stack& stack);

// --- sharding.cpp
// -------------------------------------------------------------------------------------------------

/// What is left on one device after sharding, and what sharding adds for a moment.
struct Sharded {
  Bytes weights, adapters, master, gradients, optimizer;
  Bytes gathered_forward;   ///< weights gathered at the end of forward
  Bytes layer, root;        ///< the groups that are gathered together, whole; nothing where none are
  Bytes gathered_backward;  ///< where it does not depend on the layer
  Bytes communication;      ///< reduction buffers during backward, where they do not depend on the layer
  Bytes end;                ///< reduction buffers when the last layer is done
  Bytes gathered_end;       ///< still gathered then
  Bytes pools;              ///< of the allocator beside the main stream's, at their largest
  Bytes step;               ///< fp32 gradients of the own partition during the step
  Bytes host;               ///< offloaded
};
struct State {
  Bytes weights, adapters, master, gradients, optimizer;
};
[[nodiscard]] Sharded shard(const Sizes& sizes, const Stack& stack, const State& state,
                            const TrainableBytes& trainable);

/// Whether gradients are there before the micro batch's backward makes its own.
[[nodiscard]] bool made_early(const ConcretePlan& plan, const Stack& stack);
/// Whether optimizer and gradients are divided over the shard group.
[[nodiscard]] bool divides_states(const ConcretePlan& plan);

/// Where in backward: the layer, counted from the lowest, and the gradients made in it so far (elements).
struct LayerMoment {
  std::uint64_t index = 0;
  Bytes own;
};
struct LayerShards {
  Bytes gathered;       ///< weights gathered for this layer and ahead of it
  Bytes communication;  ///< gradients on their way
  Bytes gradients;      ///< kept
};
[[nodiscard]] LayerShards shards_at(const Sizes& sizes, const Stack& stack, const Sharded& sharded,
                                    const TrainableBytes& trainable, const LayerMoment& moment);

// --- allocator.cpp
// ------------------------------------------------------------------------------------------------

/// Reserved memory from the peak's constant part and its length-dependent part.
[[nodiscard]] Bytes reserved_bytes(const ConcretePlan& plan, const Stack& stack, Bytes constant,
                                   Bytes varying);
/// What must fit: reserved memory without what the allocator gives back before it fails.
[[nodiscard]] Bytes required_bytes(const ConcretePlan& plan, const Stack& stack, Bytes constant,
                                   Bytes varying);

}  // namespace oomlint
