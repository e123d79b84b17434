#include "lint/estimate/formulas.h"

#include <algorithm>

namespace oomlint {

namespace {

/// Linear weights and biases of one layer that autocast casts: grouped expert kernels are not on its list.
Bytes cast_elements(const Sizes& sizes) {
  Bytes elements;
  for (const LinearModule& module : sizes.modules.all()) {
    if (!module.routed) elements += product({module.in + (module.biased ? 1 : 0), module.out});
  }
  return elements / std::max<std::uint64_t>(1, sizes.plan.tensor_parallel);
}

/// What the routed experts, the router and a shared expert of one layer save, in place of the MLP.
Bytes expert_activations(const Sizes& sizes, std::uint64_t mlp_bytes) {
  const ModelExperts& moe = *sizes.plan.model.moe;
  const std::uint64_t wide =
      sizes.precision == Precision::mixed || sizes.precision == Precision::single ? 2 : 1;
  const std::uint64_t experts = std::max<std::uint64_t>(1, sizes.plan.expert_parallel);
  const Bytes per_row = Bytes(4 * sizes.hidden) + product({8, moe.intermediate_size});
  // Balanced routing: every device of an expert group sees as many rows as it sends.
  (void)experts;
  return per_row * wide * sizes.tokens * std::max<std::uint32_t>(1, moe.per_token) +
         product({sizes.tokens, moe.experts, 4}) +
         product({sizes.tokens, moe.shared_intermediate_size, mlp_bytes});
}

}  // namespace

ActivationBytes activation_bytes(const Sizes& sizes, const Stack& stack) {
  const ConcretePlan& plan = sizes.plan;
  const Recipe& recipe = sizes.recipe;
  const std::size_t column = sizes.column();
  const std::uint64_t tokens = sizes.tokens;
  const bool adapters = sizes.trains == Trains::adapters;
  const bool prepared = sizes.quantised() && sizes.precision == Precision::mixed;
  const std::uint64_t split = plan.sequence_parallel ? std::max<std::uint64_t>(1, plan.tensor_parallel) : 1;

  std::uint64_t residual = adapters ? recipe.frozen_residual[column] : recipe.residual[column];
  if (!plan.model_dropout) residual -= std::min<std::uint64_t>(residual, recipe.dropout);
  const std::uint64_t mlp =
      !adapters ? recipe.mlp[column]
                : recipe.frozen_mlp[prepared ? static_cast<std::size_t>(Precision::single) : column];
  const AttentionBytes attention = attention_bytes(sizes, stack);
  const AdapterActivations adapter = adapter_activations(sizes);

  ActivationBytes bytes;
  const Bytes stream = product({tokens, sizes.hidden, residual}) / split;
  bytes.layer_mlp = plan.model.moe ? expert_activations(sizes, mlp) : product({tokens, sizes.mlp, mlp});
  bytes.layer =
      stream + product({tokens, recipe.tokens}) + attention.saved + bytes.layer_mlp + adapter.per_layer;
  bytes.attention_backward = attention.backward;

  // Casts of trainable fp32 weights are cached until autocast ends; casts of frozen ones are made at each use
  // and saved. Both stay alive for backward unless the layer is recomputed.
  const bool casts = sizes.precision == Precision::mixed && !sizes.quantised();
  const Bytes layer_casts = casts ? cast_elements(sizes) * 2 : Bytes();
  const Bytes head_cast =
      sizes.precision == Precision::mixed ? Bytes(sizes.vocabulary_elements()) * 2 : Bytes();
  bytes.layer += layer_casts;

  const std::uint64_t saving_layers = sizes.layers - std::min(sizes.layers, sizes.lowest_trained);
  const std::uint64_t outside_h =
      adapters ? 0 : recipe.outside[column] - (plan.model_dropout ? 0 : recipe.dropout / 2);
  const std::uint64_t rope_bytes =
      sizes.precision == Precision::half || sizes.precision == Precision::half_autocast ? 4 : 8;
  bytes.outside = product({tokens, adapters ? 8u : recipe.outside_tokens}) +
                  product({tokens, sizes.hidden, outside_h}) / split + head_cast;
  if (recipe.rotary_share > 0)
    bytes.outside += product({sizes.length, plan.model.head_dim, rope_bytes}) / recipe.rotary_share;

  const std::uint64_t kept = product({tokens, sizes.hidden}).count();
  switch (plan.checkpointing) {
    case Checkpointing::none:
      bytes.checkpoint = bytes.layer;
      break;
    case Checkpointing::full:
      bytes.checkpoint = Bytes(kept) * sizes.residual_bytes / split;
      break;
    case Checkpointing::selective:
      // Without knowing which: every other layer.
      bytes.checkpoint = (bytes.layer + Bytes(kept) * sizes.residual_bytes / split) / 2;
      break;
    case Checkpointing::offloaded:
      break;
  }
  if (plan.checkpointing == Checkpointing::none) {
    bytes.saved = bytes.layer * saving_layers * sizes.in_flight + bytes.outside;
    if (adapters && saving_layers > 0) {
      bytes.saved = bytes.saved - adapter.lowest_saving;
      if (recipe.parallel && !plan.adapter.gate && !plan.adapter.up && !plan.adapter.down)
        bytes.saved = bytes.saved - bytes.layer_mlp;
    }
    bytes.weight_copies = layer_casts * saving_layers;
  } else {
    if (adapters) bytes.outside += product({tokens, sizes.hidden, 4}) / split + product({tokens, 6});
    bytes.saved = bytes.checkpoint * sizes.layers * sizes.in_flight + bytes.outside;
    if (plan.checkpointing == Checkpointing::offloaded) bytes.saved += Bytes(kept) * 2 * sizes.residual_bytes;
    if (!adapters) bytes.autocast_cache = layer_casts * saving_layers;
  }

  // Temporaries of the MLP's backward: the gradients of product, gate and up beside what is saved.
  const std::uint64_t wide = plan.model.moe ? product({plan.model.moe->intermediate_size,
                                                       std::max<std::uint32_t>(1, plan.model.moe->per_token)})
                                                  .count()
                                            : sizes.mlp;
  if (adapters) {
    bytes.mlp_backward = product({tokens, wide, 6}) + product({tokens, sizes.hidden, 2});
  } else if (sizes.precision == Precision::mixed) {
    bytes.mlp_backward = product({tokens, wide, 4}) - product({sizes.hidden, wide, 2});
  } else if (sizes.precision == Precision::single) {
    bytes.mlp_backward = product({tokens, wide, 8});
  } else {
    bytes.mlp_backward = product({tokens, wide, 4}) + product({tokens, sizes.hidden, 2});
  }
  return bytes;
}

}  // namespace oomlint
