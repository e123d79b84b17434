#pragma once

#include "lint/dialect/dialect.h"

#include <optional>

// When axolotl's own checks strike: one function a row of constraints.cpp, which says what each is about.
// Those that rest on a missing key do not speak of texts that could not be read to their end.
namespace oomlint::axolotl_parts {

using Hit = std::optional<ConstraintHit>;
using C = const ReadContext&;

[[nodiscard]] Hit batch_keys(C c);
[[nodiscard]] Hit batch_size_and_accumulation(C c);
[[nodiscard]] Hit quantised_without_adapter(C c);
[[nodiscard]] Hit lora_in_4bit(C c);
[[nodiscard]] Hit qlora_without_4bit(C c);
[[nodiscard]] Hit qlora_in_8bit(C c);
[[nodiscard]] Hit packing_with_rl(C c);
[[nodiscard]] Hit kto_columns(C c);
[[nodiscard]] Hit grpo_batch(C c);
[[nodiscard]] Hit grpo_generations(C c);
[[nodiscard]] Hit two_losses(C c);
[[nodiscard]] Hit liger_without_plugin(C c);
[[nodiscard]] Hit cut_without_plugin(C c);
[[nodiscard]] Hit cut_dtype(C c);
[[nodiscard]] Hit no_length(C c);
[[nodiscard]] Hit offloading_without_checkpointing(C c);
[[nodiscard]] Hit selective(C c);
[[nodiscard]] Hit unfrozen_reentrant(C c);
[[nodiscard]] Hit deepspeed_and_fsdp(C c);
[[nodiscard]] Hit fsdp1_offload(C c);
[[nodiscard]] Hit fsdp2_adam(C c);
[[nodiscard]] Hit fsdp2_preference(C c);
[[nodiscard]] Hit tp_adam(C c);
[[nodiscard]] Hit tp_liger(C c);
[[nodiscard]] Hit cp_attention(C c);
[[nodiscard]] Hit cp_packing(C c);
[[nodiscard]] Hit flattening(C c);
[[nodiscard]] Hit packing_attention(C c);
[[nodiscard]] Hit streaming_steps(C c);
[[nodiscard]] Hit streaming_validation(C c);
[[nodiscard]] Hit two_warmups(C c);
[[nodiscard]] Hit saves(C c);
[[nodiscard]] Hit evaluations(C c);
[[nodiscard]] Hit attentions(C c);
[[nodiscard]] Hit muon(C c);
[[nodiscard]] Hit dropout_on_parameters(C c);
[[nodiscard]] Hit kernels(C c);
[[nodiscard]] Hit experts(C c);
[[nodiscard]] Hit compile_options(C c);
[[nodiscard]] Hit fp32_norms(C c);
[[nodiscard]] Hit qat(C c);
[[nodiscard]] Hit evaluation_batch(C c);
[[nodiscard]] Hit mpt(C c);
[[nodiscard]] Hit removed(C c);
[[nodiscard]] Hit sharegpt(C c);
[[nodiscard]] Hit train_on_split(C c);
[[nodiscard]] Hit fsdp_version_missing(C c);

}  // namespace oomlint::axolotl_parts
