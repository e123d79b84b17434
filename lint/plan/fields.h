#pragma once

#include "lint/plan/scalar.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace oomlint {

/// Every field of a training plan. The table behind it (fields.cpp) is the only list: the native dialect,
/// `--assume`, the JSON plan, `diff`, hover, documentation and the settings schema are loops over it.
enum class Field : std::uint8_t {
  // what is trained
  model,
  parameters,
  task,
  method,
  stack,
  framework_date,
  // inline shape (native dialect, config.json); the catalogue fills what is not given
  model_type,
  layers,
  hidden_size,
  intermediate_size,
  heads,
  kv_heads,
  head_dim,
  vocabulary,
  tied_embeddings,
  max_positions,
  experts,
  experts_per_token,
  expert_intermediate_size,
  shared_expert_intermediate_size,
  dense_layers,
  q_lora_rank,
  kv_lora_rank,
  qk_nope_head_dim,
  qk_rope_head_dim,
  v_head_dim,
  // precision
  weight_dtype,
  compute_dtype,
  autocast,
  gradient_dtype,
  master_weights,
  tf32,
  // optimizer
  optimizer,
  optimizer_momentum,
  optimizer_paged,
  optimizer_in_backward,
  // batch and length
  micro_batch,
  accumulation,
  effective_batch,
  evaluation_batch,
  sequence_length,
  packing,
  pad_to_length,
  padding_free,
  image_height,
  image_width,
  frames,
  cached_conditions,
  longest_example,
  evaluation,
  evaluation_keeps_logits,
  // adapters and quantisation
  lora_rank,
  lora_alpha,
  lora_targets,
  lora_dropout,
  lora_bias,
  modules_to_save,
  adapter_kind,
  virtual_tokens,
  adapter_dtype,
  quantisation,
  quantisation_compute_dtype,
  trainable_layers,
  kbit_prepared,
  // activations
  checkpointing,
  checkpointing_reentrant,
  checkpointing_every,
  attention,
  loss,
  compile,
  compiled_loss,
  activation_offload,
  recompute_modules,
  // devices
  gpu,
  world,
  nodes,
  sharding,
  shard_group,
  replica_groups,
  tensor_parallel,
  pipeline_parallel,
  pipeline_micro_batch,
  virtual_pipeline,
  context_parallel,
  expert_parallel,
  expert_tensor_parallel,
  sequence_parallel,
  offload_optimizer,
  offload_parameters,
  reduce_bucket_elements,
  deferred_reduction,
  expandable_segments,
  // length of the run
  epochs,
  max_steps,
  tokens,
  examples,
  tokens_per_second,
  save_steps,
  save_limit,
  // flat sums (native dialect, textbook profile)
  activation_bytes,
  adapter_parameters,
  weight_bytes,
  gradient_bytes,
  moment_bytes,
  master_bytes,
  generation_layers,
  generation_kv_width,
  generation_tokens,
  generation_requests,
  generation_bytes_per_element,
  // further models of the run
  reference_model,
  reward_model,
  teacher_model,
  rollout_engine,
  rollout_memory_fraction,
  generations_per_prompt,
  completion_length,
  prompt_length,
  count_
};
inline constexpr std::size_t field_count = static_cast<std::size_t>(Field::count_);

enum class FieldType : std::uint8_t { flag, count, number, word, text, list };

/// What a larger value does to the peak. `either`: depends.
enum class MemoryDirection : std::uint8_t { none, up, down, either };

/// The low, likely and high value assumed for an absent field; unknown (monostate) where no honest range
/// exists.
struct Prior {
  std::optional<double> low, likely, high;
};

struct FieldInfo {
  Field field;
  std::string_view name;  ///< flat snake_case
  FieldType type;
  std::string_view unit;  ///< "tokens", "sequences", "bytes", "devices", …; empty where none
  std::string_view doc;   ///< one line
  MemoryDirection direction = MemoryDirection::none;
  bool remedy = false;                                     ///< a search for remedies may turn it
  std::span<const std::string_view> (*words)() = nullptr;  ///< the vocabulary of a word field
  Prior prior{};
};

[[nodiscard]] std::span<const FieldInfo> all_fields();
[[nodiscard]] const FieldInfo& info(Field field);
[[nodiscard]] inline std::string_view name_of(Field field) {
  return info(field).name;
}
[[nodiscard]] std::optional<Field> field_named(std::string_view name);

/// Reads `text` as a value of the field ("8", "true", "bf16", "q_proj,v_proj", "4k" is refused). On failure
/// returns nothing and says in `why` what would be accepted.
[[nodiscard]] std::optional<Scalar> parse_value(Field field, std::string_view text, std::string& why);

}  // namespace oomlint
