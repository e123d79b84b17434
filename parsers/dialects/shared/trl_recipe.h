#pragma once

#include "lint/dialect/dialect.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What a TRL recipe means where one key does not say it: the task, the adapter, the reference model, the
/// rollouts.
namespace oomlint::trl_recipe {

/// Arguments of transformers' and peft's own example scripts (run_clm.py, run_glue.py, sft/train.py, …),
/// which share `dataset_name`.
inline constexpr std::array<std::string_view, 13> example_script{
    "task_name",           "train_file",        "validation_file",   "block_size",
    "dataset_config_name", "max_source_length", "max_target_length", "preprocessing_num_workers",
    "max_train_samples",   "pad_to_max_length", "text_column",       "mlm_probability",
    "use_peft_lora"};

/// What the recipe optimises, from its keys and, where these fit several trainers, its path.
[[nodiscard]] Task task_of(const ReadContext& context);

// Reading and writing.
std::optional<Scalar> read_method(const ReadContext& context, NodeId node);
std::optional<std::string> write_method(const Scalar& method);
std::optional<Scalar> read_loss(const ReadContext& context, NodeId node);
void finish(const ReadContext& context, Layer& layer);
bool spell(const ReadContext& context, const PlanEdit& edit, std::vector<TextEdit>& edits);

// Conditions of TRL's own checks.
std::optional<ConstraintHit> padding_free_without_flash(const ReadContext& context);
std::optional<ConstraintHit> packing_without_flash(const ReadContext& context);
std::optional<ConstraintHit> padding_free_with_max_length(const ReadContext& context);
std::optional<ConstraintHit> liger_with_chunked_loss(const ReadContext& context);
std::optional<ConstraintHit> quantised_without_adapter(const ReadContext& context);
std::optional<ConstraintHit> adapter_keys_without_adapter(const ReadContext& context);
std::optional<ConstraintHit> two_generation_batches(const ReadContext& context);
std::optional<ConstraintHit> unequal_groups(const ReadContext& context);
std::optional<ConstraintHit> one_generation(const ReadContext& context);
std::optional<ConstraintHit> batch_search_in_grpo(const ReadContext& context);
std::optional<ConstraintHit> sequence_parallel_grpo(const ReadContext& context);
std::optional<ConstraintHit> synchronised_reference(const ReadContext& context);
std::optional<ConstraintHit> liger_with_precomputed_reference(const ReadContext& context);
std::optional<ConstraintHit> old_dtype_key(const ReadContext& context);

}  // namespace oomlint::trl_recipe
