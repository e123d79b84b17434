#include "lint/dialect/dialect.h"
#include "parsers/dialects/shared/conditions.h"
#include "parsers/dialects/shared/derive.h"

#include "known_keys.h"
#include <algorithm>
#include <array>

// llm-foundry: the OmegaConf YAML of scripts/train/train.py, run by Composer. Sources: llm-foundry 8c8dd48,
// llmfoundry/utils/config_utils.py, command_utils/train.py, models/mpt/configuration_mpt.py; Composer
// distributed/mosaic_parallelism.py.
namespace oomlint {

namespace {

constexpr std::array<WordPair, 5> precisions{{{"amp_bf16", "bf16"},
                                              {"amp_fp16", "fp16"},
                                              {"fp32", "fp32"},
                                              {"amp_fp8", "bf16"},  // fp8 matrices, the rest in bf16
                                              {"bf16", "bf16"}}};
constexpr std::array<WordPair, 4> strategies{{{"FULL_SHARD", "fsdp"},
                                              {"SHARD_GRAD_OP", "fsdp_grad_op"},
                                              {"HYBRID_SHARD", "hsdp"},
                                              {"NO_SHARD", "ddp"}}};
constexpr std::array<WordPair, 2> checkpointing{{{"", "full"}, {"", "none"}}};
constexpr std::array<WordPair, 3> attentions{{{"flash", "flash"}, {"triton", "flash"}, {"torch", "eager"}}};
constexpr std::array<WordPair, 2> losses{{{"fused_crossentropy", "kernel"}, {"torch_crossentropy", "plain"}}};

constexpr std::array<DefaultValue, 1> bf16{{{"bf16"}}};
constexpr std::array<DefaultValue, 1> none{{{"none"}}};
constexpr std::array<DefaultValue, 1> yes{{{"true"}}};
constexpr std::array<DefaultValue, 1> save_interval{{{"1000"}}};

/// `auto` starts with all of the device's share and halves while it does not fit: no number to hold against.
std::optional<Scalar> read_micro_batch(const ReadContext& context, NodeId node) {
  if (context.document.at(node).text == "auto") return std::nullopt;
  const auto count = context.count("device_train_microbatch_size");
  if (!count) return Scalar();
  return Scalar(*count);
}
std::optional<std::string> write_plain(const Scalar& value) {
  return to_string(value);
}

// Durations carry their unit: batches, epochs, tokens.
std::optional<Scalar> read_batches(const ReadContext& context, NodeId node) {
  const auto count = count_with_unit(context.document.at(node).text, "ba");
  if (!count) return std::nullopt;
  return Scalar(*count);
}
std::optional<Scalar> read_epochs(const ReadContext& context, NodeId node) {
  const std::string_view text = context.document.at(node).text;
  auto count = count_with_unit(text, "ep");
  if (!count) count = count_with_unit(text, "");
  if (!count) return std::nullopt;
  return Scalar(static_cast<double>(*count));
}
std::optional<Scalar> read_tokens(const ReadContext& context, NodeId node) {
  const auto count = count_with_unit(context.document.at(node).text, "tok");
  if (!count) return std::nullopt;
  return Scalar(*count);
}
std::optional<std::string> write_batches(const Scalar& value) {
  return to_string(value) + "ba";
}

constexpr std::array<KeySpec, 33> keys{{
    {.path = "model.pretrained_model_name_or_path", .field = Field::model},
    {.path = "model.n_layers", .field = Field::layers},
    {.path = "model.d_model", .field = Field::hidden_size},
    {.path = "model.n_heads", .field = Field::heads},
    {.path = "model.attn_config.kv_n_heads", .field = Field::kv_heads},
    {.path = "model.vocab_size", .field = Field::vocabulary},
    {.path = "model.tie_word_embeddings", .field = Field::tied_embeddings},
    {.path = "model.max_seq_len", .field = Field::max_positions},
    {.path = "model.ffn_config.moe_num_experts", .field = Field::experts},
    {.path = "model.ffn_config.moe_top_k", .field = Field::experts_per_token},
    {.path = "model.attn_config.attn_impl",
     .field = Field::attention,
     .convert = Convert::words,
     .words = attentions},
    {.path = "model.loss_fn", .field = Field::loss, .convert = Convert::words, .words = losses},
    {.path = "model.peft_config.r", .field = Field::lora_rank},
    {.path = "model.peft_config.lora_alpha", .field = Field::lora_alpha},
    {.path = "model.peft_config.lora_dropout", .field = Field::lora_dropout},
    {.path = "model.peft_config.target_modules", .field = Field::lora_targets},
    {.path = "max_seq_len", .field = Field::sequence_length},
    {.path = "global_train_batch_size", .field = Field::effective_batch},
    {.path = "device_train_microbatch_size",
     .field = Field::micro_batch,
     .convert = Convert::custom,
     .read = read_micro_batch,
     .write = write_plain},
    {.path = "device_train_grad_accum", .field = Field::accumulation, .spell = false},
    {.path = "device_eval_batch_size", .field = Field::evaluation_batch},
    {.path = "precision",
     .field = Field::compute_dtype,
     .convert = Convert::words,
     .words = precisions,
     .defaults = bf16},
    {.path = "optimizer.name", .field = Field::optimizer},
    {.path = "fsdp_config.sharding_strategy",
     .field = Field::sharding,
     .convert = Convert::words,
     .words = strategies},
    {.path = "fsdp_config.activation_checkpointing",
     .field = Field::checkpointing,
     .convert = Convert::true_means,
     .words = checkpointing,
     .defaults = none},
    {.path = "fsdp_config.activation_cpu_offload", .field = Field::activation_offload},
    {.path = "tp_config.tensor_parallel_degree", .field = Field::tensor_parallel},
    {.path = "expandable_segments", .field = Field::expandable_segments, .defaults = yes},
    {.path = "max_duration",
     .field = Field::max_steps,
     .convert = Convert::custom,
     .read = read_batches,
     .write = write_batches},
    {.path = "max_duration",
     .field = Field::epochs,
     .convert = Convert::custom,
     .read = read_epochs,
     .spell = false},
    {.path = "max_duration",
     .field = Field::tokens,
     .convert = Convert::custom,
     .read = read_tokens,
     .spell = false},
    {.path = "save_interval",
     .field = Field::save_steps,
     .convert = Convert::custom,
     .defaults = save_interval,
     .read = read_batches,
     .write = write_batches},
    {.path = "save_num_checkpoints_to_keep", .field = Field::save_limit, .spell = false},
}};

constexpr std::array<std::string_view, 1> all_of{"model.name"};
constexpr std::array<std::string_view, 8> any_of{"device_train_microbatch_size",
                                                 "device_train_grad_accum",
                                                 "global_train_batch_size",
                                                 "device_eval_batch_size",
                                                 "max_duration",
                                                 "fsdp_config",
                                                 "train_loader",
                                                 "scheduler.t_warmup"};
constexpr std::array<std::string_view, 2> none_of{"models", "training"};
constexpr std::array<std::string_view, 2> bytes{"global_train_batch_size", "device_train_microbatch_size"};

bool from_scratch(const ReadContext& context) {
  return context.text("model.name").value_or("") == "mpt_causal_lm";
}

/// What MPTConfig takes when the file does not say, and what its switches make of the layer.
void model_defaults(const ReadContext& context, Layer& layer) {
  struct Size {
    std::string_view key;
    Field field;
    std::int64_t value;
  };
  constexpr std::array<Size, 5> sizes{{{"model.n_layers", Field::layers, 24},
                                       {"model.d_model", Field::hidden_size, 2048},
                                       {"model.n_heads", Field::heads, 16},
                                       {"model.vocab_size", Field::vocabulary, 50368},
                                       {"model.max_seq_len", Field::max_positions, 2048}}};
  for (const Size& size : sizes) {
    if (!context.has(size.key))
      derive(context, layer, size.field, size.value, size.key, "default of MPTConfig");
  }
  const bool positions = !is_on(context, "model.attn_config.alibi") &&
                         !is_on(context, "model.attn_config.rope") && !is_on(context, "model.no_bias") &&
                         context.flag("model.learned_pos_emb").value_or(true);
  derive(context, layer, Field::model_type, std::string(positions ? "llm_foundry_mpt" : "mpt"), "model.name",
         "mpt_causal_lm");
  const std::int64_t width = context.count("model.d_model").value_or(2048);
  const std::string kind = context.text("model.ffn_config.ffn_type").value_or("mptmlp");
  const auto own_width = context.count("model.ffn_config.ffn_hidden_size");
  const auto ratio = context.number("model.expansion_ratio").value_or(4);
  const std::int64_t wide = own_width.value_or(static_cast<std::int64_t>(ratio * static_cast<double>(width)));
  const std::string_view key = own_width ? "model.ffn_config.ffn_hidden_size" : "model.expansion_ratio";
  derive(context, layer, Field::intermediate_size, wide, key, "width × expansion ratio");
  if (context.has("model.ffn_config.moe_num_experts"))
    derive(context, layer, Field::expert_intermediate_size, wide, key, kind);
  if (!context.has("model.attn_config.attn_impl"))
    derive(context, layer, Field::attention, std::string("flash"), "model.attn_config", "default of MPT");
  if (!context.has("model.loss_fn")) {
    derive(context, layer, Field::loss, std::string("kernel"), "model.loss_fn",
           "flash-attn's cross entropy, the default of MPT");
  }
}

/// Batches of the text loader are concatenated tokens; those of the finetuning loader are padded to the full
/// length unless they are packed or trimmed (llmfoundry/data/finetuning/dataloader.py).
void loader(const ReadContext& context, Layer& layer) {
  const std::string name = context.text("train_loader.name").value_or("");
  const bool tunes = name == "finetuning" || (name.empty() && !from_scratch(context));
  derive(context, layer, Field::task, std::string(tunes ? "sft" : "pretrain"), "train_loader.name",
         tunes ? "the finetuning loader" : "a loader of text");
  if (!tunes) {
    derive(context, layer, Field::packing, true, "train_loader.name", "blocks of the full length");
  } else if (context.has("train_loader.dataset.packing_ratio")) {
    derive(context, layer, Field::packing, true, "train_loader.dataset.packing_ratio", "packed");
  } else if (!is_on(context, "train_loader.dataset.allow_pad_trimming")) {
    derive(context, layer, Field::pad_to_length, true, "train_loader.dataset", "padded to max_seq_len");
  }
}

void finish(const ReadContext& context, Layer& layer) {
  if (from_scratch(context)) model_defaults(context, layer);
  loader(context, layer);
  const bool lora = context.has("model.peft_config");
  derive(context, layer, Field::method, std::string(lora ? "lora" : "full"),
         lora ? "model.peft_config" : "model", lora ? "peft_config" : "no peft_config");
  if (context.has("fsdp_config") && !context.has("fsdp_config.sharding_strategy"))
    derive(context, layer, Field::sharding, std::string("fsdp"), "fsdp_config", "FULL_SHARD by default");
  if (context.has("eval_loader") || context.has("eval_loaders"))
    derive(context, layer, Field::evaluation, true, "eval_loader", "an evaluation loader");
}

bool is_fragment(const Document& document) {
  return document.find("max_seq_len") == no_node && document.find("global_train_batch_size") == no_node;
}

std::optional<ConstraintHit> eight_bits(const ReadContext& c) {
  if (!is_on(c, "model.load_in_8bit")) return std::nullopt;
  return blame(c, "model.load_in_8bit");
}
std::optional<ConstraintHit> lengths_differ(const ReadContext& c) {
  const auto model = c.count("model.max_seq_len");
  const auto run = c.count("max_seq_len");
  if (!from_scratch(c) || !model || !run || *run <= *model || is_on(c, "model.attn_config.alibi") ||
      is_on(c, "model.attn_config.rope"))
    return std::nullopt;
  return blame(c, "max_seq_len", {"model.max_seq_len"});
}

constexpr std::array<Constraint, 2> constraints{{
    {.id = "llm_foundry/eight-bit-training",
     .effect = Effect::refused,
     .message = "`load_in_8bit` is for evaluation only",
     .remedy = "drop load_in_8bit",
     .source = "llm-foundry 8c8dd48 llmfoundry/command_utils/train.py",
     .when = eight_bits},
    {.id = "llm_foundry/length-beyond-positions",
     .effect = Effect::refused,
     .message = "the model has position embeddings for fewer tokens than `max_seq_len`",
     .remedy = "set model.max_seq_len: ${max_seq_len}",
     .source = "llm-foundry 8c8dd48 llmfoundry/models/mpt/modeling_mpt.py",
     .when = lengths_differ},
}};

}  // namespace

extern constinit const Dialect llm_foundry{
    .name = "llm_foundry",
    .title = "llm-foundry",
    .package = "llm-foundry",
    .stack = "llm_foundry",
    .recognise = {.all_of = all_of, .any_of = any_of, .any_count = 2, .none_of = none_of, .bytes = bytes},
    .scalars = ScalarSchema::yaml11_pyyaml,
    .interpolates = true,
    .keys = keys,
    .known = llm_foundry_known_keys,
    .unknown_keys = UnknownKeys::refused,
    .constraints = constraints,
    .finish = finish,
    .is_fragment = is_fragment,
};

}  // namespace oomlint
