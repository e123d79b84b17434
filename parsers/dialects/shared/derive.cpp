#include "parsers/dialects/shared/derive.h"

#include <charconv>
#include <utility>

namespace oomlint {

void derive(const ReadContext& context, Layer& layer, Field field, Scalar value, std::string_view path,
            std::string note) {
  const NodeId node = context.find(path);
  Origin origin{OriginKind::derived, context.file, {}, std::string(path), note};
  if (node != no_node) origin = context.origin_of(node, OriginKind::derived, std::move(note));
  layer.assignments.push_back({field, std::move(value), std::move(origin)});
}

std::optional<std::int64_t> count_with_unit(std::string_view text, std::string_view unit) {
  std::int64_t count = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || std::string_view(rest, text.data() + text.size()) != unit) return std::nullopt;
  return count;
}

}  // namespace oomlint
