#include "lint/dialect/dialect.h"
#include "parsers/dialects/shared/training_arguments.h"

#include <array>
#include <string>
#include <utility>

/// ColossalChat's training scripts (`train_sft.py`, `train_dpo.py`, …) under `colossalai run` or torchrun.
/// Source: ColossalAI 0.5 applications/ColossalChat/examples/training_scripts/*.py, coati/dataset/loader.py.
namespace oomlint {

namespace {

namespace ta = training_arguments;

constexpr std::array<WordPair, 6> plugins{{{"zero2", "zero2"},
                                           {"zero2_cpu", "zero2"},
                                           {"gemini", "zero3"},
                                           {"gemini_auto", "zero3"},
                                           {"ddp", "ddp"},
                                           {"3d", "?"}}};
constexpr std::array<WordPair, 2> precision{{{"bf16", "bf16"}, {"fp16", "fp16"}}};
constexpr std::array<DefaultValue, 1> zero{{{"zero3"}}};
constexpr std::array<DefaultValue, 1> half{{{"fp16"}}};
constexpr std::array<DefaultValue, 1> four{{{"4"}}};
constexpr std::array<DefaultValue, 1> eight{{{"8"}}};
constexpr std::array<DefaultValue, 1> eager{{{"eager"}}};
constexpr std::array<DefaultValue, 1> full{{{"full"}}};

std::optional<Scalar> read_offload(const ReadContext& context, NodeId) {
  return context.text("plugin") == "zero2_cpu" ? std::optional(Scalar(true)) : std::nullopt;
}

std::optional<Scalar> read_rank(const ReadContext& context, NodeId) {
  const auto rank = context.count("lora_rank");
  return rank && *rank > 0 ? std::optional(Scalar(*rank)) : std::nullopt;
}

std::optional<Scalar> read_method(const ReadContext& context, NodeId) {
  const auto rank = context.count("lora_rank");
  return Scalar(std::string(rank && *rank > 0 ? "lora" : "full"));
}

constexpr std::array<KeySpec, 15> keys{{
    {.path = "pretrain", .field = Field::model},
    {.path = "plugin",
     .field = Field::sharding,
     .convert = Convert::words,
     .words = plugins,
     .defaults = zero},
    {.path = "plugin",
     .field = Field::offload_optimizer,
     .convert = Convert::custom,
     .read = read_offload,
     .spell = false},
    {.path = "mixed_precision",
     .field = Field::compute_dtype,
     .convert = Convert::words,
     .words = precision,
     .defaults = half},
    {.path = "batch_size", .field = Field::micro_batch, .defaults = four},
    {.path = "accumulation_steps", .field = Field::accumulation, .defaults = eight},
    {.path = "max_len", .field = Field::sequence_length, .spell = false},
    {.path = "max_length", .field = Field::sequence_length},
    {.path = "grad_checkpoint",
     .field = Field::checkpointing,
     .convert = Convert::true_means,
     .words = ta::words::checkpointing,
     .defaults = ta::defaults::none},
    {.path = "use_flash_attn",
     .field = Field::attention,
     .convert = Convert::true_means,
     .words = ta::words::is_flash,
     .defaults = eager},
    {.path = "lora_rank",
     .field = Field::lora_rank,
     .convert = Convert::custom,
     .read = read_rank,
     .spell = false},
    {.path = "lora_rank",
     .field = Field::method,
     .convert = Convert::custom,
     .defaults = full,
     .read = read_method,
     .spell = false},
    {.path = "tp", .field = Field::tensor_parallel},
    {.path = "pp", .field = Field::pipeline_parallel},
    {.path = "max_epochs", .field = Field::epochs},
}};

/// The script's name says what is optimised; its collator pads every batch to the length.
void finish(const ReadContext& context, Layer& layer) {
  const Document& document = context.document;
  static constexpr std::pair<std::string_view, std::string_view> tasks[] = {
      {"train_sft.py", "sft"},   {"train_dpo.py", "dpo"},     {"train_kto.py", "kto"},
      {"train_orpo.py", "orpo"}, {"train_simpo.py", "simpo"}, {"train_rm.py", "reward"},
      {"train_ppo.py", "ppo"},   {"train_grpo.py", "grpo"}};
  const NodeId program = document.launch() == no_node ? no_node : document.find(document.launch(), "program");
  for (const auto& [script, task] : tasks) {
    if (program != no_node && document.at(program).text.ends_with(script))
      layer.assignments.push_back(
          {Field::task, std::string(task), context.origin_of(program, OriginKind::derived, "the script")});
  }
  layer.assignments.push_back(
      {Field::pad_to_length, true,
       context.origin_of(no_node, OriginKind::framework_default, "the collator pads to the length")});
}

constexpr std::array<std::string_view, 2> all_of{"pretrain", "plugin"};
constexpr std::array<std::string_view, 2> any_of{"batch_size", "mixed_precision"};
constexpr std::array<std::string_view, 1> bytes{"plugin"};

bool is_fragment(const Document& document) {
  return document.find("pretrain") == no_node;
}

}  // namespace

extern constinit const Dialect colossalai{
    .name = "colossalai",
    .title = "ColossalChat",
    .package = "colossalai",
    .stack = "hf_trainer",
    .recognise = {.all_of = all_of, .any_of = any_of, .any_count = 1, .bytes = bytes},
    .scalars = ScalarSchema::yaml11_pyyaml,
    .bare_switches = true,
    .keys = keys,
    .unknown_keys = UnknownKeys::refused,
    .finish = finish,
    .is_fragment = is_fragment,
};

}  // namespace oomlint
