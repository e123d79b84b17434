#include "lint/dialect/dialect.h"
#include "parsers/dialects/ms_swift_parts/ms_swift_parts.h"
#include "parsers/dialects/shared/table.h"
#include "parsers/dialects/shared/training_arguments.h"

#include <array>
#include <string_view>

/// ms-swift's `swift sft|pt|rlhf`, on a command line or in the YAML it turns into one; the words of 1.x
/// and 2.x
/// (`--sft_type`, `--batch_size`, `--model_type qwen-7b-chat`), 3.x (`--train_type`), 4.x (`--tuner_type`).
/// Sources: ms-swift 3602360 (4.5), swift/arguments/*.py, swift/trainers/arguments.py,
/// swift/arguments/base_args; 1.7.3 and 2.6.1, swift/llm/utils/argument.py, swift/llm/tuner.py.
namespace oomlint {

namespace {

namespace ta = training_arguments;
using namespace ms_swift_parts;

constexpr std::array<WordPair, 13> tuners{{{"lora", "lora"},
                                           {"full", "full"},
                                           {"longlora", "lora"},
                                           {"adalora", "lora"},
                                           {"lora_llm", "lora"},
                                           {"llamapro", "?"},
                                           {"adapter", "adapter"},
                                           {"vera", "adapter"},
                                           {"boft", "adapter"},
                                           {"fourierft", "adapter"},
                                           {"reft", "adapter"},
                                           {"bone", "adapter"},
                                           {"ia3", "adapter"}}};
constexpr std::array<WordPair, 6> attentions{{{"flash_attn", "flash"},
                                              {"flash_attention_2", "flash"},
                                              {"sdpa", "sdpa"},
                                              {"eager", "eager"},
                                              {"flash_attention_3", "flash"},
                                              {"flash_attention_4", "flash"}}};
constexpr std::array<WordPair, 5> old_dtypes{
    {{"bf16", "bf16"}, {"fp16", "fp16"}, {"fp32", "fp32"}, {"AUTO", "?"}, {"", "?"}}};
constexpr std::array<WordPair, 10> preferences{{{"dpo", "dpo"},
                                                {"orpo", "orpo"},
                                                {"simpo", "simpo"},
                                                {"kto", "kto"},
                                                {"cpo", "simpo"},
                                                {"rm", "reward"},
                                                {"ppo", "ppo"},
                                                {"grpo", "grpo"},
                                                {"gkd", "distill"},
                                                {"", "?"}}};
constexpr std::array<WordPair, 1> fsdp_words{{{"fsdp2", "fsdp"}}};
constexpr std::array<WordPair, 1> vllm{{{"true", "vllm"}}};

constexpr std::array<DefaultValue, 1> one{{{"1"}}};
constexpr std::array<DefaultValue, 1> lora{{{"lora"}}};
constexpr std::array<DefaultValue, 1> rank{{{"8"}}};
constexpr std::array<DefaultValue, 1> alpha{{{"32"}}};
constexpr std::array<DefaultValue, 1> dropout{{{"0.05"}}};
constexpr std::array<DefaultValue, 2> targets{
    {{"q_proj,k_proj,v_proj"}, {"all-linear", "ms-swift", {3, 0, 0}}}};
/// The model's own limit from 3.x on.
constexpr std::array<DefaultValue, 2> length{{{"2048"}, {"?", "ms-swift", {3, 0, 0}}}};
constexpr std::array<DefaultValue, 1> checkpointed{{{"full"}}};

constexpr std::array<KeySpec, 38> own_keys{{
    {.path = "model", .field = Field::model},
    {.path = "model_id_or_path", .field = Field::model, .renamed_to = "model"},
    {.path = "model_name_or_path", .field = Field::model, .spell = false},
    {.path = "ckpt_dir", .field = Field::model, .spell = false},
    {.path = "model_type", .field = Field::model, .spell = false},
    {.path = "torch_dtype",
     .field = Field::weight_dtype,
     .convert = Convert::words,
     .words = ta::words::dtype},
    {.path = "dtype",
     .field = Field::weight_dtype,
     .convert = Convert::words,
     .words = old_dtypes,
     .spell = false},
    {.path = "tuner_type",
     .field = Field::method,
     .convert = Convert::words,
     .words = tuners,
     .defaults = lora},
    {.path = "train_type",
     .field = Field::method,
     .convert = Convert::words,
     .words = tuners,
     .renamed_to = "tuner_type"},
    {.path = "sft_type",
     .field = Field::method,
     .convert = Convert::words,
     .words = tuners,
     .renamed_to = "tuner_type"},
    {.path = "rlhf_type",
     .field = Field::task,
     .convert = Convert::words,
     .words = preferences,
     .spell = false},
    {.path = "lora_rank", .field = Field::lora_rank, .defaults = rank},
    {.path = "lora_alpha", .field = Field::lora_alpha, .defaults = alpha},
    {.path = "lora_dropout", .field = Field::lora_dropout, .defaults = dropout},
    {.path = "target_modules", .field = Field::lora_targets, .defaults = targets},
    {.path = "lora_target_modules", .field = Field::lora_targets, .renamed_to = "target_modules"},
    {.path = "modules_to_save", .field = Field::modules_to_save},
    {.path = "lora_dtype",
     .field = Field::adapter_dtype,
     .convert = Convert::words,
     .words = ta::words::dtype},
    {.path = "quant_bits",
     .field = Field::quantisation,
     .convert = Convert::custom,
     .read = read_quantisation,
     .write = write_quantisation},
    {.path = "quantization_bit",
     .field = Field::quantisation,
     .convert = Convert::custom,
     .renamed_to = "quant_bits",
     .read = read_quantisation,
     .write = write_quantisation},
    {.path = "max_length",
     .field = Field::sequence_length,
     .defaults = length,
     .null_means = NullMeans::unknown},
    {.path = "packing", .field = Field::packing, .defaults = ta::defaults::no},
    {.path = "padding_free", .field = Field::padding_free, .defaults = ta::defaults::no},
    {.path = "per_device_train_batch_size", .field = Field::micro_batch, .defaults = one},
    {.path = "batch_size", .field = Field::micro_batch, .renamed_to = "per_device_train_batch_size"},
    {.path = "per_device_eval_batch_size", .field = Field::evaluation_batch, .defaults = one},
    {.path = "eval_batch_size", .field = Field::evaluation_batch, .renamed_to = "per_device_eval_batch_size"},
    {.path = "gradient_accumulation_steps", .field = Field::accumulation},
    {.path = "gradient_checkpointing",
     .field = Field::checkpointing,
     .convert = Convert::true_means,
     .words = ta::words::checkpointing,
     .defaults = checkpointed},
    {.path = "attn_impl",
     .field = Field::attention,
     .convert = Convert::words,
     .words = attentions,
     .defaults = ta::defaults::attention},
    {.path = "use_flash_attn",
     .field = Field::attention,
     .convert = Convert::true_means,
     .words = ta::words::is_flash,
     .spell = false},
    {.path = "use_liger",
     .field = Field::loss,
     .convert = Convert::true_means,
     .words = ta::words::is_fused,
     .renamed_to = "use_liger_kernel"},
    {.path = "deepspeed",
     .field = Field::sharding,
     .convert = Convert::custom,
     .read = read_stage,
     .write = write_stage},
    {.path = "deepspeed",
     .field = Field::offload_optimizer,
     .convert = Convert::custom,
     .read = read_offload,
     .spell = false},
    {.path = "fsdp",
     .field = Field::sharding,
     .convert = Convert::words,
     .words = fsdp_words,
     .spell = false},
    {.path = "sequence_parallel_size", .field = Field::context_parallel},
    {.path = "use_vllm", .field = Field::rollout_engine, .convert = Convert::true_means, .words = vllm},
    {.path = "vllm_gpu_memory_utilization", .field = Field::rollout_memory_fraction},
}};
constexpr auto keys = specialised<own_keys, ta::keys>();

constexpr std::array<Companion, 2> companions{{
    {.path = "deepspeed", .dialect = "deepspeed", .inline_allowed = true},
    {.path = "model", .dialect = "model_config", .directory_config = true},
}};

constexpr std::string_view sft_source = "ms-swift 4.5 swift/arguments/sft_args.py";
constexpr std::array<Constraint, 5> own_constraints{{
    {.id = "ms_swift/deepspeed-with-spread-layers",
     .effect = Effect::refused,
     .message = "DeepSpeed does not run in one process that spreads the layers over several devices",
     .remedy = "set NPROC_PER_NODE to the number of devices",
     .source = sft_source,
     .when = deepspeed_with_spread_layers},
    {.id = "ms_swift/fsdp-and-deepspeed",
     .effect = Effect::refused,
     .message = "`fsdp` and `deepspeed` exclude each other",
     .remedy = "keep one of the two",
     .source = sft_source,
     .when = fsdp_and_deepspeed},
    {.id = "ms_swift/packing-without-flash",
     .effect = Effect::refused,
     .message = "packing and `padding_free` need a FlashAttention kernel",
     .remedy = "set attn_impl to flash_attn",
     .source = sft_source,
     .when = packing_without_flash},
    {.id = "ms_swift/lazy-packing",
     .effect = Effect::refused,
     .message = "`packing` can't be made from examples that are tokenised later",
     .remedy = "drop lazy_tokenize",
     .source = "ms-swift 4.5 swift/arguments/base_args/base_args.py",
     .when = lazy_packing},
    {.id = "ms_swift/bits",
     .effect = Effect::refused,
     .message = "bitsandbytes quantises to 4 or 8 bits",
     .remedy = "set quant_bits to 4 or 8",
     .source = "ms-swift 4.5 swift/arguments/base_args/quant_args.py",
     .when = odd_bits},
}};
constexpr auto constraints = joined(own_constraints, ta::constraints);

constexpr std::array<std::string_view, 0> all_of{};
constexpr std::array<std::string_view, 3> any_of{"tuner_type", "train_type", "sft_type"};
constexpr std::array<std::string_view, 4> none_of{"finetuning_type", "tensor_model_parallel_size",
                                                  "global_batch_size", "train_iters"};
constexpr std::array<std::string_view, 7> programs{"swift sft",        "swift pt",        "swift rlhf",
                                                   "swift/cli/sft.py", "swift/cli/pt.py", "swift/cli/rlhf.py",
                                                   "llm_sft.py"};
constexpr std::array<std::string_view, 3> bytes{"tuner_type", "train_type", "sft_type"};

/// A file that names the tuner and no model or data belongs to something else or is incomplete.
bool has_model(const Document& document) {
  return document.find("model") != no_node || document.find("model_type") != no_node ||
         document.find("model_id_or_path") != no_node;
}

bool is_fragment(const Document& document) {
  return !has_model(document);
}

}  // namespace

extern constinit const Dialect ms_swift{
    .name = "ms_swift",
    .title = "ms-swift",
    .package = "ms-swift",
    .stack = "ms_swift",
    .recognise = {.all_of = all_of,
                  .any_of = any_of,
                  .any_count = 1,
                  .none_of = none_of,
                  .programs = programs,
                  .bytes = bytes,
                  .extra = has_model,
                  .extra_doc = "no model"},
    .scalars = ScalarSchema::yaml11_pyyaml,
    .keys = keys,
    .unknown_keys = UnknownKeys::refused,
    .constraints = constraints,
    .companions = companions,
    .finish = finish,
    .is_fragment = is_fragment,
};

}  // namespace oomlint
