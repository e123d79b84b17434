#pragma once

#include "lint/dialect/dialect.h"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace oomlint {

// Megatron's arguments as one table for all who spell them: the command line (`--num-layers`), ms-swift
// (`--num_layers`) and the YAML of its own tests (`MODEL_ARGS: {--num-layers: …}`). Names are those of the
// command line with `_`. Source: Megatron-LM d98e8a64dd, megatron/training/arguments.py.

/// Rows of one name; `path` of each is filled in by `spelled`.
struct MegatronRow {
  std::string_view name;
  KeySpec row;
};

[[nodiscard]] std::optional<Scalar> read_megatron_dense_layers(const ReadContext& context, NodeId node);

namespace megatron {

inline constexpr std::array<WordPair, 2> loss_fusion{{{"", "kernel"}, {"", "plain"}}};
inline constexpr std::array<WordPair, 2> optimizer_sharding{{{"", "megatron"}, {"", "ddp"}}};
inline constexpr std::array<DefaultValue, 1> one{{{"1"}}};
inline constexpr std::array<DefaultValue, 1> no{{{"false"}}};
inline constexpr std::array<DefaultValue, 1> plain{{{"plain"}}};
inline constexpr std::array<DefaultValue, 1> ddp{{{"ddp"}}};
inline constexpr std::array<DefaultValue, 1> adam{{{"adam"}}};
inline constexpr std::array<DefaultValue, 1> none{{{"none"}}};

inline constexpr std::array<MegatronRow, 31> rows{{
    {"num_layers", {.field = Field::layers}},
    {"hidden_size", {.field = Field::hidden_size}},
    {"ffn_hidden_size", {.field = Field::intermediate_size}},
    {"num_attention_heads", {.field = Field::heads}},
    {"kv_channels", {.field = Field::head_dim}},
    {"vocab_size", {.field = Field::vocabulary}},
    {"max_position_embeddings", {.field = Field::max_positions}},
    {"num_experts", {.field = Field::experts}},
    {"moe_router_topk", {.field = Field::experts_per_token}},
    {"moe_ffn_hidden_size", {.field = Field::expert_intermediate_size}},
    {"moe_shared_expert_intermediate_size", {.field = Field::shared_expert_intermediate_size}},
    {"moe_layer_freq",
     {.field = Field::dense_layers,
      .convert = Convert::custom,
      .read = read_megatron_dense_layers,
      .spell = false}},
    {"q_lora_rank", {.field = Field::q_lora_rank}},
    {"kv_lora_rank", {.field = Field::kv_lora_rank}},
    {"qk_head_dim", {.field = Field::qk_nope_head_dim}},
    {"qk_pos_emb_head_dim", {.field = Field::qk_rope_head_dim}},
    {"v_head_dim", {.field = Field::v_head_dim}},
    {"seq_length", {.field = Field::sequence_length}},
    {"micro_batch_size", {.field = Field::micro_batch}},
    {"global_batch_size", {.field = Field::effective_batch}},
    {"train_iters", {.field = Field::max_steps}},
    {"save_interval", {.field = Field::save_steps}},
    {"optimizer", {.field = Field::optimizer, .defaults = adam}},
    {"use_distributed_optimizer",
     {.field = Field::sharding,
      .convert = Convert::true_means,
      .words = optimizer_sharding,
      .defaults = ddp}},
    {"tensor_model_parallel_size", {.field = Field::tensor_parallel, .defaults = one}},
    {"pipeline_model_parallel_size", {.field = Field::pipeline_parallel, .defaults = one}},
    {"context_parallel_size", {.field = Field::context_parallel, .defaults = one}},
    {"expert_model_parallel_size", {.field = Field::expert_parallel, .defaults = one}},
    {"expert_tensor_parallel_size", {.field = Field::expert_tensor_parallel}},
    {"sequence_parallel", {.field = Field::sequence_parallel, .defaults = no}},
    {"cross_entropy_loss_fusion",
     {.field = Field::loss, .convert = Convert::true_means, .words = loss_fusion, .defaults = plain}},
}};

/// How a name is written where it stands.
struct Spelling {
  std::string_view prefix;
  char separator = '_';

  [[nodiscard]] constexpr char letter(char c) const { return c == '_' ? separator : c; }
  [[nodiscard]] std::string operator()(std::string_view name) const {
    std::string path(prefix);
    for (const char c : name) path += letter(c);
    return path;
  }
};

/// `--num-layers` on a command line, as the shell reader names it.
inline constexpr Spelling on_command_line{"", '_'};
/// `MODEL_ARGS: {--num-layers: …}`
inline constexpr Spelling in_model_args{"MODEL_ARGS.--", '-'};

/// The rows with the paths that one spelling gives them, as constants.
template <const Spelling& spelling>
struct Paths {
  static constexpr std::size_t longest = 64;
  using Text = std::array<char, longest>;
  static constexpr std::array<Text, rows.size()> texts = [] {
    std::array<Text, rows.size()> all{};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::size_t end = 0;
      for (const char c : spelling.prefix) all[i][end++] = c;
      for (const char c : rows[i].name) all[i][end++] = spelling.letter(c);
    }
    return all;
  }();
  static constexpr std::array<KeySpec, rows.size()> keys = [] {
    std::array<KeySpec, rows.size()> all{};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      all[i] = rows[i].row;
      all[i].path = std::string_view(texts[i].data(), spelling.prefix.size() + rows[i].name.size());
    }
    return all;
  }();
};

/// What follows from several arguments, and Megatron's defaults that depend on others.
void finish(const ReadContext& context, Layer& layer, const Spelling& spelling);

}  // namespace megatron

}  // namespace oomlint
