#include "lint/dialect/dialect.h"
#include "parsers/dialects/shared/derive.h"
#include "parsers/dialects/shared/peft_rows.h"
#include "parsers/dialects/shared/table.h"

#include <array>

// adapter_config.json, the config that peft saves beside an adapter: it says what trains, not how. Source:
// peft 0.19, src/peft/config.py.
namespace oomlint {

namespace {

constexpr PeftPaths at{"peft_type",       "r",        "lora_alpha",         "lora_dropout", "target_modules",
                       "modules_to_save", "use_dora", "num_virtual_tokens", "adapter_len"};

constexpr std::array<KeySpec, 1> own{{{.path = "base_model_name_or_path", .field = Field::model}}};
constexpr auto rows = peft_rows(at);
constexpr auto keys = joined(own, rows);

constexpr std::array<std::string_view, 1> all_of{"peft_type"};
constexpr std::array<std::string_view, 2> any_of{"base_model_name_or_path", "inference_mode"};
constexpr std::array<std::string_view, 3> none_of{"train_config", "model_id", "dataset"};
constexpr std::array<std::string_view, 1> bytes{"peft_type"};

void finish(const ReadContext& context, Layer& layer) {
  derive_peft(context, layer, at, "");
}

/// Without batch and length there is nothing to claim about a run.
bool is_fragment(const Document& /*document*/) {
  return true;
}

}  // namespace

extern constinit const Dialect peft_adapter{
    .name = "peft_adapter",
    .title = "peft adapter_config.json",
    .package = "peft",
    .stack = "hf_trainer",
    .recognise = {.all_of = all_of, .any_of = any_of, .any_count = 1, .none_of = none_of, .bytes = bytes},
    .scalars = ScalarSchema::python_json,
    .keys = keys,
    .unknown_keys = UnknownKeys::passed_on,
    .finish = finish,
    .is_fragment = is_fragment,
};

}  // namespace oomlint
