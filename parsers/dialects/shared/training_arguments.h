#pragma once

#include "lint/dialect/dialect.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

/// The keys of transformers' TrainingArguments and of the model arguments that nearly every script beside it
/// has. hf_trainer reads them alone, other dialects add their own. Sources:
/// transformers 4.46.3, 4.57.6, 5.0.0 to 5.24.0, training_args.py, trainer.py, trainer_optimizer.py.
namespace oomlint::training_arguments {

namespace words {

inline constexpr std::array<WordPair, 7> dtype{{{"bfloat16", "bf16"},
                                                {"float16", "fp16"},
                                                {"float32", "fp32"},
                                                {"bf16", "bf16"},
                                                {"fp16", "fp16"},
                                                {"fp32", "fp32"},
                                                {"auto", "?"}}};
inline constexpr std::array<WordPair, 1> is_bf16{{{"true", "bf16"}}};
inline constexpr std::array<WordPair, 1> is_fp16{{{"true", "fp16"}}};
inline constexpr std::array<WordPair, 1> is_true{{{"true", "true"}}};
inline constexpr std::array<WordPair, 2> checkpointing{{{"true", "full"}, {"false", "none"}}};
inline constexpr std::array<WordPair, 1> checkpointing_only{{{"true", "full"}}};
inline constexpr std::array<WordPair, 8> attention{{{"flash_attention_2", "flash"},
                                                    {"sdpa", "sdpa"},
                                                    {"eager", "eager"},
                                                    {"flash_attention_3", "flash"},
                                                    {"flash_attention_4", "flash"},
                                                    {"kernels-community/flash-attn", "flash"},
                                                    {"kernels-community/flash-attn2", "flash"},
                                                    {"kernels-community/vllm-flash-attn3", "flash"}}};
inline constexpr std::array<WordPair, 1> is_flash{{{"true", "flash"}}};
inline constexpr std::array<WordPair, 1> is_fused{{{"true", "fused"}}};
inline constexpr std::array<WordPair, 4> evaluation{
    {{"steps", "true"}, {"no", "false"}, {"epoch", "true"}, {"false", "false"}}};
inline constexpr std::array<WordPair, 1> is_int8{{{"true", "int8"}}};
inline constexpr std::array<WordPair, 1> keeps_nothing{{{"true", "false"}}};

}  // namespace words

/// Keys of launchers and frameworks that share TrainingArguments' words without being plain
/// TrainingArguments: LLaMA-Factory, ms-swift, axolotl, unsloth, SimpleTuner, autotrain, levanter.
inline constexpr std::array<std::string_view, 20> foreign{"finetuning_type",
                                                          "cutoff_len",
                                                          "dataset_dir",
                                                          "template",
                                                          "stage",
                                                          "train_type",
                                                          "tuner_type",
                                                          "sft_type",
                                                          "swift",
                                                          "base_model",
                                                          "micro_batch_size",
                                                          "sequence_len",
                                                          "use_gradient_checkpointing",
                                                          "data_backend_config",
                                                          "model_family",
                                                          "trainer",
                                                          "training",
                                                          "initialize_from_hf",
                                                          "pretrained_model_name_or_path",
                                                          "services"};

namespace defaults {

inline constexpr std::array<DefaultValue, 1> eight{{{"8"}}};
inline constexpr std::array<DefaultValue, 1> one{{{"1"}}};
inline constexpr std::array<DefaultValue, 1> three{{{"3"}}};
inline constexpr std::array<DefaultValue, 1> no{{{"false"}}};
inline constexpr std::array<DefaultValue, 1> none{{{"none"}}};
inline constexpr std::array<DefaultValue, 1> plain{{{"plain"}}};
inline constexpr std::array<DefaultValue, 1> save_steps{{{"500"}}};
inline constexpr std::array<DefaultValue, 2> optimizer{
    {{"adamw_torch"}, {"adamw_torch_fused", "torch", {2, 8, 0}}}};
/// from_pretrained loads fp32 up to transformers 4, from 5 on whatever the checkpoint holds.
inline constexpr std::array<DefaultValue, 2> weight_dtype{{{"fp32"}, {"?", "transformers", {5, 0, 0}}}};
inline constexpr std::array<DefaultValue, 2> attention{{{"eager"}, {"sdpa", "transformers", {4, 36, 0}}}};
inline constexpr std::array<DefaultValue, 2> reentrant{{{"true"}, {"false", "transformers", {5, 24, 0}}}};

}  // namespace defaults

/// The storage that bitsandbytes' switches ask for; nothing when 4 bits are off.
std::optional<Scalar> read_four_bit(const ReadContext& context, NodeId node);
/// What `fsdp` says in both its forms: option text or list up to transformers 4, a flag beside fsdp_config
/// from 5 on.
std::optional<Scalar> read_fsdp(const ReadContext& context, NodeId node);
std::optional<std::string> write_fsdp(const Scalar& sharding);
std::optional<Scalar> read_fsdp_offload(const ReadContext& context, NodeId node);
/// True where evaluation can't gather logits: it accumulates on the host or asks for the loss alone.
std::optional<Scalar> read_eval_accumulation(const ReadContext& context, NodeId node);

inline constexpr std::array<KeySpec, 52> keys{{
    {.path = "model_name_or_path", .field = Field::model},
    {.path = "dtype",
     .field = Field::weight_dtype,
     .convert = Convert::words,
     .words = words::dtype,
     .defaults = defaults::weight_dtype},
    {.path = "model_init_kwargs.dtype",
     .field = Field::weight_dtype,
     .convert = Convert::words,
     .words = words::dtype,
     .spell = false},
    {.path = "model_init_kwargs.torch_dtype",
     .field = Field::weight_dtype,
     .convert = Convert::words,
     .words = words::dtype,
     .spell = false},
    {.path = "bf16", .field = Field::compute_dtype, .convert = Convert::true_means, .words = words::is_bf16},
    {.path = "fp16", .field = Field::compute_dtype, .convert = Convert::true_means, .words = words::is_fp16},
    {.path = "bf16",
     .field = Field::autocast,
     .convert = Convert::true_means,
     .words = words::is_true,
     .defaults = defaults::no,
     .spell = false},
    {.path = "fp16",
     .field = Field::autocast,
     .convert = Convert::true_means,
     .words = words::is_true,
     .spell = false},
    {.path = "tf32", .field = Field::tf32},
    {.path = "optim", .field = Field::optimizer, .defaults = defaults::optimizer},
    {.path = "per_device_train_batch_size", .field = Field::micro_batch, .defaults = defaults::eight},
    {.path = "per_gpu_train_batch_size",
     .field = Field::micro_batch,
     .renamed_to = "per_device_train_batch_size"},
    {.path = "gradient_accumulation_steps", .field = Field::accumulation, .defaults = defaults::one},
    {.path = "per_device_eval_batch_size", .field = Field::evaluation_batch, .defaults = defaults::eight},
    {.path = "per_gpu_eval_batch_size",
     .field = Field::evaluation_batch,
     .renamed_to = "per_device_eval_batch_size"},
    {.path = "eval_strategy",
     .field = Field::evaluation,
     .convert = Convert::words,
     .words = words::evaluation,
     .defaults = defaults::no},
    {.path = "evaluation_strategy",
     .field = Field::evaluation,
     .convert = Convert::words,
     .words = words::evaluation,
     .renamed_to = "eval_strategy"},
    {.path = "do_eval",
     .field = Field::evaluation,
     .convert = Convert::true_means,
     .words = words::is_true,
     .spell = false},
    {.path = "eval_accumulation_steps",
     .field = Field::evaluation_keeps_logits,
     .convert = Convert::custom,
     .read = read_eval_accumulation,
     .spell = false},
    {.path = "prediction_loss_only",
     .field = Field::evaluation_keeps_logits,
     .convert = Convert::true_means,
     .words = words::keeps_nothing},
    {.path = "batch_eval_metrics",
     .field = Field::evaluation_keeps_logits,
     .convert = Convert::true_means,
     .words = words::keeps_nothing,
     .spell = false},
    {.path = "activation_checkpointing",
     .field = Field::checkpointing,
     .convert = Convert::true_means,
     .words = words::checkpointing,
     .spell = false},
    {.path = "gradient_checkpointing",
     .field = Field::checkpointing,
     .convert = Convert::true_means,
     .words = words::checkpointing,
     .defaults = defaults::none},
    {.path = "fsdp_config.activation_checkpointing",
     .field = Field::checkpointing,
     .convert = Convert::true_means,
     .words = words::checkpointing_only,
     .spell = false},
    {.path = "activation_checkpointing_kwargs.use_reentrant",
     .field = Field::checkpointing_reentrant,
     .spell = false},
    {.path = "gradient_checkpointing_kwargs.use_reentrant",
     .field = Field::checkpointing_reentrant,
     .defaults = defaults::reentrant},
    {.path = "attn_implementation",
     .field = Field::attention,
     .convert = Convert::words,
     .words = words::attention,
     .defaults = defaults::attention},
    {.path = "model_init_kwargs.attn_implementation",
     .field = Field::attention,
     .convert = Convert::words,
     .words = words::attention,
     .spell = false},
    {.path = "use_flash_attention_2",
     .field = Field::attention,
     .convert = Convert::true_means,
     .words = words::is_flash,
     .spell = false},
    {.path = "use_liger_kernel",
     .field = Field::loss,
     .convert = Convert::true_means,
     .words = words::is_fused,
     .defaults = defaults::plain},
    {.path = "torch_compile", .field = Field::compile, .defaults = defaults::no},
    {.path = "num_train_epochs", .field = Field::epochs, .defaults = defaults::three},
    {.path = "max_steps", .field = Field::max_steps},
    {.path = "save_steps", .field = Field::save_steps, .defaults = defaults::save_steps},
    {.path = "save_total_limit", .field = Field::save_limit},
    {.path = "fsdp",
     .field = Field::sharding,
     .convert = Convert::custom,
     .read = read_fsdp,
     .write = write_fsdp},
    {.path = "fsdp_config.cpu_offload",
     .field = Field::offload_parameters,
     .convert = Convert::true_means,
     .words = words::is_true,
     .spell = false},
    {.path = "fsdp",
     .field = Field::offload_parameters,
     .convert = Convert::custom,
     .read = read_fsdp_offload,
     .spell = false},
    {.path = "fsdp",
     .field = Field::offload_optimizer,
     .convert = Convert::custom,
     .read = read_fsdp_offload,
     .spell = false},
    {.path = "parallelism_config.tp_size", .field = Field::tensor_parallel},
    {.path = "parallelism_config.cp_size", .field = Field::context_parallel},
    {.path = "parallelism_config.sp_size", .field = Field::context_parallel},
    {.path = "load_in_8bit",
     .field = Field::quantisation,
     .convert = Convert::true_means,
     .words = words::is_int8},
    {.path = "load_in_4bit",
     .field = Field::quantisation,
     .convert = Convert::custom,
     .read = read_four_bit,
     .spell = false},
    {.path = "bnb_4bit_compute_dtype",
     .field = Field::quantisation_compute_dtype,
     .convert = Convert::words,
     .words = words::dtype},
    {.path = "lora_r", .field = Field::lora_rank},
    {.path = "lora_rank", .field = Field::lora_rank, .spell = false},
    {.path = "lora_alpha", .field = Field::lora_alpha},
    {.path = "lora_dropout", .field = Field::lora_dropout},
    {.path = "lora_target_modules", .field = Field::lora_targets},
    {.path = "lora_modules_to_save", .field = Field::modules_to_save},
    {.path = "max_length", .field = Field::sequence_length, .null_means = NullMeans::unknown},
}};

/// `eval_strategy` under either of its names, "no" where nothing is said; PyYAML reads a bare `no` as false.
[[nodiscard]] std::string eval_strategy(const ReadContext& context);

// Conditions of the rows below and of other dialects' rows.
std::optional<ConstraintHit> fp16_and_bf16(const ReadContext& context);
std::optional<ConstraintHit> best_model_strategies_differ(const ReadContext& context);
std::optional<ConstraintHit> save_between_evaluations(const ReadContext& context);
std::optional<ConstraintHit> evaluation_without_steps(const ReadContext& context);
std::optional<ConstraintHit> prefetch_without_workers(const ReadContext& context);
std::optional<ConstraintHit> low_rank_optimizer_without_targets(const ReadContext& context);
std::optional<ConstraintHit> unknown_optimizer(const ReadContext& context);
std::optional<ConstraintHit> batch_search_with_zero3(const ReadContext& context);
std::optional<ConstraintHit> hybrid_shard_on_fsdp2(const ReadContext& context);
std::optional<ConstraintHit> checkpointing_beside_fsdp(const ReadContext& context);
std::optional<ConstraintHit> four_and_eight_bit(const ReadContext& context);
std::optional<ConstraintHit> quantised_storage_dtype(const ReadContext& context);

inline constexpr std::string_view arguments_source = "transformers training_args.py, 4.46 to 5.24";

inline constexpr std::array<Constraint, 12> constraints{{
    {.id = "transformers/fp16-and-bf16",
     .effect = Effect::refused,
     .message = "`fp16` and `bf16` can't both be on",
     .remedy = "keep bf16 on Ampere and newer GPUs, fp16 on older ones",
     .source = arguments_source,
     .when = fp16_and_bf16},
    {.id = "transformers/best-model-strategies-differ",
     .effect = Effect::refused,
     .message = "`load_best_model_at_end` needs the same save and evaluation strategy",
     .remedy = "set save_strategy to the value of eval_strategy",
     .source = arguments_source,
     .when = best_model_strategies_differ},
    {.id = "transformers/save-between-evaluations",
     .effect = Effect::refused,
     .message = "with `load_best_model_at_end`, `save_steps` must be a multiple of `eval_steps`",
     .remedy = "choose save_steps as a multiple of eval_steps",
     .source = arguments_source,
     .when = save_between_evaluations},
    {.id = "transformers/evaluation-without-steps",
     .effect = Effect::refused,
     .message = "evaluation by steps needs `eval_steps` or `logging_steps` above zero",
     .remedy = "set eval_steps",
     .source = arguments_source,
     .when = evaluation_without_steps},
    {.id = "transformers/prefetch-without-workers",
     .effect = Effect::refused,
     .message = "`dataloader_prefetch_factor` needs `dataloader_num_workers` of at least 1",
     .remedy = "set dataloader_num_workers or drop the prefetch factor",
     .source = arguments_source,
     .when = prefetch_without_workers},
    {.id = "transformers/low-rank-optimizer-without-targets",
     .effect = Effect::refused,
     .message = "GaLore and APOLLO optimizers need `optim_target_modules`",
     .remedy = "set optim_target_modules",
     .source = "transformers trainer_optimizer.py 5.24, trainer.py 4.46",
     .when = low_rank_optimizer_without_targets},
    {.id = "transformers/unknown-optimizer",
     .effect = Effect::refused,
     .message = "this is not the name of an optimizer of the Trainer",
     .remedy = "use a name of OptimizerNames",
     .source = arguments_source,
     .when = unknown_optimizer},
    {.id = "transformers/batch-search-with-zero3",
     .effect = Effect::refused,
     .message = "`auto_find_batch_size` does not work with ZeRO-3",
     .remedy = "drop auto_find_batch_size",
     .source = "transformers trainer.py 5.24",
     .when = batch_search_with_zero3,
     .package = "transformers",
     .since = {4, 46, 0}},
    {.id = "transformers/hybrid-shard-on-fsdp2",
     .effect = Effect::refused,
     .message = "FSDP 2 does not take `hybrid_shard` in `fsdp`",
     .remedy = "set fsdp_config.version to 1, or describe the mesh in parallelism_config",
     .source = "transformers training_args.py 5.24, _apply_legacy_fsdp_to_config",
     .when = hybrid_shard_on_fsdp2,
     .package = "transformers",
     .since = {5, 0, 0}},
    {.id = "transformers/checkpointing-beside-fsdp",
     .effect = Effect::warned,
     .message = "checkpointing by the Trainer gathers the weights of FSDP once more in backward",
     .remedy = "set fsdp_config.activation_checkpointing instead",
     .source = "transformers training_args.py 5.24, _process_fsdp_args",
     .when = checkpointing_beside_fsdp,
     .package = "transformers",
     .since = {4, 46, 0}},
    {.id = "bitsandbytes/four-and-eight-bit",
     .effect = Effect::refused,
     .message = "`load_in_4bit` and `load_in_8bit` can't both be on",
     .remedy = "keep one of the two",
     .source = "transformers utils/quantization_config.py 5.24, trl/trainer/model_config.py 1.10",
     .when = four_and_eight_bit},
    {.id = "bitsandbytes/storage-dtype",
     .effect = Effect::refused,
     .message = "`bnb_4bit_quant_storage` must be one of float16, float32, int8, uint8, float64, bfloat16",
     .remedy = "write the dtype's full torch name",
     .source = "transformers utils/quantization_config.py 5.24",
     .when = quantised_storage_dtype},
}};

}  // namespace oomlint::training_arguments
