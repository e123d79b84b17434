#include "lint/dialect/dialect.h"
#include "parsers/dialects/shared/conditions.h"
#include "parsers/dialects/shared/table.h"
#include "parsers/dialects/shared/training_arguments.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>

/// The `finetune.py` of the Qwen repositories and of those that took it over: TrainingArguments beside a few
/// arguments of its own. Source: QwenLM/Qwen finetune.py and modeling_qwen.py, as of the end of 2023.
namespace oomlint {

namespace {

namespace ta = training_arguments;

constexpr std::array<DefaultValue, 1> length{{{"8192"}}};
constexpr std::array<DefaultValue, 1> rank{{{"64"}}};
constexpr std::array<DefaultValue, 1> alpha{{{"16"}}};
constexpr std::array<DefaultValue, 1> dropout{{{"0.05"}}};
// c_attn, c_proj, w1, w2: every linear layer of the model it was written for.
constexpr std::array<DefaultValue, 1> targets{{{"all-linear"}}};
constexpr std::array<DefaultValue, 1> optimizer{{{"adamw_torch"}}};
constexpr std::array<DefaultValue, 1> padded{{{"true"}}};

std::optional<Scalar> read_method(const ReadContext& context, NodeId) {
  const auto asked = context.flag("use_lora");
  if (!asked) return Scalar();
  if (!*asked) return Scalar(std::string("full"));
  return Scalar(std::string(is_on(context, "q_lora") ? "qlora" : "lora"));
}

/// `--q_lora` loads a GPTQ checkpoint with its kernels off.
constexpr std::array<WordPair, 1> is_gptq{{{"true", "gptq"}}};

constexpr std::array<DefaultValue, 1> full{{{"full"}}};
constexpr std::array<KeySpec, 9> own_keys{{
    {.path = "model_max_length", .field = Field::sequence_length, .defaults = length},
    {.path = "lazy_preprocess",
     .field = Field::pad_to_length,
     .convert = Convert::presence,
     .words = ta::words::is_true,
     .defaults = padded,
     .spell = false},
    {.path = "use_lora",
     .field = Field::method,
     .convert = Convert::custom,
     .defaults = full,
     .read = read_method},
    {.path = "q_lora",
     .field = Field::quantisation,
     .convert = Convert::true_means,
     .words = is_gptq,
     .spell = false},
    {.path = "lora_r", .field = Field::lora_rank, .defaults = rank},
    {.path = "lora_alpha", .field = Field::lora_alpha, .defaults = alpha},
    {.path = "lora_dropout", .field = Field::lora_dropout, .defaults = dropout},
    {.path = "lora_target_modules", .field = Field::lora_targets, .defaults = targets},
    {.path = "optim", .field = Field::optimizer, .defaults = optimizer},
}};
constexpr auto keys = specialised<own_keys, ta::keys>();

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// The first family, whose modelling code comes with the checkpoint.
bool is_first_qwen(std::string_view model) {
  return model.find("qwen-") != std::string_view::npos && model.find("qwen-vl") == std::string_view::npos;
}

void finish(const ReadContext& context, Layer& layer) {
  const NodeId node = context.find("model_name_or_path");
  const std::string model = lower(context.text("model_name_or_path").value_or(""));
  const bool adapters = is_on(context, "use_lora");
  if (adapters && !is_on(context, "q_lora") && !model.empty() && model.find("chat") == std::string::npos) {
    layer.assignments.push_back(
        {Field::modules_to_save, std::vector<std::string>{"wte", "lm_head"},
         context.origin_of(node, OriginKind::derived, "a base model learns the chat format's tokens")});
  }
  if (!is_first_qwen(model)) return;
  std::vector<std::string> named = context.list("lora_target_modules");
  std::sort(named.begin(), named.end());
  if (named == std::vector<std::string>{"c_attn", "c_proj", "w1", "w2"}) {
    layer.assignments.push_back({Field::lora_targets, std::vector<std::string>{"all-linear"},
                                 context.origin_of(context.find("lora_target_modules"), OriginKind::derived,
                                                   "every linear layer of this model")});
  }
  const std::string_view half = is_on(context, "fp16") ? "fp16" : "bf16";
  layer.assignments.push_back(
      {Field::weight_dtype, std::string(half),
       context.origin_of(node, OriginKind::derived, "the model's code loads 16 bits")});
  layer.assignments.push_back({Field::attention, std::string("flash"),
                               context.origin_of(node, OriginKind::inferred,
                                                 "the model's code uses flash-attn where it is installed")});
}

constexpr std::array<std::string_view, 2> all_of{"model_name_or_path", "model_max_length"};
constexpr std::array<std::string_view, 4> any_of{"lazy_preprocess", "q_lora", "use_lora", "data_path"};
constexpr std::array<std::string_view, 1> specialises{"hf_trainer"};
constexpr std::array<std::string_view, 1> bytes{"model_max_length"};
constexpr std::array<Companion, 2> companions{{
    {.path = "deepspeed", .dialect = "deepspeed", .inline_allowed = true},
    {.path = "model_name_or_path", .dialect = "model_config", .directory_config = true},
}};

bool is_fragment(const Document& document) {
  return document.find("model_name_or_path") == no_node;
}

}  // namespace

extern constinit const Dialect qwen_finetune{
    .name = "qwen_finetune",
    .title = "Qwen's finetune.py",
    .package = "transformers",
    .stack = "hf_trainer",
    .recognise = {.all_of = all_of,
                  .any_of = any_of,
                  .any_count = 2,
                  .none_of = ta::foreign,
                  .specialises = specialises,
                  .bytes = bytes},
    .scalars = ScalarSchema::yaml11_pyyaml,
    .keys = keys,
    .unknown_keys = UnknownKeys::passed_on,
    .constraints = ta::constraints,
    .companions = companions,
    .finish = finish,
    .is_fragment = is_fragment,
};

}  // namespace oomlint
