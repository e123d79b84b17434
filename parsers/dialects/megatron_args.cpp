#include "lint/dialect/dialect.h"
#include "parsers/dialects/shared/megatron_rows.h"

#include <array>

// The YAML of Megatron-LM's functional tests: arguments as `MODEL_ARGS`, the flag with its dashes as the key.
// Source: Megatron-LM d98e8a64dd, tests/functional_tests.
namespace oomlint {

namespace {

constexpr std::array<std::string_view, 1> all_of{"MODEL_ARGS"};
constexpr std::array<std::string_view, 4> any_of{"MODEL_ARGS.--micro-batch-size", "MODEL_ARGS.--seq-length",
                                                 "MODEL_ARGS.--tensor-model-parallel-size",
                                                 "MODEL_ARGS.--num-layers"};
constexpr std::array<std::string_view, 1> bytes{"MODEL_ARGS"};

void finish(const ReadContext& context, Layer& layer) {
  megatron::finish(context, layer, megatron::in_model_args);
}

bool is_fragment(const Document& document) {
  return document.find("MODEL_ARGS.--micro-batch-size") == no_node &&
         document.find("MODEL_ARGS.--num-layers") == no_node;
}

}  // namespace

extern constinit const Dialect megatron_args{
    .name = "megatron_args",
    .title = "Megatron-LM arguments",
    .package = "megatron-core",
    .stack = "megatron",
    .recognise = {.all_of = all_of, .any_of = any_of, .any_count = 1, .bytes = bytes},
    .scalars = ScalarSchema::yaml11_pyyaml,
    .bare_switches = true,
    .keys = megatron::Paths<megatron::in_model_args>::keys,
    .unknown_keys = UnknownKeys::passed_on,
    .finish = finish,
    .is_fragment = is_fragment,
};

}  // namespace oomlint
