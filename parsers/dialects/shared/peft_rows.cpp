#include "parsers/dialects/shared/peft_rows.h"

#include "parsers/dialects/shared/conditions.h"
#include "parsers/dialects/shared/derive.h"

#include <algorithm>
#include <string>
#include <utility>

namespace oomlint {

namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return result;
}

}  // namespace

std::optional<Scalar> read_peft_kind(const ReadContext& context, NodeId node) {
  if (context.document.at(node).kind != NodeKind::scalar) return std::nullopt;
  std::string kind = lower(context.document.at(node).text);
  if (kind == "lora" || kind.empty()) return std::nullopt;
  return Scalar(std::move(kind));
}

void derive_peft(const ReadContext& context, Layer& layer, const PeftPaths& at, std::string_view prefix) {
  const std::string kind = lower(context.text(at.type).value_or(""));
  if (kind.empty()) return;
  const auto below = [&](std::string_view key) { return std::string(prefix) + std::string(key); };
  std::string method = "adapter";
  if (kind == "lora") method = is_on(context, at.dora) ? "dora" : "lora";
  // Frozen and trainable factors of every weight: it trains like all parameters.
  if (kind == "osf") method = "full";
  derive(context, layer, Field::method, method, at.type, "peft_type " + kind);
  if (kind == "adalora") {
    const auto rank = context.count(below("init_r"));
    derive(context, layer, Field::lora_rank, rank.value_or(12), below("init_r"), "AdaLoRA starts at init_r");
  }
}

}  // namespace oomlint
