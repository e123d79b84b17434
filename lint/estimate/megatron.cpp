#include "lint/estimate/formulas.h"

#include <algorithm>

// Megatron-Core with Transformer Engine, flash attention and a fused SwiGLU, without dropout, per token of
// one rank (Megatron-LM d98e8a64dd; reproduces published allocated readings of dense, long-context and expert
// models to 0.4 %). Sequence parallelism divides what tensor parallelism doesn't.
namespace oomlint {

namespace {

class Layer {
 public:
  explicit Layer(const Sizes& sizes)
      : sizes_(sizes),
        plan_(sizes.plan),
        tensor_(std::max<std::uint64_t>(1, sizes.plan.tensor_parallel)),
        narrow_(sizes.plan.sequence_parallel ? tensor_ : 1) {}

  [[nodiscard]] std::uint64_t residuals() const { return 4 * sizes_.hidden / narrow_; }
  [[nodiscard]] std::uint64_t norms() const { return 4 * sizes_.hidden / narrow_; }

  /// Rotated q and k and v, the output that is the projection's input, the kernel's statistics. Context
  /// parallelism by all-to-all keeps the output before the exchange too.
  [[nodiscard]] std::uint64_t attention() const {
    if (plan_.model.mla) return latent();
    std::uint64_t bytes = 2 * (sizes_.q + 2 * sizes_.kv) + 2 * sizes_.q + 4 * sizes_.heads;
    if (plan_.model.qk_norm != QkNorm::none) bytes += 2 * (sizes_.q + sizes_.kv);
    if (plan_.context_parallel > 1) bytes += 2 * sizes_.q;
    return bytes;
  }
  /// Output of the latent's up-projections, of which the values are a view.
  [[nodiscard]] std::uint64_t latent_up() const {
    if (!plan_.model.mla) return 0;
    const ModelLatentAttention& mla = *plan_.model.mla;
    return sizes_.heads * (4 * (std::uint64_t{mla.nope} + mla.rope) + 2 * std::uint64_t{mla.nope});
  }
  [[nodiscard]] Bytes mlp() const {
    if (!plan_.model.moe) return product({sizes_.tokens, sizes_.mlp, plan_.model.gated_mlp ? 6U : 4U});
    return experts();
  }
  [[nodiscard]] Bytes expert_activation() const {
    const ModelExperts& moe = *plan_.model.moe;
    return product({sizes_.tokens, std::max<std::uint32_t>(1, moe.per_token), 2, width()});
  }

 private:
  [[nodiscard]] std::uint64_t latent() const {
    const ModelLatentAttention& mla = *plan_.model.mla;
    const std::uint64_t down =
        2 * (2 * std::uint64_t{mla.q_lora} + 2 * std::uint64_t{mla.kv_lora} + mla.rope);
    return down + latent_up() + sizes_.heads * (4 * std::uint64_t{mla.v} + 4);
  }
  [[nodiscard]] std::uint64_t width() const {
    return plan_.model.moe->intermediate_size / std::max<std::uint64_t>(1, plan_.expert_tensor_parallel);
  }
  /// Balanced routing: permuted inputs, both projections of the experts, shared expert, router.
  [[nodiscard]] Bytes experts() const {
    const ModelExperts& moe = *plan_.model.moe;
    const std::uint64_t rows = std::max<std::uint32_t>(1, moe.per_token);
    const std::uint64_t shared = moe.shared_intermediate_size / tensor_;
    // With tensor parallelism the tokens are divided over its ranks too before they are routed.
    const std::uint64_t routed = rows * (2 * sizes_.hidden + 6 * width()) / narrow_;
    return Bytes(sizes_.tokens) * (routed + 6 * shared + 8 * std::uint64_t{moe.experts} / narrow_);
  }

  const Sizes& sizes_;
  const ConcretePlan& plan_;
  std::uint64_t tensor_, narrow_;
};

/// What selective recomputation does not keep: attention's core saves nothing more than the flash kernel
/// does, other parts take their own terms away.
Bytes recomputed(const Sizes& sizes, const Layer& layer) {
  const RecomputedParts& parts = sizes.plan.recomputed;
  const bool sparse = sizes.plan.model.moe.has_value();
  Bytes bytes;
  if (parts.norms) bytes += Bytes(sizes.tokens) * layer.norms();
  if (parts.latent_up) bytes += Bytes(sizes.tokens) * layer.latent_up();
  if (sparse ? parts.experts : parts.mlp) {
    bytes += layer.mlp();
  } else if (sparse && parts.expert_activation) {
    bytes += layer.expert_activation();
  }
  return bytes;
}

}  // namespace

ActivationBytes megatron_activations(const Sizes& sizes) {
  const Layer layer(sizes);
  const ConcretePlan& plan = sizes.plan;
  const std::uint64_t narrow = plan.sequence_parallel ? std::max<std::uint64_t>(1, plan.tensor_parallel) : 1;
  ActivationBytes bytes;
  bytes.mlp = layer.mlp();
  bytes.layer = Bytes(sizes.tokens) * (layer.residuals() + layer.norms() + layer.attention()) + bytes.mlp;
  if (sizes.trains == Trains::adapters) bytes.layer += adapter_activations(sizes).per_layer;
  // Final norm's input and output, labels and ids.
  bytes.outside = Bytes(sizes.tokens) * (4 * sizes.hidden / narrow + 16);
  switch (plan.checkpointing) {
    case Checkpointing::none:
      bytes.checkpoint = bytes.layer;
      break;
    case Checkpointing::full:
      bytes.checkpoint = product({sizes.tokens, sizes.hidden, 2}) / narrow;
      break;
    case Checkpointing::selective:
      bytes.checkpoint = bytes.layer - recomputed(sizes, layer);
      break;
    case Checkpointing::offloaded:
      break;
  }
  bytes.saved = bytes.checkpoint * sizes.layers * sizes.in_flight + bytes.outside;
  return bytes;
}

LayerBackward megatron_layer_backward(const Sizes& sizes) {
  const bool gathers = sizes.plan.sequence_parallel && sizes.plan.tensor_parallel > 1;
  LayerBackward bytes;
  bytes.in_mlp = Layer(sizes).mlp() + product({sizes.tokens, sizes.hidden, gathers ? 4U : 2U});
  return bytes;
}

Bytes megatron_standing_gradients(const Sizes& sizes) {
  std::uint64_t elements = 0;
  for (const LinearModule& module : sizes.modules.all()) {
    // k and v are rows of one weight with q, up of one with gate: together they are one shape, and its size.
    const std::uint64_t split = module.routed ? std::max<std::uint64_t>(1, sizes.plan.expert_tensor_parallel)
                                              : std::max<std::uint64_t>(1, sizes.plan.tensor_parallel);
    elements += product({module.in, module.out}).count() / split;
  }
  return Bytes(elements) * 2;
}

}  // namespace oomlint
