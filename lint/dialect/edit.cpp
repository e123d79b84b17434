#include "lint/dialect/edit.h"

#include "lint/dialect/convert.h"
#include "lint/dialect/layout.h"
#include "lint/dialect/paths.h"
#include "lint/dialect/shell_edit.h"

#include <algorithm>

namespace oomlint {

namespace {

char quote_of(const Node& node) {
  if (node.kind != NodeKind::scalar) return 0;
  if (node.style == ScalarStyle::single_quoted) return '\'';
  return node.style == ScalarStyle::double_quoted ? '"' : 0;
}

bool is_number(const Scalar& value) {
  return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

bool says(const ReadContext& context, NodeId node, const Scalar& value) {
  const Node& at = context.document.at(context.document.resolve(node));
  if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
    return at.kind == NodeKind::sequence && items(context.document, node) == *list;
  }
  if (at.kind != NodeKind::scalar) return false;
  const ScalarValue present = typed(context, node);
  if (const auto* flag = std::get_if<bool>(&value)) return as_flag(context, present) == *flag;
  if (const auto* count = std::get_if<std::int64_t>(&value)) return as_count(context, present) == *count;
  if (const auto* number = std::get_if<double>(&value)) return as_number(context, present) == *number;
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr && at.text == *text;
}

/// The end of the line, comment and all, that `offset` is on.
std::uint32_t line_end(const Document& document, std::uint32_t offset) {
  const SourceFile& source = document.source();
  const std::uint32_t line = source.line_of(offset);
  return source.line_start(line) + static_cast<std::uint32_t>(source.line(line).size());
}

/// The block sequence at `span` with other items. What is only longer than before is appended to, so that the
/// comments between the items stay.
TextEdit block_items(const ReadContext& context, NodeId node, Span span,
                     const std::vector<std::string>& texts) {
  const Document& document = context.document;
  const std::string separator =
      std::string(document.source().newline()) + column_blanks(document, span.begin);
  const std::vector<std::string> present = items(document, node);
  const bool longer = !present.empty() && present.size() <= texts.size() &&
                      std::equal(present.begin(), present.end(), texts.begin());
  std::string result;
  for (std::size_t i = longer ? present.size() : 0; i < texts.size(); ++i) {
    if (longer || !result.empty()) result += separator;
    result += "- " + render(texts[i], Syntax::yaml, context.dialect.scalars);
  }
  const std::uint32_t end = longer ? line_end(document, span.end) : span.end;
  return {document.source().path(), {longer ? end : span.begin, end}, std::move(result)};
}

}  // namespace

std::optional<TextEdit> replace_value(const ReadContext& context, NodeId node, const Scalar& value) {
  const Document& document = context.document;
  if (document.syntax() == Syntax::shell) return replace_option(context, node, value);
  const std::string& path = document.source().path();
  const std::string_view bytes = document.source().bytes();
  const Node& old = document.at(node);
  const ScalarSchema schema = context.dialect.scalars;
  Span span = document.value_span(node);
  while (!span.empty() && (bytes[span.end - 1] == '\n' || bytes[span.end - 1] == '\r')) --span.end;

  const bool is_container = old.kind == NodeKind::mapping || old.kind == NodeKind::sequence;
  if (is_container && document.syntax() == Syntax::yaml && !is_flow(document, node)) {
    const auto* list = std::get_if<std::vector<std::string>>(&value);
    if (list != nullptr && !list->empty() && old.kind == NodeKind::sequence) {
      return block_items(context, node, span, *list);
    }
    // A value on the key's own line takes the place of the block below it.
    if (!old.has_key) return std::nullopt;
    const std::size_t colon = bytes.find(':', document.key_span(node).end);
    if (colon == std::string_view::npos || colon >= span.begin) return std::nullopt;
    return TextEdit{
        path, {static_cast<std::uint32_t>(colon) + 1, span.end}, " " + render(value, Syntax::yaml, schema)};
  }
  const bool in_flow = old.parent != no_node && is_flow(document, old.parent);
  const bool text_number = is_number(value) && quote_of(old) != 0 && context.dialect.coerces_text &&
                           as_number(context, typed(context, node)).has_value();
  const Scalar written = text_number ? Scalar(to_string(value)) : value;
  std::string text = render(written, document.syntax(), schema, quote_of(old), in_flow);
  if (span.empty() && span.begin > 0 && bytes[span.begin - 1] == ':') text.insert(0, 1, ' ');
  return TextEdit{path, span, std::move(text)};
}

std::optional<TextEdit> remove_key(const ReadContext& context, NodeId node, std::span<const NodeId> going) {
  const Document& document = context.document;
  const std::string& path = document.source().path();
  const Node& gone = document.at(node);
  if (!gone.has_key) return std::nullopt;
  if (document.syntax() == Syntax::shell) return remove_option(context, node);
  const Span entry = document.entry_span(node);
  if (!is_flow(document, gone.parent)) {
    const Span lines = whole_lines(document, entry);
    if (!column_is_blank(document, gone.key_begin)) return std::nullopt;
    return TextEdit{path, lines, ""};
  }
  // An entry takes the comma behind it along, unless nothing stays behind it: then the one before it.
  const auto stays = [&](NodeId id) { return std::find(going.begin(), going.end(), id) == going.end(); };
  NodeId before = no_node;
  for (NodeId id = document.at(gone.parent).first_child; id != node; id = document.at(id).next) before = id;
  NodeId behind = gone.next;
  while (behind != no_node && !stays(behind)) behind = document.at(behind).next;
  if (behind != no_node) return TextEdit{path, {entry.begin, document.entry_span(gone.next).begin}, ""};
  const std::uint32_t begin = before == no_node ? entry.begin : document.entry_span(before).end;
  return TextEdit{path, {begin, entry.end}, ""};
}

NodeId own_key(const ReadContext& context, std::string_view path) {
  const NodeId node = context.find(path);
  if (node == no_node) return no_node;
  const std::string top = context.root == no_node ? "" : context.document.path_of(context.root);
  std::string expected = top;
  if (!expected.empty()) expected += '.';
  expected += path;
  return without_indices(context.document.path_of(node)) == without_indices(expected) ? node : no_node;
}

bool set_key(const ReadContext& context, std::string_view path, const Scalar& value,
             std::vector<TextEdit>& edits) {
  const NodeId node = own_key(context, path);
  if (node == no_node && !is_known(value)) return true;
  if (node != no_node && is_known(value) && says(context, node, value)) return true;
  auto edit = node == no_node   ? insert_key(context, path, value)
              : is_known(value) ? replace_value(context, node, value)
                                : remove_key(context, node);
  if (!edit) return false;
  edits.push_back(std::move(*edit));
  return true;
}

}  // namespace oomlint
