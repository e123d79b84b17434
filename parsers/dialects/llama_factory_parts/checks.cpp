#include "parsers/dialects/llama_factory_parts/checks.h"

#include "parsers/dialects/shared/conditions.h"

#include <string>

namespace oomlint::llama_factory_parts {

namespace {

constexpr double negligible = 1e-6;  // as LLaMA-Factory compares fractions with zero

std::string stage(C c) {
  return c.text("stage").value_or("sft");
}

Hit both(C c, std::string_view blamed, std::string_view other) {
  if (!is_on(c, blamed) || !c.has(other)) return std::nullopt;
  return blame(c, blamed, {other});
}

Hit where_on(C c, std::string_view path, std::string_view related = {}) {
  if (!is_on(c, path)) return std::nullopt;
  return related.empty() ? blame(c, path) : blame(c, path, {related});
}

}  // namespace

Hit quantised_pissa(C c) {
  return both(c, "pissa_init", "quantization_bit");
}

Hit quantised_vocabulary(C c) {
  return both(c, "resize_vocab", "quantization_bit");
}

Hit quantised_new_adapter(C c) {
  if (!c.has("adapter_name_or_path")) return std::nullopt;
  return both(c, "create_new_adapter", "quantization_bit");
}

Hit quantised_bits(C c) {
  const auto bits = c.count("quantization_bit");
  const std::string by = c.text("quantization_method").value_or("bnb");
  if (!bits || *bits == 4 || *bits == 8 || (by != "bnb" && by != "bitsandbytes")) return std::nullopt;
  return blame(c, "quantization_bit", {"quantization_method"});
}

Hit quantised_device_map(C c) {
  if (c.text("quantization_device_map") != "auto" || !is_on(c, "do_train")) return std::nullopt;
  return blame(c, "quantization_device_map", {"do_train"});
}

Hit fp8_on_quantised(C c) {
  return both(c, "fp8", "quantization_bit");
}

Hit eight_bit(C c) {
  const std::string by = c.text("quantization_method").value_or("bnb");
  if (c.count("quantization_bit") != 8 || (by != "bnb" && by != "bitsandbytes")) return std::nullopt;
  return blame(c, "quantization_bit", {"deepspeed"});
}

Hit two_projections(C c) {
  std::string_view first;
  for (const std::string_view path : {"use_galore", "use_apollo", "use_badam"}) {
    if (!is_on(c, path)) continue;
    if (!first.empty()) return blame(c, path, {first});
    first = path;
  }
  return std::nullopt;
}

Hit pissa(C c) {
  return where_on(c, "pissa_init", "deepspeed");
}

Hit pissa_stage(C c) {
  const std::string loss = c.text("pref_loss").value_or("sigmoid");
  const bool reference = stage(c) == "dpo" && loss != "orpo" && loss != "simpo";
  if (!reference && stage(c) != "ppo" && stage(c) != "kto") return std::nullopt;
  return where_on(c, "pissa_init", "stage");
}

Hit llama_pro(C c) {
  return c.text("finetuning_type") == "full" ? where_on(c, "use_llama_pro", "finetuning_type") : std::nullopt;
}

Hit label_smoothing(C c) {
  if (stage(c) != "dpo" || c.text("pref_loss").value_or("sigmoid") == "sigmoid") return std::nullopt;
  if (c.number("dpo_label_smoothing").value_or(0) <= negligible) return std::nullopt;
  return blame(c, "dpo_label_smoothing", {"pref_loss"});
}

Hit history_outside_sft(C c) {
  if (stage(c) == "sft") return std::nullopt;
  const auto hit = where_on(c, "train_on_prompt", "stage");
  return hit ? hit : where_on(c, "mask_history", "stage");
}

Hit history_and_prompt(C c) {
  return is_on(c, "train_on_prompt") ? where_on(c, "mask_history", "train_on_prompt") : std::nullopt;
}

Hit prediction_without_generation(C c) {
  if (stage(c) != "sft" || is_on(c, "predict_with_generate") || c.document.partial()) return std::nullopt;
  return where_on(c, "do_predict");
}

Hit generation(C c) {
  return where_on(c, "predict_with_generate", "deepspeed");
}

Hit best_model_stage(C c) {
  if (stage(c) != "rm" && stage(c) != "ppo") return std::nullopt;
  return where_on(c, "load_best_model_at_end", "stage");
}

Hit shifted_attention_ppo(C c) {
  return stage(c) == "ppo" ? where_on(c, "shift_attn", "stage") : std::nullopt;
}

Hit no_evaluation_data(C c) {
  if (c.has("eval_dataset") || c.number("val_size").value_or(0) > negligible || c.document.partial())
    return std::nullopt;
  for (const std::string_view path : {"do_eval", "do_predict", "predict_with_generate"}) {
    if (is_on(c, path)) return blame(c, path, {"val_size"});
  }
  // The Trainer turns `do_eval` on for every strategy but "no".
  const std::string strategy = c.text("eval_strategy").value_or("no");
  if (strategy != "steps" && strategy != "epoch") return std::nullopt;
  return blame(c, "eval_strategy", {"val_size"});
}

Hit streamed_samples(C c) {
  if (!c.has("max_samples") || !is_on(c, "streaming")) return std::nullopt;
  return blame(c, "max_samples", {"streaming"});
}

Hit streamed_fraction(C c) {
  const double share = c.number("val_size").value_or(0);
  if (!is_on(c, "streaming") || share <= negligible || share >= 1) return std::nullopt;
  return blame(c, "val_size", {"streaming"});
}

Hit interleaving(C c) {
  if (!c.has("interleave_probs") || c.text("mix_strategy").value_or("concat") != "concat")
    return std::nullopt;
  return blame(c, "interleave_probs", {"mix_strategy"});
}

Hit inference_engine(C c) {
  const std::string engine = c.text("infer_backend").value_or("huggingface");
  if ((engine != "vllm" && engine != "sglang") || !is_on(c, "do_train")) return std::nullopt;
  return blame(c, "infer_backend", {"do_train"});
}

Hit pure_bf16(C c) {
  return where_on(c, "pure_bf16", "deepspeed");
}

Hit unsloth(C c) {
  return where_on(c, "use_unsloth", "deepspeed");
}

}  // namespace oomlint::llama_factory_parts
