#include "lint/catalog/tables.h"

namespace oomlint::catalog {

ModelShape to_shape(const ModelRow& row, std::string_view family) {
  ModelShape shape;
  shape.model_type = family;
  shape.complete = row.complete;
  shape.layers = row.layers;
  shape.hidden_size = row.hidden_size;
  shape.intermediate_size = row.intermediate_size;
  shape.heads = row.heads;
  shape.kv_heads = row.kv_heads;
  shape.head_dim = row.head_dim;
  shape.vocabulary = row.vocabulary;
  shape.learned_positions = row.learned_positions;
  shape.embedding_size = row.embedding_size;
  shape.tied_embeddings = row.tied_embeddings;
  shape.gated_mlp = row.gated_mlp;
  shape.attention_sinks = row.attention_sinks;
  shape.extra_attention_scalars = row.extra_attention_scalars;
  shape.norm = row.norm;
  shape.norm_has_bias = row.norm_has_bias;
  shape.norm_after_embedding = row.norm_after_embedding;
  shape.norms_per_layer = row.norms_per_layer;
  shape.final_norms = row.final_norms;
  shape.qk_norm = row.qk_norm;
  shape.bias = row.bias;
  shape.sliding_window = row.sliding_window;
  shape.attention_softcap = row.attention_softcap;
  shape.final_softcap = row.final_softcap;
  if (row.moe.experts > 0) shape.moe = row.moe;
  if (row.mla.kv_lora > 0) shape.mla = row.mla;
  shape.tower_parameters = row.tower_parameters;
  shape.total_parameters = row.total_parameters;
  return shape;
}

}  // namespace oomlint::catalog
