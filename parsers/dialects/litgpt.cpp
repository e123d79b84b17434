#include "lint/dialect/dialect.h"
#include "lint/dialect/edit.h"

#include <algorithm>
#include <array>

// litgpt: jsonargparse YAML of `litgpt finetune` and `litgpt pretrain`. Sources: litgpt 0.5.13 (2685705),
// litgpt/finetune/{full,lora}.py, litgpt/pretrain.py, litgpt/args.py, litgpt/utils.py.
namespace oomlint {

namespace {

constexpr std::array<WordPair, 5> quantisations{{{"bnb.nf4", "nf4"},
                                                 {"bnb.nf4-dq", "nf4_double"},
                                                 {"bnb.fp4", "fp4"},
                                                 {"bnb.fp4-dq", "fp4_double"},
                                                 {"bnb.int8-training", "int8"}}};
constexpr std::array<WordPair, 5> precisions{{{"bf16-true", "bf16"},
                                              {"bf16-mixed", "bf16"},
                                              {"16-true", "fp16"},
                                              {"16-mixed", "fp16"},
                                              {"32-true", "fp32"}}};

constexpr std::array<DefaultValue, 1> one{{{"1"}}};
constexpr std::array<DefaultValue, 1> no_quantisation{{{"none"}}};
constexpr std::array<DefaultValue, 1> adamw{{{"AdamW"}}};
constexpr std::array<DefaultValue, 1> bf16{{{"bf16"}}};
constexpr std::array<DefaultValue, 1> sdpa{{{"sdpa"}}};
constexpr std::array<DefaultValue, 1> save_interval{{{"1000"}}};

/// `optimizer` is a class name or a mapping with a class path.
std::optional<Scalar> read_optimizer(const ReadContext& context, NodeId /*node*/) {
  std::string name = context.text("optimizer.class_path").value_or(context.text("optimizer").value_or(""));
  if (name.empty()) return std::nullopt;
  if (const std::size_t dot = name.rfind('.'); dot != std::string::npos && name.starts_with("torch.optim"))
    name.erase(0, dot + 1);
  return Scalar(std::move(name));
}

/// `devices: auto` takes what is there; a number counts the devices of one node.
std::optional<Scalar> read_world(const ReadContext& context, NodeId /*node*/) {
  const auto devices = context.count("devices");
  if (!devices || *devices < 1) return std::nullopt;
  return Scalar(*devices * std::max<std::int64_t>(1, context.count("num_nodes").value_or(1)));
}

constexpr std::array<KeySpec, 19> keys{{
    {.path = "checkpoint_dir", .field = Field::model},
    {.path = "model_name", .field = Field::model, .spell = false},
    {.path = "initial_checkpoint_dir", .field = Field::model, .spell = false},
    {.path = "precision",
     .field = Field::compute_dtype,
     .convert = Convert::words,
     .words = precisions,
     .defaults = bf16,
     .spell = false},
    {.path = "quantize",
     .field = Field::quantisation,
     .convert = Convert::words,
     .words = quantisations,
     .defaults = no_quantisation},
    {.path = "devices",
     .field = Field::world,
     .convert = Convert::custom,
     .read = read_world,
     .spell = false},
    {.path = "num_nodes", .field = Field::nodes, .defaults = one, .spell = false},
    {.path = "lora_r", .field = Field::lora_rank},
    {.path = "lora_alpha", .field = Field::lora_alpha},
    {.path = "lora_dropout", .field = Field::lora_dropout},
    {.path = "train.micro_batch_size", .field = Field::micro_batch, .defaults = one},
    {.path = "train.global_batch_size", .field = Field::effective_batch},
    {.path = "train.max_seq_length", .field = Field::sequence_length},
    {.path = "train.epochs", .field = Field::epochs},
    {.path = "train.max_steps", .field = Field::max_steps},
    {.path = "train.max_tokens", .field = Field::tokens},
    {.path = "train.save_interval", .field = Field::save_steps, .defaults = save_interval},
    {.path = "optimizer",
     .field = Field::optimizer,
     .convert = Convert::custom,
     .defaults = adamw,
     .read = read_optimizer,
     .spell = false},
    {.path = "attn_implementation", .field = Field::attention, .defaults = sdpa, .spell = false},
}};

constexpr std::array<std::string_view, 1> all_of{"train"};
constexpr std::array<std::string_view, 8> any_of{
    "checkpoint_dir",          "model_name", "initial_checkpoint_dir", "train.micro_batch_size",
    "train.global_batch_size", "lora_query", "eval.max_new_tokens",    "train.save_interval"};
constexpr std::array<std::string_view, 5> none_of{"model", "tokenizer", "training", "checkpointer",
                                                  "trainer"};
constexpr std::array<std::string_view, 2> bytes{"global_batch_size", "micro_batch_size"};

bool pretrains(const ReadContext& context) {
  return context.has("model_name") && !context.has("checkpoint_dir");
}

void derive(const ReadContext& context, Layer& layer, Field field, Scalar value, std::string_view key,
            std::string note) {
  const NodeId node = context.find(key);
  Origin origin{OriginKind::derived, context.file, {}, std::string(key), note};
  if (node != no_node) origin = context.origin_of(node, OriginKind::derived, std::move(note));
  layer.assignments.push_back({field, std::move(value), std::move(origin)});
}

void adapter(const ReadContext& context, Layer& layer) {
  if (!context.has("lora_r")) return;
  const bool quantised = context.has("quantize");
  derive(context, layer, Field::method, std::string(quantised ? "qlora" : "lora"),
         quantised ? "quantize" : "lora_r", "litgpt finetune lora");
  struct Switch {
    std::string_view key;
    bool by_default;
    std::array<std::string_view, 3> modules;
  };
  constexpr std::array<Switch, 6> switches{{{"lora_query", true, {"q_proj"}},
                                            {"lora_key", false, {"k_proj"}},
                                            {"lora_value", true, {"v_proj"}},
                                            {"lora_projection", false, {"o_proj"}},
                                            {"lora_mlp", false, {"gate_proj", "up_proj", "down_proj"}},
                                            {"lora_head", false, {"lm_head"}}}};
  std::vector<std::string> targets;
  for (const Switch& each : switches) {
    if (!context.flag(each.key).value_or(each.by_default)) continue;
    for (const std::string_view module : each.modules) {
      if (!module.empty()) targets.emplace_back(module);
    }
  }
  derive(context, layer, Field::lora_targets, std::move(targets), "lora_query", "the lora_* switches");
}

/// `-true` holds everything in 16 bits, `-mixed` keeps fp32 weights under autocast; without a precision
/// bf16-mixed is taken on GPUs that have bf16 (litgpt/utils.py get_default_supported_precision).
void precision(const ReadContext& context, Layer& layer) {
  const std::string word = context.text("precision").value_or("bf16-mixed");
  const bool mixed = word.ends_with("-mixed");
  const bool fp32 = word.starts_with("32");
  const std::string half = word.starts_with("16") ? "fp16" : "bf16";
  derive(context, layer, Field::weight_dtype, mixed || fp32 ? std::string("fp32") : half, "precision",
         "precision " + word);
  derive(context, layer, Field::autocast, mixed, "precision", "precision " + word);
  derive(context, layer, Field::adapter_dtype, mixed || fp32 ? std::string("fp32") : half, "precision",
         "adapters in the default dtype");
}

/// (global batch ÷ devices) ÷ micro batch, each rounded down (litgpt/args.py). Without a number of devices
/// the launcher decides.
void accumulate(const ReadContext& context, Layer& layer, bool pretrain) {
  const auto world = read_world(context, no_node);
  const std::int64_t total = context.count("train.global_batch_size").value_or(pretrain ? 512 : 16);
  const std::int64_t micro = context.count("train.micro_batch_size").value_or(pretrain ? 4 : 1);
  if (!world || micro < 1) return;
  const std::int64_t steps = std::max<std::int64_t>(1, total / std::get<std::int64_t>(*world) / micro);
  derive(context, layer, Field::accumulation, steps, "train.global_batch_size",
         "global batch over devices and micro batch, rounded down");
}

/// The longest example of Alpaca with the tokenizer of Llama 2, as litgpt's tables print it; other tokenizers
/// make it shorter.
void longest_example(const ReadContext& context, Layer& layer) {
  const std::string data = context.text("data.class_path").value_or(context.text("data").value_or(""));
  if (data != "litgpt.data.Alpaca" && data != "Alpaca") return;
  derive(context, layer, Field::longest_example, std::int64_t{1304}, "data", "longest example of Alpaca");
}

void finish(const ReadContext& context, Layer& layer) {
  adapter(context, layer);
  precision(context, layer);
  const bool pretrain = pretrains(context);
  derive(context, layer, Field::task, std::string(pretrain ? "pretrain" : "sft"),
         pretrain ? "model_name" : "checkpoint_dir", pretrain ? "litgpt pretrain" : "litgpt finetune");
  if (!context.has("lora_r"))
    derive(context, layer, Field::method, std::string("full"), "train", "no LoRA keys");
  const auto world = read_world(context, no_node);
  const bool several = world && std::get<std::int64_t>(*world) > 1;
  if (several)
    derive(context, layer, Field::sharding, std::string("fsdp"), "devices", "several devices run under FSDP");
  derive(context, layer, Field::checkpointing, std::string(several && !pretrain ? "full" : "none"), "devices",
         "litgpt checkpoints activations only on several devices");
  if (!pretrain) longest_example(context, layer);
  if (!pretrain)
    derive(context, layer, Field::loss, std::string("chunked"), "train", "chunked cross entropy");
  if (pretrain) derive(context, layer, Field::packing, true, "data", "blocks of fixed length");
  accumulate(context, layer, pretrain);
  if (!context.has("train.global_batch_size")) {
    derive(context, layer, Field::effective_batch, std::int64_t{pretrain ? 512 : 16}, "train",
           "default of litgpt");
  }
}

/// A quantised base goes with `-true` precisions only, and only under LoRA.
bool spell_together(const ReadContext& context, const PlanEdit& edit, std::vector<TextEdit>& edits) {
  if (!context.has("lora_r") || (edit.field != Field::method && edit.field != Field::quantisation))
    return false;
  std::string word = to_string(edit.value);
  if (edit.field == Field::method) {
    if (word != "qlora") return false;
    if (context.has("quantize")) return true;
    word = "nf4";
  }
  const auto row = std::find_if(quantisations.begin(), quantisations.end(),
                                [&](const WordPair& pair) { return pair.ours == word; });
  if (row == quantisations.end()) return false;
  if (!set_key(context, "quantize", std::string(row->theirs), edits)) return false;
  const std::string precision = context.text("precision").value_or("mixed");
  return precision.find("mixed") == std::string::npos ||
         set_key(context, "precision", std::string("bf16-true"), edits);
}

bool is_fragment(const Document& document) {
  return document.find("checkpoint_dir") == no_node && document.find("model_name") == no_node &&
         document.find("train.micro_batch_size") == no_node;
}

std::optional<ConstraintHit> at(const ReadContext& context, std::string_view key,
                                std::string_view other = {}) {
  ConstraintHit hit;
  hit.at = context.find(key);
  if (const NodeId node = context.find(other); !other.empty() && node != no_node) hit.related.push_back(node);
  return hit;
}
/// Without a precision litgpt takes a mixed one on every GPU.
std::optional<ConstraintHit> quantised_mixed(const ReadContext& c) {
  const bool given = c.has("precision");
  const std::string word = c.text("precision").value_or("");
  if (!c.has("quantize") || c.document.partial()) return std::nullopt;
  if (given && word.find("mixed") == std::string::npos) return std::nullopt;
  return given ? at(c, "precision", "quantize") : at(c, "quantize");
}
/// A key that is there and null, where the script asks for a value; left out it has a default.
std::optional<ConstraintHit> emptied(const ReadContext& c, std::initializer_list<std::string_view> asked) {
  for (const std::string_view key : asked) {
    if (c.find(key) != no_node && !c.has(key)) return at(c, key);
  }
  return std::nullopt;
}
std::optional<ConstraintHit> finetune_required(const ReadContext& c) {
  if (pretrains(c) || !c.has("checkpoint_dir")) return std::nullopt;
  return emptied(c, {"train.epochs", "eval.max_new_tokens"});
}
std::optional<ConstraintHit> pretrain_required(const ReadContext& c) {
  return pretrains(c) ? emptied(c, {"train.max_tokens", "train.max_norm"}) : std::nullopt;
}
std::optional<ConstraintHit> two_warmups(const ReadContext& c) {
  if (c.number("train.lr_warmup_fraction").value_or(0) <= 0) return std::nullopt;
  if (c.number("train.lr_warmup_steps").value_or(0) <= 0) return std::nullopt;
  return at(c, "train.lr_warmup_fraction", "train.lr_warmup_steps");
}
std::optional<ConstraintHit> resumed_and_initialised(const ReadContext& c) {
  if (!pretrains(c) || !c.has("initial_checkpoint_dir") || !c.has("resume") || c.flag("resume") == false)
    return std::nullopt;
  return at(c, "initial_checkpoint_dir", "resume");
}
std::optional<ConstraintHit> quantised_many(const ReadContext& c) {
  if (!c.has("quantize") || c.count("devices").value_or(1) * c.count("num_nodes").value_or(1) <= 1)
    return std::nullopt;
  return at(c, "quantize", "devices");
}
std::optional<ConstraintHit> pretrain_epochs(const ReadContext& c) {
  if (!pretrains(c)) return std::nullopt;
  if (c.has("train.epochs")) return at(c, "train.epochs");
  return c.has("eval.max_new_tokens") ? at(c, "eval.max_new_tokens") : std::nullopt;
}
std::optional<ConstraintHit> finetune_unsupported(const ReadContext& c) {
  if (pretrains(c) || !c.has("checkpoint_dir")) return std::nullopt;
  for (const std::string_view key :
       {"train.max_tokens", "train.max_norm", "train.tie_embeddings", "train.lr_warmup_fraction"}) {
    if (c.has(key)) return at(c, key);
  }
  return std::nullopt;
}
std::optional<ConstraintHit> batch_too_small(const ReadContext& c) {
  const auto total = c.count("train.global_batch_size");
  const auto devices = c.count("devices");
  if (!total || !devices || *devices < 1) return std::nullopt;
  const std::int64_t per_device =
      *total / (*devices * std::max<std::int64_t>(1, c.count("num_nodes").value_or(1)));
  if (per_device > 0 && per_device >= c.count("train.micro_batch_size").value_or(1)) return std::nullopt;
  return at(c, "train.global_batch_size", "train.micro_batch_size");
}
std::optional<ConstraintHit> quantised_by_default_mixed(const ReadContext& c) {
  if (!c.has("lora_r") || c.has("precision") || c.has("quantize")) return std::nullopt;
  return at(c, "lora_r");
}

constexpr std::array<Constraint, 10> constraints{{
    {.id = "litgpt/quantised-mixed",
     .effect = Effect::refused,
     .message = "quantisation does not go with mixed precision, which is the default",
     .remedy = "set precision: bf16-true",
     .source = "litgpt 0.5.13 finetune/lora.py",
     .when = quantised_mixed},
    {.id = "litgpt/quantised-on-several-devices",
     .effect = Effect::refused,
     .message = "quantisation works on one device only",
     .remedy = "set devices: 1 or drop quantize",
     .source = "litgpt 0.5.13 finetune/lora.py",
     .when = quantised_many},
    {.id = "litgpt/pretrain-with-epochs",
     .effect = Effect::refused,
     .message = "`litgpt pretrain` takes neither `train.epochs` nor `eval.max_new_tokens`",
     .remedy = "set train.max_tokens",
     .source = "litgpt 0.5.13 pretrain.py validate_args",
     .when = pretrain_epochs},
    {.id = "litgpt/finetune-unsupported",
     .effect = Effect::refused,
     .message = "`litgpt finetune` does not take this key",
     .remedy = "drop the key",
     .source = "litgpt 0.5.13 finetune/lora.py validate_args",
     .when = finetune_unsupported},
    {.id = "litgpt/global-batch-too-small",
     .effect = Effect::refused,
     .message = "the global batch leaves less than one micro batch for a device",
     .remedy = "raise train.global_batch_size",
     .source = "litgpt 0.5.13 args.py",
     .when = batch_too_small},
    {.id = "litgpt/finetune-required",
     .effect = Effect::refused,
     .message = "`litgpt finetune` needs a value here",
     .remedy = "give a number or drop the key",
     .source = "litgpt 0.5.13 finetune/lora.py validate_args",
     .when = finetune_required},
    {.id = "litgpt/pretrain-required",
     .effect = Effect::refused,
     .message = "`litgpt pretrain` needs a value here",
     .remedy = "give a number or drop the key",
     .source = "litgpt 0.5.13 pretrain.py validate_args",
     .when = pretrain_required},
    {.id = "litgpt/two-warmups",
     .effect = Effect::refused,
     .message = "`train.lr_warmup_fraction` and `train.lr_warmup_steps` exclude each other",
     .remedy = "set train.lr_warmup_steps: 0",
     .source = "litgpt 0.5.13 args.py",
     .when = two_warmups},
    {.id = "litgpt/resumed-and-initialised",
     .effect = Effect::refused,
     .message = "`initial_checkpoint_dir` and `resume` exclude each other",
     .remedy = "keep one of the two",
     .source = "litgpt 0.5.13 pretrain.py validate_args",
     .when = resumed_and_initialised},
    {.id = "litgpt/fp32-base",
     .effect = Effect::warned,
     .message = "without `precision` the frozen base is held in fp32",
     .remedy = "set precision: bf16-true",
     .source = "litgpt 0.5.13 utils.py get_default_supported_precision",
     .when = quantised_by_default_mixed},
}};

constexpr std::array<std::string_view, 10> programs{
    "litgpt finetune",           "litgpt finetune_full",       "litgpt finetune_lora",
    "litgpt finetune_adapter",   "litgpt finetune_adapter_v2", "litgpt pretrain",
    "litgpt finetune full",      "litgpt finetune lora",       "litgpt finetune adapter",
    "litgpt finetune adapter_v2"};

}  // namespace

extern constinit const Dialect litgpt{
    .name = "litgpt",
    .title = "LitGPT",
    .package = "litgpt",
    .stack = "litgpt",
    .recognise = {.all_of = all_of,
                  .any_of = any_of,
                  .any_count = 3,
                  .none_of = none_of,
                  .programs = programs,
                  .bytes = bytes},
    .scalars = ScalarSchema::yaml12_core,
    .keys = keys,
    .unknown_keys = UnknownKeys::refused,
    .constraints = constraints,
    .finish = finish,
    .spell = spell_together,
    .is_fragment = is_fragment,
};

}  // namespace oomlint
