#include "parsers/dialects/axolotl_parts/method_checks.h"

#include "parsers/dialects/axolotl_parts/axolotl_parts.h"
#include "parsers/dialects/shared/conditions.h"

#include <algorithm>
#include <initializer_list>
#include <string>

namespace oomlint::axolotl_parts {

namespace {

Hit both(C c, std::string_view blamed, std::string_view other) {
  if (!is_truthy(c, blamed) || !is_truthy(c, other)) return std::nullopt;
  return blame(c, blamed, {other});
}

Hit any_with(C c, std::initializer_list<std::string_view> blamed, std::string_view other) {
  for (const std::string_view path : blamed) {
    if (auto hit = both(c, path, other)) return hit;
  }
  return std::nullopt;
}

/// Not given, which is only certain of a text that could be read to its end.
bool is_missing(C c, std::string_view path) {
  return !is_truthy(c, path) && !c.document.partial();
}

/// What the model is called, in lower case: axolotl looks for names of families in it.
std::string model_name(C c) {
  std::string name = c.text("base_model").value_or("");
  std::transform(name.begin(), name.end(), name.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
  });
  return name;
}

bool trains_adapter(C c) {
  const std::string adapter = c.text("adapter").value_or("");
  return adapter == "lora" || adapter == "qlora";
}

bool runs_fsdp1(C c) {
  return !c.document.partial() && fsdp_version(c) == 1 &&
         (is_truthy(c, "fsdp") || is_truthy(c, "fsdp_config"));
}

}  // namespace

Hit kernels_with_remote_code(C c) {
  return any_with(c, {"lora_mlp_kernel", "lora_qkv_kernel", "lora_o_kernel"}, "trust_remote_code");
}

Hit fused_mlp_with_adapter(C c) {
  if (!trains_adapter(c)) return std::nullopt;
  return both(c, "flash_attn_fuse_mlp", "adapter");
}

Hit frozen_twice(C c) {
  if (!is_truthy(c, "adapter")) return std::nullopt;
  return both(c, "unfrozen_parameters", "peft_layers_to_transform");
}

Hit layers_pattern(C c) {
  if (!is_truthy(c, "peft_layers_pattern") || !is_missing(c, "peft_layers_to_transform")) return std::nullopt;
  return blame(c, "peft_layers_pattern");
}

Hit two_learning_rates(C c) {
  return both(c, "loraplus_lr_ratio", "lr_groups");
}

Hit two_memory_limits(C c) {
  return both(c, "gpu_memory_limit", "max_memory");
}

Hit relora(C c) {
  return any_with(c, {"fsdp", "fsdp_config", "deepspeed"}, "relora");
}

Hit fp8_gather(C c) {
  if (!is_truthy(c, "fp8_enable_fsdp_float8_all_gather") || c.document.partial()) return std::nullopt;
  if (fsdp_version(c) == 2) return std::nullopt;
  return blame(c, "fp8_enable_fsdp_float8_all_gather", {"fsdp_version"});
}

Hit deepcompile(C c) {
  if (!is_truthy(c, "deepcompile") || !is_missing(c, "deepspeed")) return std::nullopt;
  return blame(c, "deepcompile");
}

Hit unpinned_offload(C c) {
  if (c.flag("fsdp_config.cpu_offload_pin_memory") != false || !runs_fsdp1(c)) return std::nullopt;
  return blame(c, "fsdp_config.cpu_offload_pin_memory", {"fsdp_version"});
}

Hit quantised_twice(C c) {
  return any_with(c, {"load_in_4bit", "load_in_8bit"}, "model_quantization_config");
}

Hit falcon_fsdp(C c) {
  if (model_name(c).find("falcon") == std::string::npos) return std::nullopt;
  return both(c, "fsdp", "base_model");
}

Hit nemotron_checkpointing(C c) {
  if (model_name(c).find("nemotron-h") == std::string::npos || !is_missing(c, "sample_packing"))
    return std::nullopt;
  return both(c, "gradient_checkpointing", "base_model");
}

Hit flash_optimizer(C c) {
  if (!c.text("optimizer").value_or("").starts_with("flash_")) return std::nullopt;
  if (!is_truthy(c, "deepspeed") && !runs_fsdp1(c)) return std::nullopt;
  return blame(c, "optimizer", {"deepspeed", "fsdp", "fsdp_config"});
}

Hit quantised_galore(C c) {
  if (c.text("optimizer") != "q_galore_adamw8bit") return std::nullopt;
  if (!is_truthy(c, "adapter") && !is_truthy(c, "deepspeed") && !runs_fsdp1(c)) return std::nullopt;
  return blame(c, "optimizer", {"adapter", "deepspeed", "fsdp", "fsdp_config"});
}

Hit selective_with_offload(C c) {
  if (c.text("activation_offloading") == "hidden_states") return std::nullopt;
  return both(c, "activation_offloading", "selective_checkpointing");
}

Hit grpo_liger_context_parallel(C c) {
  if (c.text("rl") != "grpo" || c.count("context_parallel_size").value_or(1) <= 1) return std::nullopt;
  return both(c, "trl.use_liger_loss", "context_parallel_size");
}

}  // namespace oomlint::axolotl_parts
