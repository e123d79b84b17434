#include "lint/dialect/dialect.h"
#include "parsers/dialects/shared/table.h"
#include "parsers/dialects/shared/training_arguments.h"
#include "parsers/dialects/shared/trl_recipe.h"

#include "known_keys.h"
#include <array>

/// Recipes of TRL's command line and of the scripts built on TrlParser, alignment-handbook and open-r1 among
/// them. Sources: trl 0.8 to 1.10 (model_config.py, *_config.py, *_trainer.py), the two repositories'
/// configs.py.
namespace oomlint {

namespace {

namespace ta = training_arguments;
using namespace trl_recipe;

constexpr std::array<DefaultValue, 3> weight_dtype{
    {{"fp32"}, {"?", "transformers", {5, 0, 0}}, {"fp32", "trl", {0, 27, 0}}}};
constexpr std::array<DefaultValue, 2> checkpointing{{{"none"}, {"full", "trl", {0, 22, 0}}}};
constexpr std::array<DefaultValue, 2> autocast{{{"false"}, {"true", "trl", {0, 19, 0}}}};
constexpr std::array<DefaultValue, 1> method{{{"full"}}};
constexpr std::array<DefaultValue, 1> lora_rank{{{"16"}}};
constexpr std::array<DefaultValue, 1> lora_alpha{{{"32"}}};
constexpr std::array<DefaultValue, 1> lora_dropout{{{"0.05"}}};
constexpr std::array<WordPair, 2> autocast_words{{{"true", "true"}, {"false", "false"}}};
constexpr std::array<WordPair, 1> vllm{{{"true", "vllm"}}};

// Rows that plain TrainingArguments do not have or that mean something else there.
constexpr std::array<KeySpec, 28> own_keys{{
    {.path = "dtype",
     .field = Field::weight_dtype,
     .convert = Convert::words,
     .words = ta::words::dtype,
     .defaults = weight_dtype},
    {.path = "torch_dtype",
     .field = Field::weight_dtype,
     .convert = Convert::words,
     .words = ta::words::dtype,
     .renamed_to = "dtype",
     .until = "0.27"},
    {.path = "fp16",
     .field = Field::autocast,
     .convert = Convert::true_means,
     .words = ta::words::is_true,
     .spell = false},
    {.path = "bf16",
     .field = Field::autocast,
     .convert = Convert::true_means,
     .words = autocast_words,
     .defaults = autocast,
     .spell = false},
    {.path = "gradient_checkpointing",
     .field = Field::checkpointing,
     .convert = Convert::true_means,
     .words = ta::words::checkpointing,
     .defaults = checkpointing},
    {.path = "activation_offloading", .field = Field::activation_offload, .defaults = ta::defaults::no},
    {.path = "use_peft",
     .field = Field::method,
     .convert = Convert::custom,
     .defaults = method,
     .read = read_method,
     .write = write_method},
    {.path = "max_length", .field = Field::sequence_length, .null_means = NullMeans::unknown},
    {.path = "max_seq_length",
     .field = Field::sequence_length,
     .null_means = NullMeans::unknown,
     .renamed_to = "max_length",
     .until = "0.20"},
    {.path = "max_prompt_length", .field = Field::prompt_length, .until = "0.29"},
    {.path = "max_completion_length", .field = Field::completion_length},
    {.path = "packing", .field = Field::packing, .defaults = ta::defaults::no},
    {.path = "padding_free", .field = Field::padding_free, .defaults = ta::defaults::no},
    {.path = "use_liger_kernel",
     .field = Field::loss,
     .convert = Convert::true_means,
     .words = ta::words::is_fused},
    {.path = "use_liger",
     .field = Field::loss,
     .convert = Convert::true_means,
     .words = ta::words::is_fused,
     .renamed_to = "use_liger_kernel"},
    {.path = "use_liger_loss",
     .field = Field::loss,
     .convert = Convert::true_means,
     .words = ta::words::is_fused,
     .renamed_to = "use_liger_kernel"},
    {.path = "loss_type",
     .field = Field::loss,
     .convert = Convert::custom,
     .read = read_loss,
     .spell = false},
    {.path = "num_generations", .field = Field::generations_per_prompt, .spell = false},
    {.path = "use_vllm", .field = Field::rollout_engine, .convert = Convert::true_means, .words = vllm},
    {.path = "vllm_gpu_memory_utilization", .field = Field::rollout_memory_fraction},
    {.path = "teacher_model_name_or_path", .field = Field::teacher_model, .spell = false},
    {.path = "reward_model_path", .field = Field::reward_model, .spell = false},
    {.path = "lora_r", .field = Field::lora_rank, .defaults = lora_rank},
    {.path = "lora_alpha", .field = Field::lora_alpha, .defaults = lora_alpha},
    {.path = "lora_dropout", .field = Field::lora_dropout, .defaults = lora_dropout},
    {.path = "prediction_loss_only",
     .field = Field::evaluation_keeps_logits,
     .convert = Convert::true_means,
     .words = ta::words::keeps_nothing,
     .defaults = ta::defaults::no},
    {.path = "parallelism_config.parallelism_config_cp_size", .field = Field::context_parallel},
    {.path = "parallelism_config.parallelism_config_sp_size", .field = Field::context_parallel},
}};
constexpr auto keys = specialised<own_keys, ta::keys>();

constexpr std::string_view sft_source = "trl/trainer/sft_trainer.py 1.10";
constexpr std::string_view grpo_source = "trl/trainer/grpo_config.py 1.10";
constexpr std::string_view dpo_source = "trl/trainer/dpo_trainer.py 1.10";

constexpr std::array<Constraint, 14> own_constraints{{
    {.id = "trl/padding-free-without-flash",
     .effect = Effect::warned,
     .message = "`padding_free` needs a FlashAttention kernel; with other attention the examples of a batch "
                "see each other",
     .remedy = "set attn_implementation: flash_attention_2",
     .source = sft_source,
     .when = padding_free_without_flash},
    {.id = "trl/packing-without-flash",
     .effect = Effect::warned,
     .message = "packed examples see each other unless attention is a FlashAttention kernel",
     .remedy = "set attn_implementation: flash_attention_2",
     .source = sft_source,
     .when = packing_without_flash,
     .package = "trl",
     .since = {0, 20, 0}},
    {.id = "trl/padding-free-with-max-length",
     .effect = Effect::refused,
     .message = "`padding_free` without packing can't truncate to `max_length`",
     .remedy = "set packing: true or max_length: null",
     .source = sft_source,
     .when = padding_free_with_max_length,
     .package = "trl",
     .since = {1, 9, 0}},
    {.id = "trl/liger-with-chunked-loss",
     .effect = Effect::refused,
     .message = "`use_liger_kernel` and the loss `chunked_nll` exclude each other",
     .remedy = "drop loss_type or use_liger_kernel",
     .source = sft_source,
     .when = liger_with_chunked_loss},
    {.id = "trl/quantised-without-adapter",
     .effect = Effect::warned,
     .message = "a quantised model can't be trained without an adapter",
     .remedy = "set use_peft: true",
     .source = "transformers trainer.py",
     .when = quantised_without_adapter},
    {.id = "trl/adapter-keys-without-adapter",
     .effect = Effect::ignored,
     .message = "LoRA settings are not read unless `use_peft` is true",
     .remedy = "set use_peft: true",
     .source = "trl/trainer/utils.py, get_peft_config",
     .when = adapter_keys_without_adapter},
    {.id = "trl/two-generation-batches",
     .effect = Effect::refused,
     .message = "`generation_batch_size` and `steps_per_generation` exclude each other",
     .remedy = "keep one of the two",
     .source = grpo_source,
     .when = two_generation_batches},
    {.id = "trl/unequal-groups",
     .effect = Effect::refused,
     .message = "`generation_batch_size` must be a multiple of `num_generations`",
     .remedy = "change one of the two",
     .source = grpo_source,
     .when = unequal_groups},
    {.id = "trl/one-generation",
     .effect = Effect::refused,
     .message = "group-relative advantages need at least 2 generations per prompt",
     .remedy = "set num_generations to 2 or more",
     .source = grpo_source,
     .when = one_generation},
    {.id = "trl/batch-search-in-grpo",
     .effect = Effect::refused,
     .message = "GRPO does not work with `auto_find_batch_size`",
     .remedy = "drop auto_find_batch_size",
     .source = grpo_source,
     .when = batch_search_in_grpo,
     .package = "trl",
     .since = {1, 9, 0}},
    {.id = "trl/sequence-parallel-grpo",
     .effect = Effect::refused,
     .message = "GRPO does not divide the sequence over devices",
     .remedy = "drop cp_size and sp_size",
     .source = grpo_source,
     .when = sequence_parallel_grpo,
     .package = "trl",
     .since = {1, 9, 0}},
    {.id = "trl/synchronised-reference",
     .effect = Effect::refused,
     .message = "`sync_ref_model` needs a reference model of its own",
     .remedy = "drop sync_ref_model, or both use_peft and precompute_ref_log_probs",
     .source = dpo_source,
     .when = synchronised_reference,
     .package = "trl",
     .since = {1, 9, 0}},
    {.id = "trl/liger-with-precomputed-reference",
     .effect = Effect::refused,
     .message = "liger's DPO loss does not take precomputed reference log-probabilities",
     .remedy = "drop precompute_ref_log_probs or use_liger_kernel",
     .source = dpo_source,
     .when = liger_with_precomputed_reference,
     .package = "trl",
     .since = {1, 9, 0}},
    {.id = "trl/torch-dtype",
     .effect = Effect::ignored,
     .message = "TRL from 0.27 on reads `dtype`; its command line ignores `torch_dtype` and loads fp32",
     .remedy = "write dtype instead",
     .source = "trl/trainer/model_config.py 0.27, trl/scripts",
     .when = old_dtype_key,
     .package = "trl",
     .since = {0, 27, 0}},
}};
constexpr auto constraints = joined(own_constraints, ta::constraints);

constexpr std::array<std::string_view, 1> all_of{"model_name_or_path"};
constexpr std::array<std::string_view, 23> any_of{"use_peft",
                                                  "dataset_name",
                                                  "datasets",
                                                  "dataset_mixture",
                                                  "dataset_mixer",
                                                  "dataset_text_field",
                                                  "packing",
                                                  "padding_free",
                                                  "max_prompt_length",
                                                  "max_completion_length",
                                                  "num_generations",
                                                  "reward_funcs",
                                                  "use_vllm",
                                                  "beta",
                                                  "loss_type",
                                                  "precompute_ref_log_probs",
                                                  "model_init_kwargs",
                                                  "assistant_only_loss",
                                                  "completion_only_loss",
                                                  "use_bnb_nested_quant",
                                                  "activation_offloading",
                                                  "desirable_weight",
                                                  "teacher_model_name_or_path"};
constexpr auto none_of = joined(ta::foreign, example_script);
constexpr std::array<std::string_view, 1> specialises{"hf_trainer"};
constexpr std::array<std::string_view, 1> bytes{"model_name_or_path"};

constexpr std::array<Companion, 2> companions{{
    {.path = "deepspeed", .dialect = "deepspeed", .inline_allowed = true},
    {.path = "model_name_or_path", .dialect = "model_config", .directory_config = true},
}};

/// open-r1's files that score generations and train nothing.
bool is_fragment(const Document& document) {
  return document.find("pass_rate_min") != no_node || document.find("pass_rate_max") != no_node;
}

constexpr std::array<std::string_view, 8> programs{"trl sft",    "trl dpo",  "trl grpo", "trl kto",
                                                   "trl reward", "trl rloo", "trl orpo", "trl ppo"};

}  // namespace

extern constinit const Dialect trl{
    .name = "trl",
    .title = "TRL",
    .package = "trl",
    .stack = "trl",
    .recognise = {.all_of = all_of,
                  .any_of = any_of,
                  .any_count = 1,
                  .none_of = none_of,
                  .specialises = specialises,
                  .programs = programs,
                  .bytes = bytes},
    .scalars = ScalarSchema::yaml11_pyyaml,
    .keys = keys,
    .known = trl_known_keys,
    .unknown_keys = UnknownKeys::ignored,
    .constraints = constraints,
    .companions = companions,
    .finish = finish,
    .spell = spell,
    .is_fragment = is_fragment,
    .divided_elsewhere = true,
};

}  // namespace oomlint
