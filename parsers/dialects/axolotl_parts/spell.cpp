#include "lint/dialect/edit.h"
#include "parsers/dialects/axolotl_parts/axolotl_parts.h"

#include <string>

namespace oomlint::axolotl_parts {

namespace {

/// Sets keys one after another; one that can't be set fails the whole.
class Edits {
 public:
  Edits(const ReadContext& context, std::vector<TextEdit>& edits) : context_(context), edits_(edits) {}

  Edits& set(std::string_view path, const Scalar& value) {
    done_ = done_ && set_key(context_, path, value, edits_);
    return *this;
  }
  /// Turns a flag off where it is on.
  Edits& off(std::string_view path) { return is_truthy(context_, path) ? set(path, false) : *this; }
  /// Takes a key out where it is there.
  Edits& drop(std::string_view path) { return set(path, Scalar()); }
  [[nodiscard]] bool done() const { return done_; }

 private:
  const ReadContext& context_;
  std::vector<TextEdit>& edits_;
  bool done_ = true;
};

Scalar word(std::string_view text) {
  return std::string(text);
}

bool method(const ReadContext& context, const std::string& value, Edits edits) {
  const std::string adapter = context.text("adapter").value_or("");
  if (value == "full") {
    return edits.drop("adapter").off("load_in_4bit").off("load_in_8bit").drop("unfrozen_parameters").done();
  }
  if (value == "lora")
    return edits.set("adapter", word("lora")).off("load_in_4bit").off("peft_use_dora").done();
  if (value == "qlora") {
    edits.set("adapter", word("qlora")).set("load_in_4bit", true).off("load_in_8bit").off("peft_use_dora");
    return edits.done();
  }
  if (value != "dora") return false;
  if (adapter != "lora" && adapter != "qlora") edits.set("adapter", word("lora"));
  return edits.set("peft_use_dora", true).done();
}

bool quantisation(const ReadContext& context, const std::string& value, Edits edits) {
  constexpr std::string_view double_quant = "bnb_config_kwargs.bnb_4bit_use_double_quant";
  constexpr std::string_view type = "bnb_config_kwargs.bnb_4bit_quant_type";
  if (is_truthy(context, "gptq")) return false;  // the checkpoint itself is quantised
  if (value == "none") {
    if (context.text("adapter") == "qlora") edits.set("adapter", word("lora"));
    return edits.off("load_in_4bit").off("load_in_8bit").done();
  }
  if (value == "int8") {
    return edits.set("adapter", word("lora")).off("load_in_4bit").set("load_in_8bit", true).done();
  }
  if (value != "nf4" && value != "nf4_double") return false;
  edits.set("adapter", word("qlora")).set("load_in_4bit", true).off("load_in_8bit");
  if (context.text(type) == "fp4") edits.set(type, word("nf4"));
  const bool doubled = value == "nf4_double";
  if (context.flag(double_quant).value_or(true) != doubled) edits.set(double_quant, doubled);
  return edits.done();
}

bool precision(const std::string& value, Edits edits) {
  if (value == "bf16") return edits.set("bf16", true).off("fp16").off("float16").off("float32").done();
  if (value == "fp16") {
    return edits.set("bf16", false).off("bfloat16").off("float32").set("fp16", true).done();
  }
  if (value != "fp32") return false;
  return edits.set("bf16", false).off("bfloat16").off("fp16").off("float16").done();
}

/// Appends to the list of plugins, or starts one.
void add_plugin(const ReadContext& context, std::string_view plugin, Edits& edits) {
  std::vector<std::string> plugins = context.list("plugins");
  if (has_plugin(context, plugin)) return;
  plugins.emplace_back(plugin);
  edits.set("plugins", plugins);
}

bool loss(const ReadContext& context, const std::string& value, Edits edits) {
  if (value == "kernel") return false;  // no key of axolotl chooses that
  const bool preference = is_truthy(context, "rl");
  if (preference) {
    const std::string_view key = context.text("rl") == "grpo" ? "trl.use_liger_loss" : "dpo_use_liger_kernel";
    const bool has_key = context.text("rl") == "grpo" || context.text("rl") == "dpo";
    if (value == "chunked" || (value == "fused" && !has_key)) return false;
    return value == "fused" ? edits.set(key, true).done() : edits.off(key).done();
  }
  if (value == "fused") {
    if (has_plugin(context, cut_cross_entropy_plugin)) {
      edits.off("liger_fused_linear_cross_entropy").set("cut_cross_entropy", true);
      return edits.off("chunked_cross_entropy").done();
    }
    add_plugin(context, liger_plugin, edits);
    edits.off("cut_cross_entropy").off("liger_cross_entropy").off("chunked_cross_entropy");
    return edits.set("liger_fused_linear_cross_entropy", true).done();
  }
  if (has_plugin(context, cut_cross_entropy_plugin)) edits.set("cut_cross_entropy", false);
  edits.off("cut_cross_entropy").off("liger_fused_linear_cross_entropy");
  return value == "chunked" ? edits.set("chunked_cross_entropy", true).done()
                            : edits.off("chunked_cross_entropy").done();
}

/// The DeepSpeed configs that axolotl ships are named by their stage. FSDP needs the model's layer class,
/// which nothing here knows, so it is only changed where it is there.
bool sharding(const ReadContext& context, const std::string& value, Edits edits) {
  if (value == "?") return edits.drop("deepspeed").drop("fsdp").drop("fsdp_config").done();
  if (is_truthy(context, "fsdp") || is_truthy(context, "fsdp_config")) {
    const bool by_name = !context.list("fsdp").empty() || context.has("fsdp_config.fsdp_sharding_strategy") ||
                         context.has("fsdp_config.sharding_strategy");
    if (by_name || (value != "fsdp" && value != "fsdp_grad_op")) return false;
    const std::string_view key = context.has("fsdp_config.fsdp_reshard_after_forward")
                                     ? "fsdp_config.fsdp_reshard_after_forward"
                                     : "fsdp_config.reshard_after_forward";
    return edits.set(key, value == "fsdp").done();
  }
  if (!value.starts_with("zero")) return false;
  const std::string present = context.text("deepspeed").value_or("");
  const std::size_t slash = present.rfind('/');
  const std::string folder =
      slash == std::string::npos ? std::string("deepspeed_configs/") : present.substr(0, slash + 1);
  return edits.set("deepspeed", word(folder + value + ".json")).done();
}

}  // namespace

bool spell_together(const ReadContext& context, const PlanEdit& edit, std::vector<TextEdit>& edits) {
  const std::string value = to_string(edit.value);
  Edits all(context, edits);
  switch (edit.field) {
    case Field::method:
      return method(context, value, all);
    case Field::quantisation:
      return quantisation(context, value, all);
    case Field::compute_dtype:
    case Field::weight_dtype:
      return precision(value, all);
    case Field::loss:
      return loss(context, value, all);
    case Field::sharding:
      return sharding(context, value, all);
    case Field::checkpointing:
      if (value != "selective") return false;
      return all.set("gradient_checkpointing", true)
          .set("gradient_checkpointing_kwargs.use_reentrant", false)
          .set("selective_checkpointing", true)
          .done();
    case Field::accumulation:
      if (!is_truthy(context, "batch_size")) return false;
      return all.drop("batch_size").set("gradient_accumulation_steps", edit.value).done();
    default:
      return false;
  }
}

}  // namespace oomlint::axolotl_parts
