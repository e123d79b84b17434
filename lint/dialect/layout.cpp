#include "lint/dialect/layout.h"

#include <algorithm>

namespace oomlint {

namespace {

std::string_view before_on_line(const Document& document, std::uint32_t offset) {
  const SourceFile& source = document.source();
  const std::uint32_t start = source.line_start(source.line_of(offset));
  std::string_view text = source.text({start, offset});
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (start == 0 && text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  return text;
}

}  // namespace

bool is_flow(const Document& document, NodeId container) {
  if (document.syntax() == Syntax::json) return true;
  if (container == no_node) return false;
  const std::string_view text = document.source().text(document.value_span(container));
  const bool bracketed = text.starts_with('{') || text.starts_with('[');
  if (document.syntax() != Syntax::toml || document.at(container).kind != NodeKind::mapping) return bracketed;
  return text.starts_with('{');  // `[table]` is a header, not a bracket
}

Span whole_lines(const Document& document, Span span) {
  const SourceFile& source = document.source();
  const std::uint32_t first = source.line_of(span.begin);
  const std::uint32_t last = source.line_of(span.end > span.begin ? span.end - 1 : span.end);
  const auto size = static_cast<std::uint32_t>(source.bytes().size());
  return {source.line_start(first), last + 1 < source.line_count() ? source.line_start(last + 1) : size};
}

bool column_is_blank(const Document& document, std::uint32_t offset) {
  return before_on_line(document, offset).find_first_not_of(" \t") == std::string_view::npos;
}

std::string column_blanks(const Document& document, std::uint32_t offset) {
  const std::string_view before = before_on_line(document, offset);
  return column_is_blank(document, offset) ? std::string(before) : std::string(before.size(), ' ');
}

std::uint32_t indent_step(const Document& document) {
  for (NodeId id = 0; id < document.size(); ++id) {
    const Node& node = document.at(id);
    if (!node.has_key || node.parent == no_node || !document.at(node.parent).has_key) continue;
    if (!column_is_blank(document, node.key_begin) || is_flow(document, node.parent)) continue;
    const auto outer = column_blanks(document, document.at(node.parent).key_begin).size();
    const auto inner = column_blanks(document, node.key_begin).size();
    if (inner > outer) return static_cast<std::uint32_t>(inner - outer);
  }
  return 2;
}

}  // namespace oomlint
