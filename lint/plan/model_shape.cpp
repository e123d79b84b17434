#include "lint/plan/model_shape.h"

#include "lint/plan/bytes.h"

#include <algorithm>

namespace oomlint {

namespace {
// Dimensions may come from anyone's file: counts saturate like bytes instead of wrapping.
using Count = Bytes;

Count count(std::uint64_t number) {
  return Count(number);
}
Count if_set(bool set, std::uint64_t number) {
  return set ? Count(number) : Count();
}
Count product(std::uint64_t a, std::uint64_t b) {
  return Count(a) * b;
}

/// What one decoder layer holds, by kind; the kinds do not overlap.
struct LayerCounts {
  Count linear;   ///< weights of linear layers
  Count experts;  ///< weights of routed experts and of the router
  Count norms;
  Count biases;
  Count other;
  [[nodiscard]] Count total() const { return linear + experts + norms + biases + other; }
};

std::uint64_t norm_size(const ModelShape& shape) {
  return std::uint64_t{shape.hidden_size} * (shape.norm_has_bias ? 2 : 1);
}

void add_latent_attention(const ModelShape& shape, const ModelLatentAttention& mla, LayerCounts& layer) {
  const std::uint64_t hidden = shape.hidden_size;
  const std::uint64_t heads = shape.heads;
  const std::uint64_t query = heads * (std::uint64_t{mla.nope} + mla.rope);
  if (mla.q_lora > 0) {
    layer.linear += product(hidden, mla.q_lora) + product(mla.q_lora, query);
    layer.norms += count(mla.q_lora);
  } else {
    layer.linear += product(hidden, query);
  }
  layer.linear += product(hidden, std::uint64_t{mla.kv_lora} + mla.rope);
  layer.linear += product(mla.kv_lora, heads * (std::uint64_t{mla.nope} + mla.v));
  layer.linear += product(hidden, heads * mla.v);
  layer.norms += count(mla.kv_lora);
}

void add_attention(const ModelShape& shape, LayerCounts& layer) {
  const std::uint64_t hidden = shape.hidden_size;
  const std::uint64_t query = std::uint64_t{shape.heads} * shape.head_dim;
  const std::uint64_t key = std::uint64_t{shape.kv_heads} * shape.head_dim;
  if (shape.mla) {
    add_latent_attention(shape, *shape.mla, layer);
  } else {
    layer.linear += product(hidden, query) * 2 + product(hidden, key) * 2;
    layer.biases += if_set(shape.bias.q, query) + if_set(shape.bias.k, key) + if_set(shape.bias.v, key);
    layer.biases += if_set(shape.bias.o, hidden);
  }
  switch (shape.qk_norm) {
    case QkNorm::none:
      break;
    case QkNorm::head:
      layer.norms += count(2 * std::uint64_t{shape.head_dim});
      break;
    case QkNorm::full:
    case QkNorm::layer_head:
    case QkNorm::layer_head2:
      layer.norms += count(query + key);
      break;
  }
  layer.other += if_set(shape.attention_sinks, shape.heads) + if_set(shape.extra_attention_scalars, 2);
}

struct MlpCounts {
  Count weights;
  Count biases;
};
MlpCounts mlp(const ModelShape& shape, std::uint64_t width) {
  const std::uint64_t up = shape.gated_mlp ? 2 : 1;
  return {product(shape.hidden_size, width) * (up + 1), count(width) * up + count(shape.hidden_size)};
}

LayerCounts dense_layer(const ModelShape& shape) {
  LayerCounts layer;
  add_attention(shape, layer);
  layer.norms += count(norm_size(shape)) * shape.norms_per_layer;
  const MlpCounts block = mlp(shape, shape.intermediate_size);
  layer.linear += block.weights;
  if (shape.bias.mlp) layer.biases += block.biases;
  return layer;
}

LayerCounts expert_layer(const ModelShape& shape, const ModelExperts& moe, std::uint64_t experts) {
  LayerCounts layer;
  add_attention(shape, layer);
  layer.norms += count(norm_size(shape)) * shape.norms_per_layer;
  const MlpCounts expert = mlp(shape, moe.intermediate_size);
  layer.experts += expert.weights * experts + product(shape.hidden_size, moe.experts);
  if (moe.expert_bias) layer.biases += expert.biases * experts;
  if (moe.shared_intermediate_size > 0) layer.linear += mlp(shape, moe.shared_intermediate_size).weights;
  layer.linear += if_set(moe.shared_gate, shape.hidden_size);
  layer.biases += if_set(moe.router_bias, moe.experts);
  return layer;
}
}  // namespace

ParameterCounts count_parameters(const ModelShape& shape) {
  ParameterCounts counts;
  if (!shape.complete) {
    counts.towers = shape.tower_parameters;
    counts.total = counts.active = shape.total_parameters;
    return counts;
  }
  const std::uint64_t hidden = shape.hidden_size;
  const std::uint64_t width = shape.embedding_size > 0 ? shape.embedding_size : hidden;
  const Count embedding_norm = if_set(shape.norm_after_embedding, norm_size(shape));
  Count embedding =
      product(shape.vocabulary, width) + product(shape.learned_positions, hidden) + embedding_norm;
  if (width != hidden) embedding += product(width, hidden) * 2;
  const Count head_bias = if_set(shape.bias.head, shape.vocabulary);
  const Count head = (shape.tied_embeddings ? Count() : product(shape.vocabulary, width)) + head_bias;
  const Count final_norm = count(norm_size(shape)) * shape.final_norms;

  const std::uint64_t expert_layers =
      shape.moe ? shape.layers - std::min(shape.layers, shape.moe->dense_layers) : std::uint64_t{0};
  const std::uint64_t dense_layers = shape.layers - expert_layers;
  const LayerCounts dense = dense_layer(shape);
  const LayerCounts sparse = shape.moe ? expert_layer(shape, *shape.moe, shape.moe->experts) : LayerCounts{};
  const LayerCounts used = shape.moe ? expert_layer(shape, *shape.moe, shape.moe->per_token) : LayerCounts{};

  const auto over_layers = [&](Count LayerCounts::* kind) {
    return dense.*kind * dense_layers + sparse.*kind * expert_layers;
  };
  const Count layers = dense.total() * dense_layers + sparse.total() * expert_layers;
  const Count outside = embedding + head + final_norm + count(shape.tower_parameters);
  counts.embedding = embedding.count();
  counts.head = head.count();
  counts.per_layer = (expert_layers > 0 ? sparse : dense).total().count();
  counts.layers = layers.count();
  counts.final_norm = final_norm.count();
  counts.norms = (over_layers(&LayerCounts::norms) + final_norm + embedding_norm).count();
  counts.linear = over_layers(&LayerCounts::linear).count();
  counts.experts = over_layers(&LayerCounts::experts).count();
  counts.biases = (over_layers(&LayerCounts::biases) + head_bias).count();
  counts.towers = shape.tower_parameters;
  counts.active = (outside + dense.total() * dense_layers + used.total() * expert_layers).count();
  counts.total = (outside + layers).count();
  return counts;
}

}  // namespace oomlint
