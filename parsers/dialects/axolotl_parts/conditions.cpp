#include "parsers/dialects/axolotl_parts/conditions.h"

#include "parsers/dialects/axolotl_parts/axolotl_parts.h"
#include "parsers/dialects/shared/conditions.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>

namespace oomlint::axolotl_parts {

namespace {

std::string text(C c, std::string_view path) {
  return c.text(path).value_or("");
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Not given, which is only certain of a text that could be read to its end.
bool is_missing(C c, std::string_view path) {
  return !is_truthy(c, path) && !c.document.partial();
}

bool is_quantised(C c) {
  return is_truthy(c, "load_in_4bit") || is_truthy(c, "load_in_8bit");
}
bool streams(C c) {
  return is_truthy(c, "streaming") || is_truthy(c, "pretraining_dataset");
}
bool has_flash(C c) {
  return text(c, "attn_implementation").find("flash") != std::string::npos || is_truthy(c, "flash_attention");
}
std::int64_t context_parallel(C c) {
  return std::max(c.count("context_parallel_size").value_or(1),
                  c.count("sequence_parallel_degree").value_or(1));
}

Hit both(C c, std::string_view blamed, std::string_view other) {
  if (!is_truthy(c, blamed) || !is_truthy(c, other)) return std::nullopt;
  return blame(c, blamed, {other});
}

}  // namespace

Hit batch_keys(C c) {
  if (c.document.partial()) return std::nullopt;
  const int given = is_truthy(c, "micro_batch_size") + is_truthy(c, "gradient_accumulation_steps") +
                    is_truthy(c, "batch_size");
  if (given >= 2) return std::nullopt;
  for (const std::string_view path : {"micro_batch_size", "gradient_accumulation_steps", "batch_size"}) {
    if (c.has(path)) return blame(c, path);
  }
  return blame(c, "base_model");
}

Hit batch_size_and_accumulation(C c) {
  return both(c, "batch_size", "gradient_accumulation_steps");
}

Hit quantised_without_adapter(C c) {
  if (!is_quantised(c) || !is_missing(c, "adapter")) return std::nullopt;
  return blame(c, is_truthy(c, "load_in_4bit") ? "load_in_4bit" : "load_in_8bit", {"adapter"});
}

Hit lora_in_4bit(C c) {
  if (text(c, "adapter") != "lora") return std::nullopt;
  return both(c, "load_in_4bit", "adapter");
}

Hit qlora_without_4bit(C c) {
  const bool other = is_truthy(c, "load_in_8bit") || is_truthy(c, "gptq");
  if (text(c, "adapter") != "qlora" || other || !is_missing(c, "load_in_4bit")) return std::nullopt;
  return blame(c, "adapter", {"load_in_4bit"});
}

Hit qlora_in_8bit(C c) {
  if (text(c, "adapter") != "qlora") return std::nullopt;
  return both(c, "load_in_8bit", "adapter");
}

Hit packing_with_rl(C c) {
  return both(c, "sample_packing", "rl");
}

Hit kto_columns(C c) {
  if (text(c, "rl") != "kto" || c.document.partial() || c.flag("remove_unused_columns") == false)
    return std::nullopt;
  return blame(c, "rl", {"remove_unused_columns"});
}

Hit grpo_batch(C c) {
  const std::int64_t generations = c.count("trl.num_generations").value_or(0);
  if (text(c, "rl") != "grpo" || generations < 2) return std::nullopt;
  const auto micro = c.count("micro_batch_size");
  const auto accumulation = c.count("gradient_accumulation_steps");
  auto batch = c.count("trl.generation_batch_size");
  if (!batch && micro && accumulation) batch = *micro * *accumulation;
  if (!batch || *batch % generations == 0) return std::nullopt;
  return blame(c, "trl.num_generations",
               {"trl.generation_batch_size", "micro_batch_size", "gradient_accumulation_steps"});
}

Hit grpo_generations(C c) {
  if (text(c, "rl") != "grpo" || c.count("trl.num_generations").value_or(2) >= 2) return std::nullopt;
  return blame(c, "trl.num_generations");
}

namespace {

constexpr std::array<std::string_view, 4> losses{"cut_cross_entropy", "chunked_cross_entropy",
                                                 "liger_cross_entropy", "liger_fused_linear_cross_entropy"};

}  // namespace

Hit two_losses(C c) {
  std::string_view first;
  for (const std::string_view path : losses) {
    if (!is_on(c, path)) continue;
    if (!first.empty()) return blame(c, path, {first});
    first = path;
  }
  return std::nullopt;
}

Hit liger_without_plugin(C c) {
  if (has_plugin(c, liger_plugin) || c.document.partial()) return std::nullopt;
  for (const std::string_view path :
       {"liger_fused_linear_cross_entropy", "liger_cross_entropy", "liger_rms_norm", "liger_layer_norm",
        "liger_glu_activation", "liger_swiglu", "liger_rope"}) {
    if (is_on(c, path)) return blame(c, path, {"plugins"});
  }
  return std::nullopt;
}

Hit cut_without_plugin(C c) {
  if (has_plugin(c, cut_cross_entropy_plugin) || c.document.partial()) return std::nullopt;
  return is_on(c, "cut_cross_entropy") ? Hit(blame(c, "cut_cross_entropy", {"plugins"})) : std::nullopt;
}

Hit cut_dtype(C c) {
  if (!has_plugin(c, cut_cross_entropy_plugin) || !is_on(c, "cut_cross_entropy")) return std::nullopt;
  if (!is_missing(c, "bf16") || !is_missing(c, "fp16")) return std::nullopt;
  return blame(c, "cut_cross_entropy", {"bf16", "fp16"});
}

Hit no_length(C c) {
  return is_missing(c, "sequence_len") ? Hit(blame(c, "base_model", {"sequence_len"})) : std::nullopt;
}

Hit offloading_without_checkpointing(C c) {
  if (!is_truthy(c, "activation_offloading") || !is_missing(c, "gradient_checkpointing")) return std::nullopt;
  return blame(c, "activation_offloading", {"gradient_checkpointing"});
}

Hit selective(C c) {
  if (!is_truthy(c, "selective_checkpointing")) return std::nullopt;
  if (is_on(c, "gradient_checkpointing_kwargs.use_reentrant")) {
    return blame(c, "gradient_checkpointing_kwargs.use_reentrant", {"selective_checkpointing"});
  }
  if (!is_missing(c, "gradient_checkpointing")) return std::nullopt;
  return blame(c, "selective_checkpointing", {"gradient_checkpointing"});
}

Hit unfrozen_reentrant(C c) {
  return both(c, "gradient_checkpointing_kwargs.use_reentrant", "unfrozen_parameters");
}

Hit deepspeed_and_fsdp(C c) {
  return both(c, "deepspeed", "fsdp");
}

namespace {

bool offloads_parameters(C c) {
  return is_on(c, "fsdp_config.offload_params") || is_on(c, "fsdp_config.fsdp_offload_params");
}

}  // namespace

Hit fsdp1_offload(C c) {
  if (fsdp_version(c) != 1 || !offloads_parameters(c) || c.document.partial()) return std::nullopt;
  if (text(c, "optimizer").find("8bit") == std::string::npos) return std::nullopt;
  return blame(c, "optimizer", {"fsdp_config.offload_params", "fsdp_config.fsdp_offload_params"});
}

Hit fsdp2_adam(C c) {
  if (fsdp_version(c) != 2 || !is_truthy(c, "fsdp_config")) return std::nullopt;
  if (!is_one_of(text(c, "optimizer"), {"adamw_8bit", "adamw_bnb_8bit"})) return std::nullopt;
  return blame(c, "optimizer", {"fsdp_version", "fsdp_config.fsdp_version"});
}

Hit fsdp2_preference(C c) {
  if (fsdp_version(c) != 2 || !is_one_of(text(c, "rl"), {"dpo", "kto", "orpo", "ipo"}) || !is_quantised(c)) {
    return std::nullopt;
  }
  return blame(c, is_truthy(c, "load_in_4bit") ? "load_in_4bit" : "load_in_8bit", {"rl", "fsdp_version"});
}

Hit tp_adam(C c) {
  if (c.count("tensor_parallel_size").value_or(1) <= 1) return std::nullopt;
  if (!is_one_of(text(c, "optimizer"), {"paged_adamw_8bit", "adamw_8bit", "adamw_bnb_8bit"}))
    return std::nullopt;
  return blame(c, "optimizer", {"tensor_parallel_size"});
}

Hit tp_liger(C c) {
  if (c.count("tensor_parallel_size").value_or(1) <= 1 || !has_plugin(c, liger_plugin)) return std::nullopt;
  for (const std::string_view path : {"liger_rms_norm", "liger_fused_linear_cross_entropy"}) {
    if (is_on(c, path)) return blame(c, path, {"tensor_parallel_size"});
  }
  return std::nullopt;
}

Hit cp_attention(C c) {
  if (context_parallel(c) <= 1 || has_flash(c) || c.document.partial()) return std::nullopt;
  if (is_truthy(c, "use_glm_dsa_kernels")) return std::nullopt;  // these divide the sequence themselves
  const std::string_view key =
      c.has("context_parallel_size") ? "context_parallel_size" : "sequence_parallel_degree";
  return blame(c, key, {"attn_implementation"});
}

Hit cp_packing(C c) {
  if (context_parallel(c) <= 1 || !is_truthy(c, "sample_packing")) return std::nullopt;
  if (c.count("micro_batch_size").value_or(1) <= 1) return std::nullopt;
  return blame(c, "micro_batch_size", {"context_parallel_size", "sample_packing"});
}

Hit flattening(C c) {
  if (!is_on(c, "batch_flattening")) return std::nullopt;
  const bool dense = is_one_of(text(c, "attn_implementation"), {"sdpa", "eager"}) ||
                     is_on(c, "sdp_attention") || is_on(c, "eager_attention");
  if (!dense && !is_on(c, "sample_packing")) return std::nullopt;
  return blame(c, "batch_flattening", {"attn_implementation", "sample_packing"});
}

namespace {

constexpr std::array<std::string_view, 6> attention_flags{"flash_attention",    "sdp_attention",
                                                          "xformers_attention", "flex_attention",
                                                          "sage_attention",     "eager_attention"};

}  // namespace

Hit packing_attention(C c) {
  if (!is_on(c, "sample_packing") || !is_missing(c, "attn_implementation")) return std::nullopt;
  const auto on = [&](std::string_view path) { return is_on(c, path); };
  if (std::any_of(attention_flags.begin(), attention_flags.end(), on)) return std::nullopt;
  return blame(c, "sample_packing");
}

Hit streaming_steps(C c) {
  if (!streams(c) || !is_missing(c, "max_steps")) return std::nullopt;
  return blame(c, is_truthy(c, "streaming") ? "streaming" : "pretraining_dataset", {"max_steps"});
}

Hit streaming_validation(C c) {
  if (!streams(c) || !is_truthy(c, "val_set_size")) return std::nullopt;
  return blame(c, "val_set_size", {"streaming", "pretraining_dataset"});
}

Hit two_warmups(C c) {
  return both(c, "warmup_ratio", "warmup_steps");
}

Hit saves(C c) {
  if (const auto hit = both(c, "save_steps", "saves_per_epoch")) return hit;
  const std::string strategy = text(c, "save_strategy");
  if (strategy.empty() || strategy == "steps") return std::nullopt;
  return both(c, "save_steps", "save_strategy");
}

Hit evaluations(C c) {
  return both(c, "eval_steps", "evals_per_epoch");
}

Hit attentions(C c) {
  const std::string chosen = text(c, "attn_implementation");
  if (chosen.empty()) return std::nullopt;
  if (is_one_of(chosen, {"flash", "flex", "sdp"})) {
    auto hit = blame(c, "attn_implementation");
    hit.message = "`attn_implementation` does not take the short name " + chosen;
    return hit;
  }
  for (const std::string_view flag : attention_flags) {
    const std::string_view kind = flag.substr(0, flag.find('_'));
    if (is_on(c, flag) && !chosen.starts_with(kind)) return blame(c, flag, {"attn_implementation"});
  }
  return std::nullopt;
}

Hit muon(C c) {
  if (text(c, "optimizer") != "muon" || (!is_truthy(c, "deepspeed") && fsdp_version(c) != 1))
    return std::nullopt;
  return blame(c, "optimizer", {"deepspeed", "fsdp", "fsdp_config"});
}

Hit dropout_on_parameters(C c) {
  return both(c, "lora_dropout", "lora_target_parameters");
}

Hit kernels(C c) {
  if (text(c, "adapter") != "lora" || !is_truthy(c, "load_in_8bit")) return std::nullopt;
  for (const std::string_view path : {"lora_mlp_kernel", "lora_qkv_kernel", "lora_o_kernel"}) {
    if (is_on(c, path)) return blame(c, path, {"load_in_8bit"});
  }
  return std::nullopt;
}

Hit experts(C c) {
  if (!is_on(c, "quantize_moe_experts") || c.document.partial()) return std::nullopt;
  const bool adapted = is_one_of(text(c, "adapter"), {"lora", "qlora"});
  if (adapted && is_quantised(c) && !is_on(c, "lora_target_linear")) return std::nullopt;
  return blame(c, "quantize_moe_experts", {"adapter", "load_in_4bit", "load_in_8bit", "lora_target_linear"});
}

Hit compile_options(C c) {
  if (!is_truthy(c, "torch_compile_options") || !is_missing(c, "torch_compile")) return std::nullopt;
  return blame(c, "torch_compile_options", {"torch_compile"});
}

Hit fp32_norms(C c) {
  if (!is_on(c, "fp32_norms") || fsdp_version(c) == 2 || c.document.partial()) return std::nullopt;
  return blame(c, "fp32_norms", {"fsdp_version"});
}

Hit qat(C c) {
  if (!is_truthy(c, "qat") || (!is_truthy(c, "adapter") && !is_quantised(c))) return std::nullopt;
  return blame(c, "qat", {"adapter", "load_in_4bit", "load_in_8bit"});
}

Hit evaluation_batch(C c) {
  const auto evaluation = c.count("eval_batch_size");
  const auto micro = c.count("micro_batch_size");
  if (!evaluation || !micro || *evaluation == *micro) return std::nullopt;
  return blame(c, "eval_batch_size", {"micro_batch_size"});
}

Hit mpt(C c) {
  const std::string model = text(c, "base_model");
  if (model.find("mpt") == std::string::npos && model.find("MPT") == std::string::npos) return std::nullopt;
  return both(c, "gradient_checkpointing", "base_model");
}

Hit removed(C c) {
  for (const std::string_view path :
       {"max_packed_sequence_len", "rope_scaling", "s2_attention", "flash_attn_rms_norm",
        "dpo_use_logits_to_keep", "dpo_generate_during_eval", "dpo_norm_loss", "rpo_alpha",
        "unsloth_cross_entropy_loss", "unsloth_lora_mlp", "unsloth_lora_qkv", "unsloth_lora_o",
        "unsloth_rms_norm", "unsloth_rope"}) {
    if (!is_truthy(c, path)) continue;
    auto hit = blame(c, path);
    hit.message = "`" + std::string(path) + "` was removed from axolotl";
    return hit;
  }
  return std::nullopt;
}

namespace {

/// The first data set with that key, whatever its value.
NodeId data_set_key(C c, std::string_view key) {
  const Document& document = c.document;
  const NodeId sets = document.resolve(c.find("datasets"));
  if (sets == no_node || document.at(sets).kind != NodeKind::sequence) return no_node;
  for (NodeId id = document.at(sets).first_child; id != no_node; id = document.at(id).next) {
    if (const NodeId found = document.find(id, key); found != no_node) return found;
  }
  return no_node;
}

}  // namespace

Hit sharegpt(C c) {
  const NodeId type = data_set_key(c, "type");
  if (type == no_node || !c.document.at(type).text.starts_with("sharegpt")) return std::nullopt;
  return ConstraintHit{type, {}, {}};
}

Hit train_on_split(C c) {
  const NodeId key = data_set_key(c, "train_on_split");
  return key == no_node ? std::nullopt : Hit(ConstraintHit{key, {}, {}});
}

Hit fsdp_version_missing(C c) {
  if (!is_truthy(c, "fsdp_config") || !is_missing(c, "fsdp_version")) return std::nullopt;
  if (c.has("fsdp_config.fsdp_version") || c.has("fsdp_config.version")) return std::nullopt;
  return blame(c, "fsdp_config");
}

}  // namespace oomlint::axolotl_parts
