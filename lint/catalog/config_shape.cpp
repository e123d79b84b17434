#include "lint/catalog/catalog.h"
#include "lint/catalog/tables.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>

namespace oomlint {

namespace {
using catalog::ModelRow;

/// The scalars of a config.json. Families spell the same dimension in different ways; the first key present
/// counts.
class Config {
 public:
  explicit Config(const std::function<std::optional<std::string>(std::string_view)>& get) : get_(get) {}

  [[nodiscard]] std::optional<std::string> text(std::string_view key) const {
    auto value = get_(key);
    if (value && (*value == "null" || *value == "None" || value->empty())) return std::nullopt;
    return value;
  }
  [[nodiscard]] std::optional<std::uint32_t> count(std::initializer_list<std::string_view> keys) const {
    for (const std::string_view key : keys) {
      const auto value = text(key);
      if (!value) continue;
      std::uint32_t number = 0;
      const auto [rest, error] = std::from_chars(value->data(), value->data() + value->size(), number);
      if (error == std::errc() && rest == value->data() + value->size()) return number;
    }
    return std::nullopt;
  }
  [[nodiscard]] std::optional<bool> flag(std::string_view key) const {
    const auto value = text(key);
    if (value == "true" || value == "True") return true;
    if (value == "false" || value == "False") return false;
    return std::nullopt;
  }
  [[nodiscard]] double number(std::string_view key) const {
    const auto value = text(key);
    double result = 0;
    if (value) std::from_chars(value->data(), value->data() + value->size(), result);
    return result;
  }

 private:
  const std::function<std::optional<std::string>(std::string_view)>& get_;
};

template <std::size_t size>
bool one_of(std::string_view word, const std::array<std::string_view, size>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// What the families' configuration classes take when the file does not say.
constexpr std::array<std::string_view, 3> wide_heads{"gemma", "gemma2", "gemma3_text"};
constexpr std::array<std::string_view, 9> four_times_wide{
    "gpt2", "gpt_neo", "gptj", "codegen", "bloom", "falcon", "mpt", "gpt_bigcode", "llm_foundry_mpt"};
constexpr std::array<std::string_view, 4> learned_positions{"gpt2", "gpt_neo", "gpt_bigcode",
                                                            "llm_foundry_mpt"};
/// Encoders with a table of 512 positions and one of two token types.
constexpr std::array<std::string_view, 5> with_token_types{"bert", "roberta", "xlm-roberta", "electra",
                                                           "camembert"};

std::uint32_t kv_heads(const Config& config, const ModelShape& shape) {
  if (shape.model_type == "falcon") {
    if (config.flag("new_decoder_architecture").value_or(false)) {
      return config.count({"num_kv_heads"}).value_or(shape.heads);
    }
    return config.flag("multi_query").value_or(true) ? 1 : shape.heads;
  }
  if (shape.model_type == "gpt_bigcode") return config.flag("multi_query").value_or(true) ? 1 : shape.heads;
  return config.count({"num_key_value_heads", "multi_query_group_num", "num_kv_heads"}).value_or(shape.heads);
}

void read_sizes(const Config& config, ModelShape& shape) {
  shape.layers = config.count({"num_hidden_layers", "n_layer", "num_layers", "n_layers"}).value_or(0);
  shape.hidden_size = config.count({"hidden_size", "n_embd", "d_model"}).value_or(0);
  shape.heads = config.count({"num_attention_heads", "n_head", "num_heads", "n_heads"}).value_or(0);
  shape.vocabulary = config.count({"padded_vocab_size", "vocab_size"}).value_or(0);
  shape.max_positions =
      config.count({"max_position_embeddings", "n_positions", "max_seq_len", "seq_length"}).value_or(0);
  const bool four_times = one_of(shape.model_type, four_times_wide);
  shape.intermediate_size = config.count({"intermediate_size", "ffn_dim", "ffn_hidden_size", "n_inner"})
                                .value_or(four_times ? 4 * shape.hidden_size : 0);
  shape.kv_heads = kv_heads(config, shape);
  const std::uint32_t even = shape.heads > 0 ? shape.hidden_size / shape.heads : 0;
  shape.head_dim =
      config.count({"head_dim", "kv_channels"}).value_or(one_of(shape.model_type, wide_heads) ? 256 : even);
  if (one_of(shape.model_type, learned_positions)) shape.learned_positions = shape.max_positions;
  if (one_of(shape.model_type, with_token_types) || shape.model_type == "distilbert") {
    if (shape.max_positions == 0) shape.max_positions = 512;
    const bool types = shape.model_type != "distilbert";
    shape.learned_positions =
        shape.max_positions + (types ? config.count({"type_vocab_size"}).value_or(2) : 0);
  }
  if (config.flag("use_sliding_window").value_or(true)) {
    shape.sliding_window = config.count({"sliding_window"}).value_or(0);
  }
  shape.attention_softcap = config.number("attn_logit_softcapping");
  shape.final_softcap = config.number("final_logit_softcapping");
}

void set_attention_bias(ModelBias& bias, bool set, bool with_output) {
  bias.q = bias.k = bias.v = set;
  bias.o = set && with_output;
}

void read_biases(const Config& config, ModelShape& shape) {
  constexpr std::array<std::string_view, 4> without_output{"glm", "glm4", "glm4_moe", "seed_oss"};
  if (const auto bias = config.flag("attention_bias")) {
    set_attention_bias(shape.bias, *bias, !one_of(shape.model_type, without_output));
  }
  if (const auto bias = config.flag("use_qkv_bias")) set_attention_bias(shape.bias, *bias, false);
  if (const auto bias = config.flag("mlp_bias")) shape.bias.mlp = *bias;
  if (const auto bias = config.flag("lm_head_bias")) shape.bias.head = *bias;
  if (const auto bias = config.flag("attention_out_bias")) shape.bias.o = *bias;
  if (const auto bias = config.flag("use_bias"); bias && shape.model_type == "starcoder2") {
    set_attention_bias(shape.bias, *bias, true);
    shape.bias.mlp = *bias;
  }
  if (const auto bias = config.flag("bias");
      bias && (shape.model_type == "falcon" || shape.model_type == "internlm")) {
    set_attention_bias(shape.bias, *bias, true);
    if (shape.model_type == "falcon") shape.bias.mlp = *bias;
  }
}

void read_norms(const Config& config, ModelShape& shape) {
  const std::string& family = shape.model_type;
  if (const auto norm = config.flag("use_qk_norm")) {
    shape.qk_norm = !*norm ? QkNorm::none : family == "cohere" ? QkNorm::layer_head : QkNorm::head;
  }
  if (family == "stablelm") {
    if (config.flag("qk_layernorm").value_or(false)) shape.qk_norm = QkNorm::layer_head2;
    shape.norms_per_layer = config.flag("use_parallel_residual").value_or(false) ? 1 : 2;
  }
  if (family == "falcon") {
    const bool two = config.flag("new_decoder_architecture").value_or(false) ||
                     !config.flag("parallel_attn").value_or(true);
    shape.norms_per_layer = config.count({"num_ln_in_parallel_attn"}).value_or(two ? 2U : 1U) == 2 ? 2 : 1;
  }
  if (family == "opt") {
    shape.learned_positions = shape.max_positions + 2;
    const std::uint32_t width = config.count({"word_embed_proj_dim"}).value_or(shape.hidden_size);
    if (width != shape.hidden_size) shape.embedding_size = width;
    const bool final_norm = config.flag("do_layer_norm_before").value_or(true) &&
                            !config.flag("_remove_final_layer_norm").value_or(false);
    shape.final_norms = final_norm ? 1 : 0;
  }
}

void read_experts(const Config& config, ModelShape& shape) {
  const std::uint32_t experts =
      config.count({"num_local_experts", "num_experts", "n_routed_experts"}).value_or(0);
  if (experts == 0) return;
  ModelExperts moe;
  moe.experts = experts;
  moe.per_token = config.count({"num_experts_per_tok", "moe_topk"}).value_or(1);
  moe.intermediate_size = config.count({"moe_intermediate_size"}).value_or(shape.intermediate_size);
  const std::uint32_t shared = config.count({"n_shared_experts"}).value_or(0);
  moe.shared_intermediate_size =
      config.count({"shared_expert_intermediate_size"}).value_or(shared * moe.intermediate_size);
  moe.dense_layers = config.count({"first_k_dense_replace"}).value_or(0);
  moe.shared_gate = shape.model_type == "qwen2_moe";
  moe.router_bias = moe.expert_bias = shape.model_type == "gpt_oss";
  shape.moe = moe;
}

void read_latent_attention(const Config& config, ModelShape& shape) {
  const std::uint32_t rank = config.count({"kv_lora_rank"}).value_or(0);
  if (rank == 0) return;
  ModelLatentAttention mla;
  mla.kv_lora = rank;
  mla.q_lora = config.count({"q_lora_rank"}).value_or(0);
  mla.nope = config.count({"qk_nope_head_dim"}).value_or(0);
  mla.rope = config.count({"qk_rope_head_dim"}).value_or(0);
  mla.v = config.count({"v_head_dim"}).value_or(0);
  shape.mla = mla;
  shape.head_dim = mla.nope + mla.rope;
}

/// Towers, and layers that are not all alike, are more than the keys of the decoder tell.
bool says_too_little(const Config& config) {
  for (const std::string_view tower : {"vision_config", "audio_config"}) {
    for (const std::string_view key : {".model_type", ".hidden_size", ".embed_dim", ".depth"}) {
      if (config.text(std::string(tower) + std::string(key))) return true;
    }
  }
  return config.count({"decoder_sparse_step"}).value_or(1) != 1;
}
}  // namespace

std::optional<ModelShape> shape_from_config(
    const std::function<std::optional<std::string>(std::string_view key)>& get) {
  const Config config(get);
  const catalog::Tables& t = catalog::tables();
  const std::string type = config.text("model_type").value_or("");
  const auto family =
      std::lower_bound(t.families.begin(), t.families.end(), type,
                       [&](const ModelRow& row, std::string_view n) { return t.text(row.family) < n; });
  if (family == t.families.end() || t.text(family->family) != type || says_too_little(config))
    return std::nullopt;
  ModelShape shape = to_shape(*family, type);
  read_sizes(config, shape);
  read_biases(config, shape);
  read_norms(config, shape);
  read_experts(config, shape);
  read_latent_attention(config, shape);
  if (const auto tied = config.flag("tie_word_embeddings")) shape.tied_embeddings = *tied;
  shape.complete = shape.layers > 0 && shape.hidden_size > 0 && shape.intermediate_size > 0 &&
                   shape.heads > 0 && shape.head_dim > 0 && shape.vocabulary > 0;
  if (!shape.complete) return std::nullopt;
  return shape;
}

}  // namespace oomlint
