#include "lint/dialect/dialect.h"
#include "parsers/dialects/shared/derive.h"
#include "parsers/dialects/shared/peft_rows.h"
#include "parsers/dialects/shared/table.h"

#include <algorithm>
#include <array>
#include <string>

// The method comparison of peft: one JSON with the training parameters and the adapter's config, as the
// script merges them from default_training_params.json, training_params.json and adapter_config.json. Source:
// peft 5d602fd, method_comparison/*/run.py and utils.py.
namespace oomlint {

namespace {

constexpr PeftPaths at{"peft_config.peft_type",      "peft_config.r",
                       "peft_config.lora_alpha",     "peft_config.lora_dropout",
                       "peft_config.target_modules", "peft_config.modules_to_save",
                       "peft_config.use_dora",       "peft_config.num_virtual_tokens",
                       "peft_config.adapter_len"};

constexpr std::array<WordPair, 3> dtypes{{{"bfloat16", "bf16"}, {"float16", "fp16"}, {"float32", "fp32"}}};
constexpr std::array<WordPair, 2> checkpointing{{{"", "full"}, {"", "none"}}};
constexpr std::array<WordPair, 1> adapters{{{"", "fp32"}}};
constexpr std::array<WordPair, 4> attentions{
    {{"sdpa", "sdpa"}, {"eager", "eager"}, {"flash_attention_2", "flash"}, {"flash_attention_3", "flash"}}};
constexpr std::array<DefaultValue, 1> none{{{"none"}}};
constexpr std::array<DefaultValue, 1> sdpa{{{"sdpa"}}};
constexpr std::array<DefaultValue, 1> no{{{"false"}}};
constexpr std::array<DefaultValue, 1> one{{{"1"}}};

constexpr std::array<KeySpec, 15> own{{
    {.path = "train_config.model_id", .field = Field::model},
    {.path = "train_config.dtype", .field = Field::weight_dtype, .convert = Convert::words, .words = dtypes},
    {.path = "train_config.dtype",
     .field = Field::compute_dtype,
     .convert = Convert::words,
     .words = dtypes,
     .spell = false},
    {.path = "train_config.max_seq_length", .field = Field::sequence_length},
    {.path = "train_config.batch_size", .field = Field::micro_batch},
    {.path = "train_config.max_steps", .field = Field::max_steps},
    {.path = "train_config.compile", .field = Field::compile, .defaults = no},
    {.path = "train_config.use_gc",
     .field = Field::checkpointing,
     .convert = Convert::true_means,
     .words = checkpointing,
     .defaults = none},
    {.path = "train_config.optimizer_type", .field = Field::optimizer},
    {.path = "train_config.use_amp", .field = Field::autocast, .defaults = no},
    {.path = "train_config.autocast_adapter_dtype",
     .field = Field::adapter_dtype,
     .convert = Convert::true_means,
     .words = adapters,
     .spell = false},
    {.path = "train_config.attn_implementation",
     .field = Field::attention,
     .convert = Convert::words,
     .words = attentions,
     .defaults = sdpa},
    {.path = "train_config.resolution", .field = Field::image_height, .spell = false},
    {.path = "train_config.resolution", .field = Field::image_width, .spell = false},
    {.path = "train_config.gradient_accumulation_steps", .field = Field::accumulation, .defaults = one},
}};
constexpr auto rows = peft_rows(at);
constexpr auto keys = joined(own, rows);

constexpr std::array<std::string_view, 1> all_of{"train_config.model_id"};
constexpr std::array<std::string_view, 4> any_of{"train_config.batch_size", "train_config.max_steps",
                                                 "train_config.use_gc", "train_config.optimizer_type"};
constexpr std::array<std::string_view, 1> bytes{"train_config"};

void finish(const ReadContext& context, Layer& layer) {
  const bool images = context.has("train_config.resolution");
  derive(context, layer, Field::task, std::string(images ? "diffusion" : "sft"),
         images ? "train_config.resolution" : "train_config.model_id",
         images ? "the image benchmark" : "the text benchmark");
  derive_peft(context, layer, at, "peft_config.");
  const auto dtype = std::find_if(dtypes.begin(), dtypes.end(), [&](const WordPair& pair) {
    return pair.theirs == context.text("train_config.dtype").value_or("");
  });
  if (context.flag("train_config.autocast_adapter_dtype") == false && dtype != dtypes.end())
    derive(context, layer, Field::adapter_dtype, std::string(dtype->ours),
           "train_config.autocast_adapter_dtype", "adapters in the model's dtype");
  if (!context.has("peft_config.peft_type"))
    derive(context, layer, Field::method, std::string("full"), "peft_config", "no adapter");
}

}  // namespace

extern constinit const Dialect peft_benchmark{
    .name = "peft_benchmark",
    .title = "peft's method comparison",
    .package = "peft",
    .stack = "peft_benchmark",
    .recognise = {.all_of = all_of, .any_of = any_of, .any_count = 2, .bytes = bytes},
    .scalars = ScalarSchema::python_json,
    .keys = keys,
    .unknown_keys = UnknownKeys::passed_on,
    .finish = finish,
};

}  // namespace oomlint
