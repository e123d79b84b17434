#include "parsers/dialects/shared/conditions.h"
#include "parsers/dialects/shared/trl_recipe.h"

#include <algorithm>

namespace oomlint::trl_recipe {

namespace {

/// Kernels that take the boundaries of joined examples.
bool flash(const ReadContext& context) {
  const std::string kernel =
      context.text("attn_implementation")
          .value_or(context.text("model_init_kwargs.attn_implementation").value_or(""));
  return kernel.find("flash") != std::string::npos || is_on(context, "use_flash_attention_2");
}

bool is_grpo(const ReadContext& context) {
  return task_of(context) == Task::grpo;
}

bool parallel(const ReadContext& context, std::string_view path) {
  return context.count(path).value_or(1) > 1;
}

}  // namespace

std::optional<ConstraintHit> padding_free_without_flash(const ReadContext& context) {
  if (!is_on(context, "padding_free") || flash(context)) return std::nullopt;
  return blame(context, "padding_free", {"attn_implementation"});
}

std::optional<ConstraintHit> packing_without_flash(const ReadContext& context) {
  if (!is_on(context, "packing") || flash(context)) return std::nullopt;
  if (context.text("packing_strategy").value_or("bfd") == "wrapped") return std::nullopt;
  return blame(context, "packing", {"attn_implementation"});
}

std::optional<ConstraintHit> padding_free_with_max_length(const ReadContext& context) {
  if (task_of(context) != Task::sft || !is_on(context, "padding_free") || is_on(context, "packing"))
    return std::nullopt;
  if (context.find("max_length") != no_node && !context.has("max_length")) return std::nullopt;
  return blame(context, "padding_free", {"max_length"});
}

std::optional<ConstraintHit> liger_with_chunked_loss(const ReadContext& context) {
  if (!is_on(context, "use_liger_kernel") || context.text("loss_type") != "chunked_nll") return std::nullopt;
  return blame(context, "loss_type", {"use_liger_kernel"});
}

std::optional<ConstraintHit> quantised_without_adapter(const ReadContext& context) {
  if (is_on(context, "use_peft")) return std::nullopt;
  for (const std::string_view path : {"load_in_4bit", "load_in_8bit"}) {
    if (is_on(context, path)) return blame(context, path, {"use_peft"});
  }
  return std::nullopt;
}

std::optional<ConstraintHit> adapter_keys_without_adapter(const ReadContext& context) {
  if (is_on(context, "use_peft")) return std::nullopt;
  for (const std::string_view path : {"lora_r", "lora_alpha", "lora_target_modules", "lora_dropout"}) {
    if (context.has(path)) return blame(context, path, {"use_peft"});
  }
  return std::nullopt;
}

std::optional<ConstraintHit> two_generation_batches(const ReadContext& context) {
  if (!context.has("generation_batch_size") || !context.has("steps_per_generation")) return std::nullopt;
  return blame(context, "generation_batch_size", {"steps_per_generation"});
}

std::optional<ConstraintHit> unequal_groups(const ReadContext& context) {
  const auto batch = context.count("generation_batch_size");
  const auto group = context.count("num_generations");
  if (!batch || !group || *group < 1 || *batch % *group == 0) return std::nullopt;
  return blame(context, "generation_batch_size", {"num_generations"});
}

std::optional<ConstraintHit> one_generation(const ReadContext& context) {
  if (!is_grpo(context) || context.count("num_generations").value_or(2) >= 2) return std::nullopt;
  return blame(context, "num_generations");
}

std::optional<ConstraintHit> batch_search_in_grpo(const ReadContext& context) {
  if (!is_grpo(context) || !is_on(context, "auto_find_batch_size")) return std::nullopt;
  return blame(context, "auto_find_batch_size", {"num_generations"});
}

std::optional<ConstraintHit> sequence_parallel_grpo(const ReadContext& context) {
  if (!is_grpo(context)) return std::nullopt;
  for (const std::string_view path : {"parallelism_config.cp_size", "parallelism_config.sp_size"}) {
    if (parallel(context, path)) return blame(context, path, {"num_generations"});
  }
  return std::nullopt;
}

std::optional<ConstraintHit> synchronised_reference(const ReadContext& context) {
  if (task_of(context) != Task::dpo || !is_on(context, "sync_ref_model")) return std::nullopt;
  if (!is_on(context, "use_peft") && !is_on(context, "precompute_ref_log_probs")) return std::nullopt;
  return blame(context, "sync_ref_model", {"use_peft", "precompute_ref_log_probs"});
}

std::optional<ConstraintHit> liger_with_precomputed_reference(const ReadContext& context) {
  if (task_of(context) != Task::dpo || !is_on(context, "use_liger_kernel")) return std::nullopt;
  if (!is_on(context, "precompute_ref_log_probs")) return std::nullopt;
  return blame(context, "precompute_ref_log_probs", {"use_liger_kernel"});
}

std::optional<ConstraintHit> old_dtype_key(const ReadContext& context) {
  if (!context.has("torch_dtype") || context.has("dtype")) return std::nullopt;
  return blame(context, "torch_dtype");
}

}  // namespace oomlint::trl_recipe
