#include "lint/dialect/dialect.h"
#include "parsers/dialects/shared/conditions.h"
#include "parsers/dialects/shared/table.h"
#include "parsers/dialects/shared/training_arguments.h"

#include "known_keys.h"
#include <array>

namespace oomlint {

namespace {

namespace ta = training_arguments;

constexpr std::array<std::string_view, 28> evidence{"per_device_train_batch_size",
                                                    "per_device_eval_batch_size",
                                                    "per_gpu_train_batch_size",
                                                    "num_train_epochs",
                                                    "gradient_accumulation_steps",
                                                    "model_name_or_path",
                                                    "output_dir",
                                                    "learning_rate",
                                                    "lr_scheduler_type",
                                                    "warmup_ratio",
                                                    "warmup_steps",
                                                    "logging_steps",
                                                    "save_steps",
                                                    "save_strategy",
                                                    "save_total_limit",
                                                    "eval_strategy",
                                                    "evaluation_strategy",
                                                    "eval_steps",
                                                    "gradient_checkpointing",
                                                    "bf16",
                                                    "fp16",
                                                    "optim",
                                                    "max_steps",
                                                    "weight_decay",
                                                    "report_to",
                                                    "max_grad_norm",
                                                    "deepspeed",
                                                    "fsdp"};

/// Switches of peft's example scripts (examples/sft/train.py).
std::optional<Scalar> read_script_quantisation(const ReadContext& context, NodeId) {
  if (is_on(context, "use_8bit_quantization")) return Scalar(std::string("int8"));
  if (!is_on(context, "use_4bit_quantization")) return std::nullopt;
  const std::string kind = context.text("bnb_4bit_quant_type").value_or("nf4");
  if (kind != "nf4" && kind != "fp4") return Scalar();
  return Scalar(kind + (is_on(context, "use_nested_quant") ? "_double" : ""));
}

// Words of the usual training scripts.
constexpr std::array<KeySpec, 11> script_keys{{
    {.path = "use_4bit_quantization",
     .field = Field::quantisation,
     .convert = Convert::custom,
     .read = read_script_quantisation,
     .spell = false},
    {.path = "use_8bit_quantization",
     .field = Field::quantisation,
     .convert = Convert::custom,
     .read = read_script_quantisation,
     .spell = false},
    {.path = "use_flash_attn",
     .field = Field::attention,
     .convert = Convert::true_means,
     .words = ta::words::is_flash,
     .spell = false},
    {.path = "packing", .field = Field::packing, .spell = false},
    {.path = "torch_dtype",
     .field = Field::weight_dtype,
     .convert = Convert::words,
     .words = ta::words::dtype,
     .spell = false},
    {.path = "max_seq_length",
     .field = Field::sequence_length,
     .null_means = NullMeans::unknown,
     .spell = false},
    {.path = "seq_length", .field = Field::sequence_length, .spell = false},
    {.path = "model_name", .field = Field::model, .spell = false},
    {.path = "modules_to_save", .field = Field::modules_to_save, .spell = false},
    {.path = "block_size", .field = Field::sequence_length, .spell = false},
    {.path = "model_max_length", .field = Field::sequence_length, .spell = false},
}};
constexpr auto keys = joined(ta::keys, script_keys);

constexpr std::array<Companion, 2> companions{{
    {.path = "deepspeed", .dialect = "deepspeed", .inline_allowed = true},
    {.path = "model_name_or_path", .dialect = "model_config", .directory_config = true},
}};

constexpr std::array<std::string_view, 4> bytes{"per_device_train_batch_size", "per_device_eval_batch_size",
                                                "per_gpu_train_batch_size", "num_train_epochs"};

/// Other launchers share single keys; these are the Trainer's own.
bool has_own_key(const Document& document) {
  for (const std::string_view key : bytes) {
    if (document.find(key) != no_node) return true;
  }
  return false;
}

bool is_fragment(const Document& document) {
  return document.find("model_name_or_path") == no_node &&
         document.find("per_device_train_batch_size") == no_node &&
         document.find("per_gpu_train_batch_size") == no_node;
}

/// The scripts evaluate once after training when `do_eval` is on, whatever the strategy during training.
void settle_evaluation(const ReadContext& context, Layer& layer) {
  if (!is_on(context, "do_eval")) return;
  for (Assignment& each : layer.assignments) {
    if (each.field != Field::evaluation || each.value != Scalar(false)) continue;
    each.value = true;
    each.origin = context.origin_of(context.find("do_eval"));
  }
}

/// A script with LoRA arguments trains adapters, unless a switch says otherwise. Without any, what trains is
/// the script's business and stays unknown.
void infer_method(const ReadContext& context, Layer& layer) {
  const bool four_bit =
      is_on(context, "load_in_4bit") || is_on(context, "use_4bit_quantization") || context.count("bits") == 4;
  for (const std::string_view path : {"use_peft", "use_lora", "use_peft_lora", "lora_enable"}) {
    if (const auto flag = context.flag(path)) {
      const std::string_view adapter = four_bit ? "qlora" : "lora";
      layer.assignments.push_back(
          {Field::method, std::string(*flag ? adapter : "full"), context.origin_of(context.find(path))});
      return;
    }
  }
  for (const std::string_view path : {"lora_r", "lora_rank", "lora_target_modules", "double_quant"}) {
    if (!context.has(path)) continue;
    layer.assignments.push_back(
        {Field::method, std::string(four_bit ? "qlora" : "lora"),
         context.origin_of(context.find(path), OriginKind::inferred, "LoRA arguments")});
    return;
  }
}

/// The words of qlora.py, which LLaVA's and many other scripts have taken over: `bits` and `double_quant` of
/// the base (NF4, and doubly quantised, unless they say otherwise), a length for the question and one for the
/// answer.
void read_qlora_words(const ReadContext& context, Layer& layer) {
  const auto bits = context.count("bits");
  if (bits == 4 || bits == 8) {
    const bool plain = context.text("quant_type") == "fp4";
    const bool doubled = context.flag("double_quant").value_or(true);
    const std::string_view four = plain ? "fp4" : doubled ? "nf4_double" : "nf4";
    layer.assignments.push_back({Field::quantisation, std::string(bits == 8 ? "int8" : four),
                                 context.origin_of(context.find("bits"))});
  }
  const auto question = context.count("source_max_len");
  const auto answer = context.count("target_max_len");
  if (question && answer && *question >= 0 && *answer >= 0) {
    layer.assignments.push_back(
        {Field::sequence_length, *question + *answer, context.origin_of(context.find("target_max_len"))});
  }
}

void finish(const ReadContext& context, Layer& layer) {
  settle_evaluation(context, layer);
  read_qlora_words(context, layer);
  infer_method(context, layer);
}

/// Arguments that the stated version of transformers no longer has: the parser stops at them.
std::optional<ConstraintHit> removed_key(const ReadContext& context) {
  const VersionRange* range = context.stated("transformers");
  if (range == nullptr) return std::nullopt;
  for (const KnownKey& known : hf_trainer_known_keys) {
    const auto until = parse_version(known.until);
    if (!until || range->low < *until || context.find(known.path) == no_node) continue;
    ConstraintHit hit = blame(context, known.path);
    hit.message = "transformers " + std::string(known.until) + " no longer has the argument `" +
                  std::string(known.path) + "`";
    return hit;
  }
  return std::nullopt;
}

constexpr std::array<Constraint, 1> own_constraints{{
    {.id = "transformers/removed-key",
     .effect = Effect::refused,
     .message = "this version of transformers no longer has the argument",
     .remedy = "drop the key",
     .source = ta::arguments_source,
     .when = removed_key},
}};
constexpr auto constraints = joined(own_constraints, ta::constraints);

}  // namespace

extern constinit const Dialect hf_trainer{
    .name = "hf_trainer",
    .title = "Hugging Face Trainer",
    .package = "transformers",
    .stack = "hf_trainer",
    .recognise = {.any_of = evidence,
                  .any_count = 3,
                  .none_of = ta::foreign,
                  .bytes = bytes,
                  .extra = has_own_key,
                  .extra_doc = "no batch or epoch key of TrainingArguments"},
    .scalars = ScalarSchema::yaml11_pyyaml,
    .coerces_text = false,
    .keys = keys,
    .known = hf_trainer_known_keys,
    .unknown_keys = UnknownKeys::passed_on,
    .constraints = constraints,
    .companions = companions,
    .finish = finish,
    .is_fragment = is_fragment,
    .divided_elsewhere = true,
};

}  // namespace oomlint
