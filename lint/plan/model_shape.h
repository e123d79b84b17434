#pragma once

#include "lint/text/diagnostic.h"

#include <cstdint>
#include <optional>
#include <string>

namespace oomlint {

enum class NormKind : std::uint8_t { rms, layer };
enum class QkNorm : std::uint8_t { none, head, full, layer_head, layer_head2 };

struct ModelBias {
  bool q = false, k = false, v = false, o = false, mlp = false, head = false;
};

/// Mixture of experts. Sizes in features, counts per layer.
struct ModelExperts {
  std::uint32_t experts = 0;
  std::uint32_t per_token = 0;
  std::uint32_t intermediate_size = 0;
  std::uint32_t shared_intermediate_size = 0;
  std::uint32_t dense_layers = 0;  ///< leading layers with the dense MLP
  bool router_bias = false, expert_bias = false, shared_gate = false;
};

/// Multi-head latent attention (DeepSeek): ranks and head sizes in features; q_lora 0 means a plain query
/// projection.
struct ModelLatentAttention {
  std::uint32_t q_lora = 0, kv_lora = 0, nope = 0, rope = 0, v = 0;
};

/// The dimensions of a decoder-like transformer, from which parameter counts and activation bytes follow.
/// Names are those of Hugging Face's config.json without the `num_` decorations. A model known only by its
/// total has `complete == false` and `total_parameters` set.
struct ModelShape {
  std::string model_type;  ///< "llama", "qwen2", "gpt2", "gpt_neox", …
  bool complete = false;
  std::uint32_t layers = 0;
  std::uint32_t hidden_size = 0;
  std::uint32_t intermediate_size = 0;
  std::uint32_t heads = 0;
  std::uint32_t kv_heads = 0;
  std::uint32_t head_dim = 0;
  std::uint32_t vocabulary = 0;
  std::uint32_t learned_positions = 0;  ///< rows of learned tables of positions and of token types
  std::uint32_t embedding_size = 0;     ///< width of the embedding where it differs from hidden_size, else 0
  std::uint32_t max_positions = 0;      ///< longest sequence the model was made for, 0 unknown
  bool tied_embeddings = false;
  bool gated_mlp = true;
  bool attention_sinks = false;
  bool extra_attention_scalars = false;  ///< apertus: two learned scalars a layer
  NormKind norm = NormKind::rms;
  bool norm_has_bias = false;
  bool norm_after_embedding = false;
  std::uint8_t norms_per_layer = 2;
  std::uint8_t final_norms = 1;
  QkNorm qk_norm = QkNorm::none;
  ModelBias bias;
  std::uint32_t sliding_window = 0;
  double attention_softcap = 0;
  double final_softcap = 0;
  std::optional<ModelExperts> moe;
  std::optional<ModelLatentAttention> mla;
  std::uint64_t tower_parameters =
      0;  ///< beside the decoder: vision and audio towers, projector, text encoders, VAE
  std::uint64_t total_parameters = 0;  ///< stated by the catalogue, towers included; 0 for inline shapes
};

/// Parameter counts computed from the dimensions (source: each family's model definition in transformers;
/// equal to the stated totals of every catalogued architecture with complete dimensions). `norms`, `linear`,
/// `experts` and `biases` do not overlap; they cut across `embedding`, `head`, `layers` and `final_norm`,
/// which with `towers` add up to `total`.
struct ParameterCounts {
  std::uint64_t embedding = 0;  ///< token (and position) embeddings with their norm and projections
  std::uint64_t head = 0;       ///< output projection and its bias; 0 when tied and without bias
  std::uint64_t per_layer = 0;  ///< of a typical (the last) layer
  std::uint64_t layers = 0;     ///< of all layers
  std::uint64_t final_norm = 0;
  std::uint64_t norms = 0;   ///< all norm weights and norm biases together
  std::uint64_t linear = 0;  ///< weights of linear layers inside the decoder layers: what bitsandbytes packs
  std::uint64_t experts =
      0;  ///< weights of routed experts and routers: bare parameters in transformers 5, so not
          ///< packed there; linear layers in most families of 4.x, so packed with `linear`
  std::uint64_t biases = 0;  ///< of linear layers, experts, routers and the head
  std::uint64_t towers = 0;  ///< vision and audio towers with their projector
  std::uint64_t active = 0;  ///< used for one token (differs from total for mixtures of experts)
  std::uint64_t total = 0;
};
[[nodiscard]] ParameterCounts count_parameters(const ModelShape& shape);

/// The model behind a plan: dimensions and how sure the look-up is.
struct ResolvedModel {
  ModelShape shape;
  Certainty certainty = Certainty::low;
  std::string how;               ///< "catalogue", "config.json", "name: 7B", "inline"; empty when unresolved
  std::string checkpoint_dtype;  ///< a plan word: what the published weights are stored in; empty unknown
  [[nodiscard]] bool known() const { return shape.complete || shape.total_parameters > 0; }
};

}  // namespace oomlint
