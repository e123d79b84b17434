#include "lint/estimate/blocks/blocks.h"
#include "lint/estimate/formulas.h"

#include <algorithm>

namespace oomlint {

namespace {

/// Linear weights of one layer that autocast casts (grouped expert kernels are not on its list), and those of
/// them whose copy no gradient needs in the lowest layer: they read its input.
struct Casts {
  Bytes all, lowest, mlp;
};
Casts cast_elements(const Sizes& sizes) {
  Casts elements;
  const ConcreteAdapter& adapter = sizes.plan.adapter;
  const bool parallel = sizes.recipe.parallel;
  const bool mlp_trains = adapter.gate || adapter.up || adapter.down;
  for (const LinearModule& module : sizes.modules.all()) {
    if (module.routed) continue;
    const Bytes weights = product({module.in, module.out});
    elements.all += weights;
    const bool opens_mlp = module.role == Role::gate || module.role == Role::up;
    const bool idle_down = parallel && !mlp_trains && module.role == Role::down;
    const bool block_input = module.role == Role::q || module.role == Role::k || module.role == Role::v;
    if (block_input || (parallel && opens_mlp) || idle_down) elements.lowest += weights;
    if (opens_mlp || module.role == Role::down) elements.mlp += weights;
  }
  const std::uint64_t tensor = std::max<std::uint64_t>(1, sizes.plan.tensor_parallel);
  return {elements.all / tensor, elements.lowest / tensor, elements.mlp / tensor};
}

}  // namespace

Bytes expert_activations(const Sizes& sizes, std::uint64_t mlp_bytes) {
  const ModelExperts& moe = *sizes.plan.model.moe;
  const std::uint64_t wide =
      sizes.precision == Precision::mixed || sizes.precision == Precision::single ? 2 : 1;
  const std::uint64_t experts = std::max<std::uint64_t>(1, sizes.plan.expert_parallel);
  // Frozen experts keep what their inputs' gradients need: no copy of the routed rows.
  const bool frozen = sizes.trains == Trains::adapters && !sizes.plan.adapter.experts;
  const Bytes per_row =
      product({frozen ? 2U : 4U, sizes.hidden}) + product({frozen ? 6U : 8U, moe.intermediate_size});
  // Balanced routing: every device of an expert group sees as many rows as it sends.
  (void)experts;
  return per_row * wide * sizes.tokens * std::max<std::uint32_t>(1, moe.per_token) +
         product({sizes.tokens, moe.experts, 4}) +
         product({sizes.tokens, moe.shared_intermediate_size, mlp_bytes});
}

namespace {

/// What is kept of a layer under selective recomputation: of one layer in so many its input; otherwise, by
/// operations, as torchtitan does it: the layer's input, q, v, gate and `down`'s output (the odd matrix
/// products), and what the fused attention saved.
Bytes kept_selectively(const Sizes& sizes, const ActivationBytes& bytes) {
  if (const std::uint64_t every = sizes.plan.checkpointing_every; every > 0)
    return (bytes.layer * (every - 1) + bytes.input) / every;
  const Bytes widths = Bytes(sizes.hidden) + Bytes(sizes.q) * 2 + Bytes(sizes.kv) + Bytes(sizes.mlp);
  const Bytes per_token = widths * sizes.compute_bytes + Bytes(sizes.heads) * 4;
  return std::min(bytes.input + per_token * sizes.tokens, bytes.layer);
}

}  // namespace

ActivationBytes activation_bytes(const Sizes& sizes, const Stack& stack) {
  if (stack.blocks == Blocks::megatron) return megatron_activations(sizes);
  if (stack.blocks != Blocks::transformers) return block_activations(sizes, stack);
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
  const Bytes in_mlp = plan.model.moe ? expert_activations(sizes, mlp) : product({tokens, sizes.mlp, mlp});
  bytes.layer = stream + product({tokens, recipe.tokens}) + attention.saved + in_mlp + adapter.per_layer;

  // Casts of trainable fp32 weights are cached until autocast ends; casts of frozen ones are made at each use
  // and saved. Both stay alive for backward unless the layer is recomputed.
  const bool casts = sizes.precision == Precision::mixed && !sizes.quantised();
  const Casts cast = casts ? cast_elements(sizes) : Casts{};
  const Bytes layer_casts = cast.all * 2;
  const bool reads_head = over_vocabulary(plan.task);
  const Bytes head_cast =
      sizes.precision == Precision::mixed && reads_head ? Bytes(sizes.vocabulary_elements()) * 2 : Bytes();
  bytes.layer += layer_casts;
  const Bytes norm = plan.model.norms_per_layer > 1 ? stream / 2 : Bytes();
  bytes.mlp = in_mlp + norm + adapter.mlp + cast.mlp * 2;

  const std::uint64_t saving_layers = sizes.layers - std::min(sizes.layers, sizes.lowest_trained);
  const std::uint64_t mask_head = reads_head ? recipe.mask_head[column] : 0;
  const std::uint64_t outside_h =
      adapters ? 0 : recipe.outside[column] + mask_head - (plan.model_dropout ? 0 : recipe.dropout / 2);
  const std::uint64_t rope_bytes =
      sizes.precision == Precision::half || sizes.precision == Precision::half_autocast ? 4 : 8;
  bytes.outside = product({tokens, adapters ? 8u : recipe.outside_tokens}) +
                  product({tokens, sizes.hidden, outside_h}) / split + head_cast;
  if (recipe.rotary_share > 0)
    bytes.outside += product({sizes.length, plan.model.head_dim, rope_bytes}) / recipe.rotary_share;

  const std::uint64_t kept = product({tokens, sizes.hidden}).count();
  bytes.input = Bytes(kept) * sizes.residual_bytes / split;
  switch (plan.checkpointing) {
    case Checkpointing::none:
      bytes.checkpoint = bytes.layer;
      break;
    case Checkpointing::full:
      bytes.checkpoint = bytes.input;
      break;
    case Checkpointing::selective:
      bytes.checkpoint = kept_selectively(sizes, bytes);
      break;
    case Checkpointing::offloaded:
      break;
  }
  if (plan.checkpointing == Checkpointing::none) {
    bytes.saved = bytes.layer * saving_layers * sizes.in_flight + bytes.outside;
    if (adapters && saving_layers > 0) {
      bytes.saved = bytes.saved - adapter.lowest_saving - attention.lowest_saving - cast.lowest * 2;
      if (recipe.parallel && !plan.adapter.gate && !plan.adapter.up && !plan.adapter.down)
        bytes.saved = bytes.saved - in_mlp;
      // Under autocast each norm of the lowest layer would have kept an fp32 copy of the embedding.
      if (recipe.parallel && sizes.precision == Precision::half_autocast && plan.model.norms_per_layer > 1)
        bytes.saved = bytes.saved - product({tokens, sizes.hidden, recipe.norm_input[column]});
    }
    bytes.weight_copies = layer_casts * saving_layers;
    if (adapters && saving_layers > 0) bytes.weight_copies = bytes.weight_copies - cast.lowest * 2;
  } else {
    bytes.outside += attention.mask;
    if (adapters) {
      // The final norm's input; and the embedding itself, whose gradient starts the recomputed layers, where
      // positions and dropout stand between it and the first of them.
      std::uint64_t kept_h = recipe.norm_input[column];
      if (recipe.adds_positions) kept_h += sizes.residual_bytes;
      if (plan.model_dropout) kept_h += recipe.dropout / 2;
      bytes.outside += product({tokens, sizes.hidden, kept_h}) / split + product({tokens, 6});
    }
    bytes.saved = bytes.checkpoint * sizes.layers * sizes.in_flight + bytes.outside;
    if (plan.checkpointing == Checkpointing::offloaded) bytes.saved += Bytes(kept) * 2 * sizes.residual_bytes;
    if (!adapters) bytes.autocast_cache = layer_casts * saving_layers;
  }

  return bytes;
}

}  // namespace oomlint
