#include "lint/dialect/convert.h"
#include "parsers/dialects/axolotl_parts/axolotl_parts.h"

#include <algorithm>
#include <string>

namespace oomlint::axolotl_parts {

namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

/// The sharding words of FSDP1: in the `fsdp` list, and in fsdp_config as names or accelerate's numbers.
std::optional<std::string> sharding_word(const std::string& text) {
  if (text == "full_shard" || text == "1") return "fsdp";
  if (text == "shard_grad_op" || text == "2") return "fsdp_grad_op";
  if (text == "no_shard" || text == "3") return "ddp";
  if (text.starts_with("hybrid_shard") || text == "4" || text == "5") return "hsdp";
  return std::nullopt;
}

}  // namespace

bool is_truthy(const ReadContext& context, std::string_view path) {
  const Document& document = context.document;
  const NodeId node = document.resolve(context.find(path));
  if (node == no_node) return false;
  const Node& at = document.at(node);
  if (at.kind != NodeKind::scalar) return at.first_child != no_node;
  const ScalarValue value = typed(context, node);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto number = as_number(context, value)) return *number != 0;
  return !at.text.empty() && lower(std::string(at.text)) != "false";
}

bool has_plugin(const ReadContext& context, std::string_view name) {
  const std::vector<std::string> plugins = context.list("plugins");
  return std::find(plugins.begin(), plugins.end(), name) != plugins.end();
}

int fsdp_version(const ReadContext& context) {
  const bool used = is_truthy(context, "fsdp") || is_truthy(context, "fsdp_config");
  for (const std::string_view path : {"fsdp_version", "fsdp_config.fsdp_version", "fsdp_config.version"}) {
    if (const auto version = context.count(path))
      return static_cast<int>(std::clamp<std::int64_t>(*version, 1, 2));
  }
  return used ? 1 : 0;
}

std::optional<Scalar> read_bits(const ReadContext& context, NodeId node) {
  if (!as_flag(context, typed(context, node)).value_or(false)) return std::nullopt;
  std::string word = context.text("bnb_config_kwargs.bnb_4bit_quant_type") == "fp4" ? "fp4" : "nf4";
  if (context.flag("bnb_config_kwargs.bnb_4bit_use_double_quant").value_or(true)) word += "_double";
  return Scalar(std::move(word));
}

std::optional<Scalar> read_precision(const ReadContext& context, NodeId node) {
  const std::string_view text = context.document.at(node).text;
  const bool on = as_flag(context, typed(context, node)).value_or(text == "auto" || text == "full");
  return on ? std::optional(Scalar(std::string("bf16"))) : std::nullopt;
}

std::optional<std::string> write_precision(const Scalar& value) {
  return value == Scalar(std::string("bf16")) ? std::optional<std::string>("true") : std::nullopt;
}

/// Kernels that never hold the scores of all pairs count as flash, also those from a repository of kernels.
std::optional<Scalar> read_attention(const ReadContext& context, NodeId node) {
  const std::string text = lower(std::string(context.document.at(node).text));
  if (text.empty() || context.document.at(node).kind != NodeKind::scalar) return std::nullopt;
  if (text == "sdpa" || text == "eager") return Scalar(text);
  for (const std::string_view fused : {"flash", "xformers", "flex_attention", "sage"}) {
    if (text.find(fused) != std::string::npos) return Scalar(std::string("flash"));
  }
  return Scalar();
}

std::optional<std::string> write_attention(const Scalar& value) {
  const std::string word = to_string(value);
  if (word == "flash") return "flash_attention_2";
  return word == "sdpa" || word == "eager" ? std::optional(word) : std::nullopt;
}

std::optional<Scalar> read_validation(const ReadContext& context, NodeId node) {
  const auto size = as_number(context, typed(context, node));
  return size ? std::optional(Scalar(*size > 0)) : std::nullopt;
}

std::optional<Scalar> read_sharding(const ReadContext& context, NodeId) {
  if (!is_truthy(context, "fsdp") && !is_truthy(context, "fsdp_config")) return std::nullopt;
  if (context.count("dp_replicate_size").value_or(1) > 1) return Scalar(std::string("hsdp"));
  for (const std::string& token : context.list("fsdp")) {
    if (auto word = sharding_word(lower(token))) return Scalar(std::move(*word));
  }
  for (const std::string_view path :
       {"fsdp_config.fsdp_sharding_strategy", "fsdp_config.sharding_strategy"}) {
    if (auto word = sharding_word(lower(context.text(path).value_or("")))) return Scalar(std::move(*word));
  }
  for (const std::string_view path :
       {"fsdp_config.reshard_after_forward", "fsdp_config.fsdp_reshard_after_forward"}) {
    if (context.flag(path) == false) return Scalar(std::string("fsdp_grad_op"));
  }
  return Scalar(std::string("fsdp"));
}

}  // namespace oomlint::axolotl_parts
