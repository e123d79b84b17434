#include "lint/dialect/dialect.h"
#include "parsers/dialects/axolotl_parts/axolotl_parts.h"

#include "known_keys.h"
#include <array>

namespace oomlint {

namespace {

using namespace axolotl_parts;

// --- recognition
// --------------------------------------------------------------------------------------------------
constexpr std::array<std::string_view, 1> all_of{"base_model"};
constexpr std::array<std::string_view, 17> any_of{"micro_batch_size",
                                                  "sequence_len",
                                                  "datasets[].type",
                                                  "adapter",
                                                  "lora_r",
                                                  "sample_packing",
                                                  "val_set_size",
                                                  "num_epochs",
                                                  "rl",
                                                  "pretraining_dataset",
                                                  "gradient_accumulation_steps",
                                                  "dataset_prepared_path",
                                                  "special_tokens",
                                                  "load_in_8bit",
                                                  "flash_attention",
                                                  "pad_to_sequence_len",
                                                  "lora_target_linear"};
constexpr std::array<std::string_view, 6> none_of{"task",        "params",       "model_name_or_path",
                                                  "_component_", "merge_method", "finetuning_type"};
constexpr std::array<std::string_view, 1> bytes{"base_model"};

// --- words
// --------------------------------------------------------------------------------------------------------
constexpr std::array<WordPair, 3> methods{
    {{"lora", "lora"}, {"qlora", "qlora"}, {"llama-adapter", "adapter"}}};
constexpr std::array<WordPair, 1> int8{{{"true", "int8"}}};
constexpr std::array<WordPair, 1> gptq{{{"true", "gptq"}}};
constexpr std::array<WordPair, 1> all_linear{{{"true", "all-linear"}}};
constexpr std::array<WordPair, 1> bf16{{{"true", "bf16"}}};
constexpr std::array<WordPair, 1> fp16{{{"true", "fp16"}}};
constexpr std::array<WordPair, 1> fp32{{{"true", "fp32"}}};
constexpr std::array<WordPair, 3> auto_flag{{{"true", "true"}, {"auto", "true"}, {"false", "false"}}};
constexpr std::array<WordPair, 1> selective{{{"true", "selective"}}};
constexpr std::array<WordPair, 1> full{{{"true", "full"}}};
constexpr std::array<WordPair, 5> checkpointing{{{"true", "full"},
                                                 {"false", "none"},
                                                 {"offload", "offloaded"},
                                                 {"offload_disk", "offloaded"},
                                                 {"unsloth", "offloaded"}}};
constexpr std::array<WordPair, 5> offloading{
    {{"true", "true"}, {"false", "false"}, {"legacy", "true"}, {"disk", "true"}, {"hidden_states", "true"}}};
constexpr std::array<WordPair, 1> flash{{{"true", "flash"}}};
constexpr std::array<WordPair, 1> sdpa{{{"true", "sdpa"}}};
constexpr std::array<WordPair, 1> eager{{{"true", "eager"}}};
constexpr std::array<WordPair, 1> fused{{{"true", "fused"}}};
constexpr std::array<WordPair, 1> chunked{{{"true", "chunked"}}};
constexpr std::array<WordPair, 1> padding_free{{{"true", "true"}}};
constexpr std::array<WordPair, 8> rl{{{"dpo", "dpo"},
                                      {"ipo", "dpo"},
                                      {"orpo", "orpo"},
                                      {"kto", "kto"},
                                      {"simpo", "simpo"},
                                      {"grpo", "grpo"},
                                      {"gdpo", "grpo"},
                                      {"kto_pair", "dpo"}}};
constexpr std::array<WordPair, 1> reward{{{"true", "reward"}}};
constexpr std::array<WordPair, 1> pretrain{{{"", "pretrain"}}};

// --- defaults
// -----------------------------------------------------------------------------------------------------
constexpr std::array<DefaultValue, 1> one{{{"1"}}};
constexpr std::array<DefaultValue, 1> zero{{{"0"}}};
constexpr std::array<DefaultValue, 1> no{{{"false"}}};
constexpr std::array<DefaultValue, 1> none{{{"none"}}};
constexpr std::array<DefaultValue, 1> plain{{{"plain"}}};
constexpr std::array<DefaultValue, 1> sft{{{"sft"}}};
constexpr std::array<DefaultValue, 1> full_training{{{"full"}}};
constexpr std::array<DefaultValue, 1> length{{{"512"}}};
constexpr std::array<DefaultValue, 1> kept{{{"4"}}};
constexpr std::array<DefaultValue, 1> reentrant{{{"true"}}};
constexpr std::array<DefaultValue, 2> tf32{{{"false"}, {"true", "axolotl", {0, 16, 0}}}};
constexpr std::array<DefaultValue, 2> optimizers{{{"adamw_hf"}, {"adamw_torch_fused", "axolotl", {0, 8, 0}}}};
constexpr std::array<DefaultValue, 2> attention{{{"eager"}, {"sdpa", "transformers", {4, 36, 0}}}};

// The table is also the order in which a new key looks for its neighbour. Versions that matter: axolotl,
// transformers.
constexpr std::array<KeySpec, 78> keys{{
    {.path = "base_model", .field = Field::model},
    {.path = "overrides_of_model_config.num_hidden_layers", .field = Field::layers},
    {.path = "overrides_of_model_config.hidden_size", .field = Field::hidden_size},
    {.path = "overrides_of_model_config.intermediate_size", .field = Field::intermediate_size},
    {.path = "overrides_of_model_config.num_attention_heads", .field = Field::heads},
    {.path = "overrides_of_model_config.num_key_value_heads", .field = Field::kv_heads},
    {.path = "overrides_of_model_config.head_dim", .field = Field::head_dim},
    {.path = "overrides_of_model_config.vocab_size", .field = Field::vocabulary},
    {.path = "overrides_of_model_config.max_position_embeddings", .field = Field::max_positions},
    {.path = "model_config.num_hidden_layers",
     .field = Field::layers,
     .renamed_to = "overrides_of_model_config.num_hidden_layers"},
    {.path = "model_config.hidden_size",
     .field = Field::hidden_size,
     .renamed_to = "overrides_of_model_config.hidden_size"},

    {.path = "rl", .field = Field::task, .convert = Convert::words, .words = rl, .defaults = sft},
    {.path = "reward_model",
     .field = Field::task,
     .convert = Convert::true_means,
     .words = reward,
     .spell = false},
    {.path = "process_reward_model",
     .field = Field::task,
     .convert = Convert::true_means,
     .words = reward,
     .spell = false},
    {.path = "pretraining_dataset",
     .field = Field::task,
     .convert = Convert::presence,
     .words = pretrain,
     .spell = false},
    {.path = "trl.num_generations", .field = Field::generations_per_prompt},
    {.path = "trl.max_completion_length", .field = Field::completion_length},
    {.path = "max_prompt_len", .field = Field::prompt_length},

    {.path = "gptq",
     .field = Field::quantisation,
     .convert = Convert::true_means,
     .words = gptq,
     .spell = false},
    {.path = "load_in_8bit",
     .field = Field::quantisation,
     .convert = Convert::true_means,
     .words = int8,
     .defaults = none,
     .spell = false},
    {.path = "load_in_4bit",
     .field = Field::quantisation,
     .convert = Convert::custom,
     .read = read_bits,
     .spell = false},

    {.path = "sequence_len", .field = Field::sequence_length, .defaults = length},
    {.path = "sample_packing", .field = Field::packing, .defaults = no},
    {.path = "pad_to_sequence_len", .field = Field::pad_to_length},
    {.path = "batch_flattening",
     .field = Field::padding_free,
     .convert = Convert::true_means,
     .words = padding_free},
    {.path = "dpo_padding_free",
     .field = Field::padding_free,
     .convert = Convert::true_means,
     .words = padding_free},
    {.path = "val_set_size",
     .field = Field::evaluation,
     .convert = Convert::custom,
     .defaults = no,
     .read = read_validation,
     .spell = false},

    {.path = "adapter",
     .field = Field::method,
     .convert = Convert::words,
     .words = methods,
     .defaults = full_training},
    {.path = "lora_r", .field = Field::lora_rank},
    {.path = "lora_alpha", .field = Field::lora_alpha},
    {.path = "lora_dropout", .field = Field::lora_dropout, .defaults = zero},
    {.path = "lora_target_linear",
     .field = Field::lora_targets,
     .convert = Convert::true_means,
     .words = all_linear},
    {.path = "lora_target_modules", .field = Field::lora_targets},
    {.path = "lora_modules_to_save", .field = Field::modules_to_save},

    {.path = "gradient_accumulation_steps", .field = Field::accumulation, .defaults = one},
    {.path = "micro_batch_size", .field = Field::micro_batch, .defaults = one},
    {.path = "eval_batch_size", .field = Field::evaluation_batch},
    {.path = "num_epochs", .field = Field::epochs, .defaults = one},
    {.path = "max_steps", .field = Field::max_steps},
    {.path = "optimizer", .field = Field::optimizer, .defaults = optimizers},

    {.path = "bf16",
     .field = Field::compute_dtype,
     .convert = Convert::custom,
     .read = read_precision,
     .write = write_precision},
    {.path = "bfloat16",
     .field = Field::compute_dtype,
     .convert = Convert::true_means,
     .words = bf16,
     .spell = false},
    {.path = "fp16", .field = Field::compute_dtype, .convert = Convert::true_means, .words = fp16},
    {.path = "float16",
     .field = Field::compute_dtype,
     .convert = Convert::true_means,
     .words = fp16,
     .spell = false},
    {.path = "float32", .field = Field::compute_dtype, .convert = Convert::true_means, .words = fp32},
    {.path = "tf32", .field = Field::tf32, .convert = Convert::words, .words = auto_flag, .defaults = tf32},

    {.path = "selective_checkpointing",
     .field = Field::checkpointing,
     .convert = Convert::presence,
     .words = selective,
     .spell = false},
    {.path = "gradient_checkpointing",
     .field = Field::checkpointing,
     .convert = Convert::words,
     .words = checkpointing,
     .defaults = none},
    {.path = "fsdp_config.activation_checkpointing",
     .field = Field::checkpointing,
     .convert = Convert::true_means,
     .words = full,
     .spell = false},
    {.path = "fsdp_config.fsdp_activation_checkpointing",
     .field = Field::checkpointing,
     .convert = Convert::true_means,
     .words = full,
     .renamed_to = "fsdp_config.activation_checkpointing"},
    {.path = "gradient_checkpointing_kwargs.use_reentrant",
     .field = Field::checkpointing_reentrant,
     .defaults = reentrant},
    {.path = "activation_offloading",
     .field = Field::activation_offload,
     .convert = Convert::words,
     .words = offloading,
     .defaults = no},
    {.path = "torch_compile", .field = Field::compile, .defaults = no},

    {.path = "attn_implementation",
     .field = Field::attention,
     .convert = Convert::custom,
     .defaults = attention,
     .since = "0.12",
     .read = read_attention,
     .write = write_attention},
    {.path = "flash_attention", .field = Field::attention, .convert = Convert::true_means, .words = flash},
    {.path = "sdp_attention", .field = Field::attention, .convert = Convert::true_means, .words = sdpa},
    {.path = "xformers_attention", .field = Field::attention, .convert = Convert::true_means, .words = flash},
    {.path = "flex_attention", .field = Field::attention, .convert = Convert::true_means, .words = flash},
    {.path = "sage_attention", .field = Field::attention, .convert = Convert::true_means, .words = flash},
    {.path = "eager_attention", .field = Field::attention, .convert = Convert::true_means, .words = eager},

    {.path = "cut_cross_entropy",
     .field = Field::loss,
     .convert = Convert::true_means,
     .words = fused,
     .defaults = plain,
     .spell = false},
    {.path = "liger_fused_linear_cross_entropy",
     .field = Field::loss,
     .convert = Convert::true_means,
     .words = fused,
     .spell = false},
    {.path = "chunked_cross_entropy", .field = Field::loss, .convert = Convert::true_means, .words = chunked},
    {.path = "dpo_use_liger_kernel",
     .field = Field::loss,
     .convert = Convert::true_means,
     .words = fused,
     .spell = false},
    {.path = "trl.use_liger_loss",
     .field = Field::loss,
     .convert = Convert::true_means,
     .words = fused,
     .spell = false},

    {.path = "save_steps", .field = Field::save_steps},
    {.path = "save_total_limit", .field = Field::save_limit, .defaults = kept},

    {.path = "tensor_parallel_size", .field = Field::tensor_parallel, .defaults = one},
    {.path = "context_parallel_size", .field = Field::context_parallel, .defaults = one},
    {.path = "sequence_parallel_degree",
     .field = Field::context_parallel,
     .renamed_to = "context_parallel_size"},
    {.path = "expert_parallel_size", .field = Field::expert_parallel},
    {.path = "dp_shard_size", .field = Field::shard_group},
    {.path = "fsdp",
     .field = Field::sharding,
     .convert = Convert::custom,
     .read = read_sharding,
     .spell = false},
    {.path = "fsdp_config",
     .field = Field::sharding,
     .convert = Convert::custom,
     .read = read_sharding,
     .spell = false},
    {.path = "fsdp_config.offload_params", .field = Field::offload_parameters},
    {.path = "fsdp_config.fsdp_offload_params",
     .field = Field::offload_parameters,
     .renamed_to = "fsdp_config.offload_params"},
    {.path = "fsdp_config.offload_params", .field = Field::offload_optimizer, .spell = false},
    {.path = "fsdp_config.fsdp_offload_params",
     .field = Field::offload_optimizer,
     .renamed_to = "fsdp_config.offload_params",
     .spell = false},
}};

constexpr std::array<Companion, 2> companions{{
    {.path = "deepspeed", .dialect = "deepspeed", .inline_allowed = true},
    {.path = "base_model", .dialect = "model_config", .directory_config = true},
}};

constexpr std::array<std::string_view, 3> programs{"axolotl train", "axolotl.cli.train",
                                                   "axolotl/cli/train.py"};

bool is_file(const Document& document) {
  return document.launch() == no_node;
}

}  // namespace

extern constinit const Dialect axolotl{
    .name = "axolotl",
    .title = "axolotl",
    .package = "axolotl",
    .stack = "axolotl",
    .recognise = {.all_of = all_of,
                  .any_of = any_of,
                  .any_count = 2,
                  .none_of = none_of,
                  .programs = programs,
                  .bytes = bytes,
                  .extra = is_file,
                  .extra_doc = "axolotl reads files; other programs have options of these names"},
    .scalars = ScalarSchema::yaml11_pyyaml,
    .keys = keys,
    .known = axolotl_known_keys,
    .unknown_keys = UnknownKeys::ignored,
    .constraints = constraints,
    .companions = companions,
    .finish = derive,
    .spell = spell_together,
};

}  // namespace oomlint
