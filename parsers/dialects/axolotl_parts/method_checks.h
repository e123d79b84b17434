#pragma once

#include "parsers/dialects/axolotl_parts/conditions.h"

#include <array>

// axolotl's checks of adapters, kernels, optimizers and models that do not go together. Sources as in
// axolotl_parts.h; a row with a version names the first release after the check came in.
namespace oomlint::axolotl_parts {

[[nodiscard]] Hit kernels_with_remote_code(C c);
[[nodiscard]] Hit fused_mlp_with_adapter(C c);
[[nodiscard]] Hit frozen_twice(C c);
[[nodiscard]] Hit layers_pattern(C c);
[[nodiscard]] Hit two_learning_rates(C c);
[[nodiscard]] Hit two_memory_limits(C c);
[[nodiscard]] Hit relora(C c);
[[nodiscard]] Hit fp8_gather(C c);
[[nodiscard]] Hit deepcompile(C c);
[[nodiscard]] Hit unpinned_offload(C c);
[[nodiscard]] Hit quantised_twice(C c);
[[nodiscard]] Hit falcon_fsdp(C c);
[[nodiscard]] Hit nemotron_checkpointing(C c);
[[nodiscard]] Hit flash_optimizer(C c);
[[nodiscard]] Hit quantised_galore(C c);
[[nodiscard]] Hit selective_with_offload(C c);
[[nodiscard]] Hit grpo_liger_context_parallel(C c);

inline constexpr std::string_view validation_source = "utils/schemas/validation.py";
inline constexpr std::array<Constraint, 17> method_checks{{
    {.id = "axolotl/kernels-with-remote-code",
     .effect = Effect::refused,
     .message = "the LoRA kernels do not go with `trust_remote_code`",
     .remedy = "set trust_remote_code: false or the kernel to false",
     .source = validation_source,
     .when = kernels_with_remote_code,
     .package = "axolotl",
     .since = {0, 15, 0}},
    {.id = "axolotl/fused-mlp-with-adapter",
     .effect = Effect::refused,
     .message = "`flash_attn_fuse_mlp` does not go with an adapter",
     .remedy = "drop flash_attn_fuse_mlp",
     .source = validation_source,
     .when = fused_mlp_with_adapter},
    {.id = "axolotl/frozen-twice",
     .effect = Effect::refused,
     .message = "`unfrozen_parameters` and `peft_layers_to_transform` both say what trains",
     .remedy = "drop unfrozen_parameters",
     .source = validation_source,
     .when = frozen_twice},
    {.id = "axolotl/layers-pattern",
     .effect = Effect::refused,
     .message = "`peft_layers_pattern` needs `peft_layers_to_transform`",
     .remedy = "set peft_layers_to_transform",
     .source = validation_source,
     .when = layers_pattern},
    {.id = "axolotl/two-learning-rates",
     .effect = Effect::refused,
     .message = "`lr_groups` and `loraplus_lr_ratio` may not both be set",
     .remedy = "drop one of them",
     .source = validation_source,
     .when = two_learning_rates},
    {.id = "axolotl/two-memory-limits",
     .effect = Effect::refused,
     .message = "`max_memory` and `gpu_memory_limit` may not both be set",
     .remedy = "drop one of them",
     .source = validation_source,
     .when = two_memory_limits},
    {.id = "axolotl/relora",
     .effect = Effect::refused,
     .message = "ReLoRA goes with neither FSDP nor DeepSpeed",
     .remedy = "drop relora or the sharding",
     .source = validation_source,
     .when = relora},
    {.id = "axolotl/fp8-gather",
     .effect = Effect::refused,
     .message = "`fp8_enable_fsdp_float8_all_gather` needs `fsdp_version: 2`",
     .remedy = "set fsdp_version: 2",
     .source = validation_source,
     .when = fp8_gather},
    {.id = "axolotl/deepcompile",
     .effect = Effect::refused,
     .message = "`deepcompile` needs `deepspeed`",
     .remedy = "name a DeepSpeed config or drop deepcompile",
     .source = validation_source,
     .when = deepcompile},
    {.id = "axolotl/unpinned-offload",
     .effect = Effect::refused,
     .message = "FSDP1 can not offload to memory that is not pinned",
     .remedy = "set fsdp_version: 2",
     .source = validation_source,
     .when = unpinned_offload},
    {.id = "axolotl/quantised-twice",
     .effect = Effect::refused,
     .message = "`model_quantization_config` does not go with `load_in_4bit` or `load_in_8bit`",
     .remedy = "keep one",
     .source = validation_source,
     .when = quantised_twice},
    {.id = "axolotl/falcon-fsdp",
     .effect = Effect::refused,
     .message = "Falcon models do not run under `fsdp`",
     .remedy = "use deepspeed",
     .source = validation_source,
     .when = falcon_fsdp},
    {.id = "axolotl/nemotron-checkpointing",
     .effect = Effect::refused,
     .message = "`gradient_checkpointing` of Nemotron-H models needs `sample_packing`",
     .remedy = "set sample_packing: true",
     .source = validation_source,
     .when = nemotron_checkpointing,
     .package = "axolotl",
     .since = {0, 16, 0}},
    {.id = "axolotl/flash-optimizer",
     .effect = Effect::refused,
     .message = "the flash optimizers run neither under DeepSpeed nor under FSDP1",
     .remedy = "use fsdp_version: 2",
     .source = validation_source,
     .when = flash_optimizer,
     .package = "axolotl",
     .since = {0, 16, 0}},
    {.id = "axolotl/quantised-galore",
     .effect = Effect::refused,
     .message = "`q_galore_adamw8bit` goes with neither an adapter nor DeepSpeed",
     .remedy = "use another optimizer",
     .source = validation_source,
     .when = quantised_galore,
     .package = "axolotl",
     .since = {0, 17, 0}},
    {.id = "axolotl/selective-with-offload",
     .effect = Effect::refused,
     .message = "`selective_checkpointing` goes with `activation_offloading: hidden_states` only",
     .remedy = "drop activation_offloading",
     .source = validation_source,
     .when = selective_with_offload,
     .package = "axolotl",
     .since = {0, 18, 0}},
    {.id = "axolotl/grpo-liger-context-parallel",
     .effect = Effect::refused,
     .message = "GRPO with the Liger loss does not divide the sequence over devices",
     .remedy = "set trl.use_liger_loss: false",
     .source = validation_source,
     .when = grpo_liger_context_parallel},
}};

}  // namespace oomlint::axolotl_parts
