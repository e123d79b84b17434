#include "lint/dialect/dialect.h"
#include "parsers/dialects/shared/megatron_rows.h"

#include <array>

// Megatron-LM by its command line (pretrain_gpt.py and its siblings). Source: Megatron-LM d98e8a64dd,
// megatron/training/arguments.py.
namespace oomlint {

namespace {

constexpr std::array<std::string_view, 2> all_of{"micro_batch_size", "seq_length"};
constexpr std::array<std::string_view, 5> any_of{"num_layers", "tensor_model_parallel_size",
                                                 "pipeline_model_parallel_size", "num_attention_heads",
                                                 "use_distributed_optimizer"};
constexpr std::array<std::string_view, 4> none_of{"deepspeed", "model", "train", "trainer"};
constexpr std::array<std::string_view, 4> bytes{"micro-batch-size", "micro_batch_size",
                                                "tensor-model-parallel-size", "pretrain_gpt.py"};

void finish(const ReadContext& context, Layer& layer) {
  megatron::finish(context, layer, megatron::on_command_line);
}

}  // namespace

extern constinit const Dialect megatron_lm{
    .name = "megatron_lm",
    .title = "Megatron-LM",
    .package = "megatron-core",
    .stack = "megatron",
    .recognise = {.all_of = all_of, .any_of = any_of, .any_count = 2, .none_of = none_of, .bytes = bytes},
    .scalars = ScalarSchema::yaml12_core,
    .bare_switches = true,
    .keys = megatron::Paths<megatron::on_command_line>::keys,
    .unknown_keys = UnknownKeys::passed_on,
    .finish = finish,
};

}  // namespace oomlint
