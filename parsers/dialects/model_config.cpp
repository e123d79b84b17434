#include "lint/dialect/dialect.h"

#include <array>

/// config.json of a model folder. The shape itself is taken from the file by the catalogue, which knows the
/// families; the rows here say which key a figure came from. The checkpoint's dtype is no setting of the run
/// and has no row.
namespace oomlint {

namespace {

constexpr std::array<WordPair, 6> methods{{{"gptq", "gptq"},
                                           {"awq", "awq"},
                                           {"fp8", "fp8"},
                                           {"mxfp4", "mxfp4"},
                                           {"hqq", "hqq"},
                                           {"compressed-tensors", "?"}}};

/// A checkpoint that is stored quantised stays so.
std::optional<Scalar> read_bitsandbytes(const ReadContext& context, NodeId) {
  if (context.text("quantization_config.quant_method").value_or("bitsandbytes") != "bitsandbytes")
    return std::nullopt;
  if (context.flag("quantization_config.load_in_8bit").value_or(false)) return Scalar(std::string("int8"));
  if (!context.flag("quantization_config.load_in_4bit").value_or(false)) return std::nullopt;
  const std::string kind = context.text("quantization_config.bnb_4bit_quant_type").value_or("fp4");
  if (kind != "nf4" && kind != "fp4") return Scalar();
  const bool nested = context.flag("quantization_config.bnb_4bit_use_double_quant").value_or(false);
  return Scalar(nested ? kind + "_double" : kind);
}

constexpr std::array<KeySpec, 31> keys{{
    {.path = "model_type", .field = Field::model_type},
    {.path = "num_hidden_layers", .field = Field::layers},
    {.path = "n_layer", .field = Field::layers},
    {.path = "num_layers", .field = Field::layers},
    {.path = "n_layers", .field = Field::layers},
    {.path = "hidden_size", .field = Field::hidden_size},
    {.path = "n_embd", .field = Field::hidden_size},
    {.path = "d_model", .field = Field::hidden_size},
    {.path = "intermediate_size", .field = Field::intermediate_size},
    {.path = "n_inner", .field = Field::intermediate_size},
    {.path = "d_ff", .field = Field::intermediate_size},
    {.path = "ffn_dim", .field = Field::intermediate_size},
    {.path = "num_attention_heads", .field = Field::heads},
    {.path = "n_head", .field = Field::heads},
    {.path = "num_heads", .field = Field::heads},
    {.path = "n_heads", .field = Field::heads},
    {.path = "num_key_value_heads", .field = Field::kv_heads},
    {.path = "head_dim", .field = Field::head_dim},
    {.path = "vocab_size", .field = Field::vocabulary},
    {.path = "tie_word_embeddings", .field = Field::tied_embeddings},
    {.path = "max_position_embeddings", .field = Field::max_positions},
    {.path = "n_positions", .field = Field::max_positions},
    {.path = "num_local_experts", .field = Field::experts},
    {.path = "num_experts", .field = Field::experts},
    {.path = "n_routed_experts", .field = Field::experts},
    {.path = "num_experts_per_tok", .field = Field::experts_per_token},
    {.path = "moe_intermediate_size", .field = Field::expert_intermediate_size},
    {.path = "shared_expert_intermediate_size", .field = Field::shared_expert_intermediate_size},
    {.path = "quantization_config.quant_method",
     .field = Field::quantisation,
     .convert = Convert::custom,
     .read = read_bitsandbytes,
     .spell = false},
    {.path = "quantization_config.load_in_4bit",
     .field = Field::quantisation,
     .convert = Convert::custom,
     .read = read_bitsandbytes,
     .spell = false},
    {.path = "quantization_config.quant_method",
     .field = Field::quantisation,
     .convert = Convert::words,
     .words = methods,
     .spell = false},
}};

constexpr std::array<std::string_view, 8> any_of{"hidden_size",       "n_embd",    "d_model",
                                                 "num_hidden_layers", "n_layer",   "n_layers",
                                                 "text_config",       "llm_config"};
/// Words of training configs that hold a model's dimensions too.
constexpr std::array<std::string_view, 9> none_of{"base_model",    "optimizer",        "optim",
                                                  "learning_rate", "train_batch_size", "output_dir",
                                                  "train_iters",   "trainer",          "model"};

/// transformers names the family, the class, or both.
bool names_a_family(const Document& document) {
  return document.find("model_type") != no_node || document.find("architectures") != no_node;
}

constexpr std::array<std::string_view, 2> bytes{"model_type", "architectures"};

}  // namespace

extern constinit const Dialect model_config{
    .name = "model_config",
    .title = "transformers model config",
    .package = "transformers",
    .stack = "hf_trainer",
    .recognise = {.any_of = any_of,
                  .any_count = 1,
                  .none_of = none_of,
                  .bytes = bytes,
                  .extra = names_a_family,
                  .extra_doc = "names neither a model type nor an architecture"},
    .scalars = ScalarSchema::python_json,
    .keys = keys,
    .unknown_keys = UnknownKeys::passed_on,
    .precedence = Precedence::model_config,
    .companion_only = true,
};

}  // namespace oomlint
