#include "lint/dialect/dialect.h"
#include "lint/dialect/edit.h"
#include "parsers/dialects/llama_factory_parts/checks.h"
#include "parsers/dialects/shared/table.h"
#include "parsers/dialects/shared/training_arguments.h"

#include "known_keys.h"
#include <algorithm>
#include <array>

// LLaMA-Factory: TrainingArguments plus its own model, data and fine-tuning arguments, flat in one file.
// Sources: LLaMA-Factory 0.9.6 (ff6d4d1), src/llamafactory/hparams/*.py, model/adapter.py,
// model/model_utils/*.py.
namespace oomlint {

namespace {

namespace ta = training_arguments;

constexpr std::array<WordPair, 4> methods{
    {{"lora", "lora"}, {"full", "full"}, {"freeze", "freeze"}, {"oft", "adapter"}}};
constexpr std::array<WordPair, 6> stages{
    {{"sft", "sft"}, {"pt", "pretrain"}, {"rm", "reward"}, {"ppo", "ppo"}, {"dpo", "dpo"}, {"kto", "kto"}}};
constexpr std::array<WordPair, 5> attentions{
    {{"sdpa", "sdpa"}, {"fa2", "flash"}, {"disabled", "eager"}, {"fa3", "flash"}, {"auto", "sdpa"}}};
constexpr std::array<WordPair, 2> no_checkpointing{{{"true", "none"}, {"false", "full"}}};
constexpr std::array<WordPair, 1> offloaded{{{"true", "offloaded"}}};

constexpr std::array<DefaultValue, 1> lora{{{"lora"}}};
constexpr std::array<DefaultValue, 1> sft{{{"sft"}}};
constexpr std::array<DefaultValue, 1> rank_8{{{"8"}}};
constexpr std::array<DefaultValue, 1> all_linear{{{"all-linear"}}};
constexpr std::array<DefaultValue, 2> cutoff{{{"1024"}, {"2048", "llamafactory", {0, 9, 1}}}};
constexpr std::array<DefaultValue, 1> checkpointing_on{{{"full"}}};
constexpr std::array<DefaultValue, 1> sdpa{{{"sdpa"}}};

bool on(const ReadContext& context, std::string_view key) {
  return context.flag(key).value_or(false);
}

std::optional<Scalar> read_targets(const ReadContext& context, NodeId /*node*/) {
  std::vector<std::string> targets;
  for (const std::string& item : context.list("lora_target")) {
    std::size_t begin = 0;
    while (begin < item.size()) {
      const std::size_t end = std::min(item.find(',', begin), item.size());
      std::size_t from = begin;
      while (from < end && item[from] == ' ') ++from;
      if (end > from) targets.push_back(item.substr(from, end - from));
      begin = end + 1;
    }
  }
  if (targets.empty()) return std::nullopt;
  if (targets == std::vector<std::string>{"all"}) targets = {"all-linear"};
  return Scalar(std::move(targets));
}

std::optional<std::string> write_targets(const Scalar& value) {
  const std::string text = to_string(value);
  return text == "all-linear" ? "all" : text;
}

/// On-the-fly quantisation: bits, method and, for bitsandbytes, the 4-bit type and double quantisation.
std::optional<Scalar> read_quantisation(const ReadContext& context, NodeId /*node*/) {
  const auto bits = context.count("quantization_bit");
  if (!bits) return std::nullopt;
  const std::string method = context.text("quantization_method").value_or("bnb");
  if (method == "hqq") return Scalar(std::string("hqq"));
  if (*bits == 8) return Scalar(std::string("int8"));
  if (*bits != 4) return Scalar();
  const std::string kind = context.text("quantization_type").value_or("nf4");
  return Scalar(kind + (context.flag("double_quantization").value_or(true) ? "_double" : ""));
}

std::optional<std::string> write_quantisation(const Scalar& value) {
  const std::string word = to_string(value);
  if (word == "nf4_double") return "4";
  if (word == "int8") return "8";
  return std::nullopt;
}

constexpr std::array<KeySpec, 17> own_keys{{
    {.path = "finetuning_type",
     .field = Field::method,
     .convert = Convert::words,
     .words = methods,
     .defaults = lora},
    {.path = "stage", .field = Field::task, .convert = Convert::words, .words = stages, .defaults = sft},
    {.path = "lora_rank", .field = Field::lora_rank, .defaults = rank_8},
    {.path = "lora_target",
     .field = Field::lora_targets,
     .convert = Convert::custom,
     .defaults = all_linear,
     .read = read_targets,
     .write = write_targets},
    {.path = "additional_target", .field = Field::modules_to_save},
    {.path = "quantization_bit",
     .field = Field::quantisation,
     .convert = Convert::custom,
     .read = read_quantisation,
     .write = write_quantisation},
    {.path = "cutoff_len", .field = Field::sequence_length, .defaults = cutoff},
    {.path = "packing", .field = Field::packing},
    {.path = "neat_packing", .field = Field::packing, .spell = false},
    {.path = "use_unsloth_gc",
     .field = Field::checkpointing,
     .convert = Convert::true_means,
     .words = offloaded,
     .spell = false},
    {.path = "disable_gradient_checkpointing",
     .field = Field::checkpointing,
     .convert = Convert::true_means,
     .words = no_checkpointing,
     .defaults = checkpointing_on},
    {.path = "use_reentrant_gc", .field = Field::checkpointing_reentrant},
    {.path = "flash_attn",
     .field = Field::attention,
     .convert = Convert::words,
     .words = attentions,
     .defaults = sdpa},
    {.path = "enable_liger_kernel",
     .field = Field::loss,
     .convert = Convert::true_means,
     .words = ta::words::is_fused,
     .defaults = ta::defaults::plain},
    {.path = "ref_model", .field = Field::reference_model},
    {.path = "reward_model", .field = Field::reward_model},
    {.path = "freeze_trainable_layers", .field = Field::trainable_layers, .spell = false},
}};

constexpr auto keys = specialised<own_keys, ta::keys>();

constexpr std::array<std::string_view, 1> all_of{"model_name_or_path"};
constexpr std::array<std::string_view, 9> any_of{
    "stage",       "finetuning_type",  "template",  "cutoff_len", "lora_target",
    "dataset_dir", "quantization_bit", "pref_loss", "lora_rank"};
constexpr std::array<std::string_view, 6> none_of{"base_model", "train_type", "tuner_type",
                                                  "sft_type",   "swift",      "dataset_name"};
constexpr std::array<std::string_view, 1> bytes{"model_name_or_path"};

constexpr std::array<Companion, 2> companions{{
    {.path = "deepspeed", .dialect = "deepspeed", .inline_allowed = true},
    {.path = "model_name_or_path", .dialect = "model_config", .directory_config = true},
}};

/// Under KTransformers the experts live and compute on the host: nothing here can say what stays on the GPU.
bool splits_experts(const Document& document) {
  const NodeId key = document.resolve(document.find("use_kt"));
  return key != no_node && document.at(key).text == "true";
}

/// Inference and export files name a model and a template and train nothing.
bool is_fragment(const Document& document) {
  if (splits_experts(document)) return true;
  return document.find("per_device_train_batch_size") == no_node && document.find("do_train") == no_node &&
         document.find("stage") == no_node;
}

void derive(Layer& layer, const ReadContext& context, Field field, Scalar value, std::string_view key,
            std::string note) {
  const NodeId node = context.find(key);
  layer.assignments.push_back(
      {field, std::move(value),
       node == no_node ? Origin{OriginKind::derived, no_file, {}, std::string(key), std::move(note)}
                       : context.origin_of(node, OriginKind::derived, std::move(note))});
}

/// Weights load in the compute dtype; then every trainable parameter becomes fp32, unless `pure_bf16` is on
/// (adapters of a frozen base are fp32 either way). model/adapter.py, _setup_full_tuning and
/// _setup_lora_tuning.
void finish(const ReadContext& context, Layer& layer) {
  const std::string method = context.text("finetuning_type").value_or("lora");
  const bool pure = on(context, "pure_bf16");
  const bool bf16 = on(context, "bf16") || pure;
  const bool fp16 = on(context, "fp16");
  const std::string compute = bf16 ? "bf16" : fp16 ? "fp16" : "fp32";
  const std::string_view why = pure ? "pure_bf16" : bf16 ? "bf16" : "fp16";
  if (bf16 || fp16) {
    const bool trainable_in_fp32 = (method == "full" || method == "freeze") && !pure;
    derive(layer, context, Field::weight_dtype, trainable_in_fp32 ? "fp32" : compute, why,
           trainable_in_fp32 ? "trainable parameters become fp32 unless pure_bf16 is on"
                             : "weights load in the compute dtype");
    if (pure) derive(layer, context, Field::compute_dtype, compute, why, "pure_bf16");
    derive(layer, context, Field::autocast, !pure, why, "autocast of the Trainer");
  }
  if (method == "lora" && context.count("quantization_bit")) {
    derive(layer, context, Field::method, std::string("qlora"), "quantization_bit",
           "LoRA over a quantised base");
  }
  if (on(context, "use_dora")) derive(layer, context, Field::method, std::string("dora"), "use_dora", "DoRA");
  const std::string loss = context.text("pref_loss").value_or("");
  if (context.text("stage") == "dpo" && (loss == "orpo" || loss == "simpo")) {
    derive(layer, context, Field::task, loss, "pref_loss", "preference loss without a reference model");
  }
  if (context.text("stage") == "pt" && !context.has("packing")) {
    derive(layer, context, Field::packing, true, "stage", "pre-training packs by default");
  }
}

std::optional<ConstraintHit> at(const ReadContext& context, std::string_view key,
                                std::string_view other = {}) {
  ConstraintHit hit;
  hit.at = context.find(key);
  if (!other.empty() && context.find(other) != no_node) hit.related.push_back(context.find(other));
  return hit;
}

std::optional<ConstraintHit> quantised_full(const ReadContext& c) {
  const std::string method = c.text("finetuning_type").value_or("lora");
  if (!c.has("quantization_bit") || method == "lora" || method == "oft") return std::nullopt;
  return at(c, "quantization_bit", "finetuning_type");
}
std::optional<ConstraintHit> adapter_without_lora(const ReadContext& c) {
  if (!c.has("adapter_name_or_path") || c.text("finetuning_type").value_or("lora") == "lora")
    return std::nullopt;
  return at(c, "adapter_name_or_path", "finetuning_type");
}
std::optional<ConstraintHit> low_rank_without_pure_bf16(const ReadContext& c) {
  if (on(c, "pure_bf16")) return std::nullopt;
  if (on(c, "use_galore")) return at(c, "use_galore");
  return on(c, "use_apollo") ? at(c, "use_apollo") : std::nullopt;
}
std::optional<ConstraintHit> low_rank_with_deepspeed(const ReadContext& c) {
  if (!c.has("deepspeed")) return std::nullopt;
  if (on(c, "use_galore")) return at(c, "use_galore", "deepspeed");
  return on(c, "use_apollo") ? at(c, "use_apollo", "deepspeed") : std::nullopt;
}
std::optional<ConstraintHit> lora_with_full_optimizer(const ReadContext& c) {
  if (c.text("finetuning_type").value_or("lora") != "lora") return std::nullopt;
  for (const std::string_view key : {"use_galore", "use_apollo", "use_badam"}) {
    if (on(c, key)) return at(c, key, "finetuning_type");
  }
  return std::nullopt;
}
std::optional<ConstraintHit> neat_packing_outside_sft(const ReadContext& c) {
  if (!on(c, "neat_packing") || c.text("stage").value_or("sft") == "sft") return std::nullopt;
  return at(c, "neat_packing", "stage");
}
std::optional<ConstraintHit> generation_outside_sft(const ReadContext& c) {
  if (!on(c, "predict_with_generate") || c.text("stage").value_or("sft") == "sft") return std::nullopt;
  return at(c, "predict_with_generate", "stage");
}
std::optional<ConstraintHit> streaming_without_steps(const ReadContext& c) {
  if (!on(c, "streaming") || c.count("max_steps").value_or(-1) > 0) return std::nullopt;
  return at(c, "streaming");
}
std::optional<ConstraintHit> two_evaluation_sets(const ReadContext& c) {
  if (!c.has("eval_dataset") || c.number("val_size").value_or(0) <= 1e-6) return std::nullopt;
  return at(c, "val_size", "eval_dataset");
}
std::optional<ConstraintHit> ppo_without_reward(const ReadContext& c) {
  if (c.text("stage") != "ppo" || c.has("reward_model")) return std::nullopt;
  return at(c, "stage");
}
std::optional<ConstraintHit> adapter_flags_without_lora(const ReadContext& c) {
  if (c.text("finetuning_type").value_or("lora") == "lora") return std::nullopt;
  for (const std::string_view key : {"use_dora", "use_rslora", "pissa_init"}) {
    if (on(c, key)) return at(c, key, "finetuning_type");
  }
  return c.has("loraplus_lr_ratio") ? at(c, "loraplus_lr_ratio", "finetuning_type") : std::nullopt;
}
std::optional<ConstraintHit> no_half_precision(const ReadContext& c) {
  if (!on(c, "do_train") || on(c, "bf16") || on(c, "fp16") || on(c, "pure_bf16")) return std::nullopt;
  return at(c, "do_train");
}

constexpr std::array<Constraint, 12> own_constraints{{
    {.id = "llama_factory/quantised-full",
     .effect = Effect::refused,
     .message = "`quantization_bit` works with LoRA or OFT only",
     .remedy = "set finetuning_type: lora",
     .source = "LLaMA-Factory 0.9 hparams/parser.py _verify_model_args",
     .when = quantised_full},
    {.id = "llama_factory/adapter-without-lora",
     .effect = Effect::refused,
     .message = "`adapter_name_or_path` is for finetuning_type lora only",
     .remedy = "drop it or set finetuning_type: lora",
     .source = "LLaMA-Factory 0.9 hparams/parser.py _verify_model_args",
     .when = adapter_without_lora},
    {.id = "llama_factory/low-rank-optimizer-in-fp32",
     .effect = Effect::warned,
     .message = "GaLore and APOLLO need much more memory without `pure_bf16`",
     .remedy = "set pure_bf16: true",
     .source = "LLaMA-Factory 0.9 hparams/parser.py",
     .when = low_rank_without_pure_bf16},
    {.id = "llama_factory/low-rank-optimizer-with-deepspeed",
     .effect = Effect::refused,
     .message = "GaLore and APOLLO do not run under DeepSpeed",
     .remedy = "drop deepspeed",
     .source = "LLaMA-Factory 0.9 hparams/parser.py",
     .when = low_rank_with_deepspeed},
    {.id = "llama_factory/lora-with-full-optimizer",
     .effect = Effect::refused,
     .message = "GaLore, APOLLO and BAdam do not go with LoRA",
     .remedy = "set finetuning_type: full",
     .source = "LLaMA-Factory 0.9 hparams/finetuning_args.py",
     .when = lora_with_full_optimizer},
    {.id = "llama_factory/neat-packing-outside-sft",
     .effect = Effect::refused,
     .message = "`neat_packing` is for stage sft only",
     .remedy = "drop neat_packing",
     .source = "LLaMA-Factory 0.9 hparams/parser.py",
     .when = neat_packing_outside_sft},
    {.id = "llama_factory/generation-outside-sft",
     .effect = Effect::refused,
     .message = "`predict_with_generate` is for stage sft only",
     .remedy = "drop predict_with_generate",
     .source = "LLaMA-Factory 0.9 hparams/parser.py",
     .when = generation_outside_sft},
    {.id = "llama_factory/streaming-without-steps",
     .effect = Effect::refused,
     .message = "`streaming` needs `max_steps`",
     .remedy = "set max_steps",
     .source = "LLaMA-Factory 0.9 hparams/parser.py",
     .when = streaming_without_steps},
    {.id = "llama_factory/two-evaluation-sets",
     .effect = Effect::refused,
     .message = "`val_size` and `eval_dataset` exclude each other",
     .remedy = "keep one of the two",
     .source = "LLaMA-Factory 0.9 hparams/data_args.py",
     .when = two_evaluation_sets},
    {.id = "llama_factory/ppo-without-reward",
     .effect = Effect::refused,
     .message = "stage ppo needs `reward_model`",
     .remedy = "name a reward model",
     .source = "LLaMA-Factory 0.9 hparams/finetuning_args.py",
     .when = ppo_without_reward},
    {.id = "llama_factory/adapter-flags-without-lora",
     .effect = Effect::refused,
     .message = "DoRA, rsLoRA, PiSSA and LoRA+ are for finetuning_type lora only",
     .remedy = "set finetuning_type: lora",
     .source = "LLaMA-Factory 0.9 hparams/finetuning_args.py",
     .when = adapter_flags_without_lora},
    {.id = "llama_factory/no-half-precision",
     .effect = Effect::warned,
     .message = "neither `bf16` nor `fp16` is on, so the run computes in fp32",
     .remedy = "set bf16: true",
     .source = "LLaMA-Factory 0.9 hparams/parser.py",
     .when = no_half_precision},
}};

constexpr auto constraints = joined(joined(own_constraints, llama_factory_parts::checks), ta::constraints);

/// LoRA over a quantised base is said by the bits, DoRA by a switch beside LoRA.
bool spell_method(const ReadContext& context, const std::string& value, std::vector<TextEdit>& edits) {
  const auto set = [&](std::string_view path, const Scalar& scalar) {
    return set_key(context, path, scalar, edits);
  };
  const bool low_rank = value == "lora" || value == "qlora" || value == "dora";
  const auto row = std::find_if(methods.begin(), methods.end(), [&](const WordPair& pair) {
    return pair.ours == (low_rank ? std::string_view("lora") : std::string_view(value));
  });
  if (row == methods.end() || !set("finetuning_type", std::string(row->theirs))) return false;
  if (value == "dora") return set("use_dora", true);
  if (on(context, "use_dora") && !set("use_dora", false)) return false;
  if (value == "qlora") return context.has("quantization_bit") || set("quantization_bit", std::int64_t{4});
  return value == "adapter" || set("quantization_bit", Scalar());  // bits would make it QLoRA, or be refused
}

/// What several keys say together: a quantised base with its format, 16-bit training by a switch of its own.
bool spell_together(const ReadContext& context, const PlanEdit& edit, std::vector<TextEdit>& edits) {
  const std::string value = to_string(edit.value);
  const auto set = [&](std::string_view path, const Scalar& scalar) {
    return set_key(context, path, scalar, edits);
  };
  const auto off = [&](std::string_view path) { return !on(context, path) || set(path, false); };
  if (edit.field == Field::method) return spell_method(context, value, edits);
  if (edit.field == Field::quantisation && (value == "nf4" || value == "nf4_double")) {
    const bool doubled = value == "nf4_double";
    if (context.has("quantization_method") && context.text("quantization_method") != "bnb") return false;
    if (context.has("quantization_type") && !set("quantization_type", std::string("nf4"))) return false;
    const bool kept = context.flag("double_quantization").value_or(true) == doubled;
    return set("quantization_bit", std::int64_t{4}) && (kept || set("double_quantization", doubled));
  }
  if (edit.field == Field::weight_dtype && value == "bf16") {
    const std::string method = context.text("finetuning_type").value_or("lora");
    if (method != "full" && method != "freeze") return false;
    return set("pure_bf16", true) && off("bf16") && off("fp16");
  }
  return false;
}

constexpr std::array<std::string_view, 6> programs{"llamafactory-cli train",
                                                   "lmf train",
                                                   "train_bash.py",
                                                   "llamafactory.launcher",
                                                   "llamafactory.train.tuner",
                                                   "llamafactory/launcher.py"};

}  // namespace

extern constinit const Dialect llama_factory{
    .name = "llama_factory",
    .title = "LLaMA-Factory",
    .package = "llamafactory",
    .stack = "llama_factory",
    .recognise = {.all_of = all_of,
                  .any_of = any_of,
                  .any_count = 2,
                  .none_of = none_of,
                  .programs = programs,
                  .bytes = bytes},
    .scalars = ScalarSchema::yaml12_core,
    .keys = keys,
    .known = llama_factory_known_keys,
    .unknown_keys = UnknownKeys::refused,
    .constraints = constraints,
    .companions = companions,
    .finish = finish,
    .spell = spell_together,
    .is_fragment = is_fragment,
    .divided_elsewhere = true,
};

}  // namespace oomlint
