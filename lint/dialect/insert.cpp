#include "lint/dialect/edit.h"
#include "lint/dialect/layout.h"
#include "lint/dialect/paths.h"
#include "lint/dialect/shell_edit.h"

#include <algorithm>
#include <cstdlib>

namespace oomlint {

namespace {

/// Where a new key goes: the deepest mapping on its path that is there, and the parts that are missing below
/// it.
struct Place {
  NodeId mapping = no_node;
  std::vector<std::string_view> missing;
  std::string prefix;  ///< path of the mapping below the dialect's root, with a trailing dot
};

NodeId own_child(const Document& document, NodeId mapping, std::string_view key) {
  NodeId found = no_node;
  for (NodeId id = document.at(mapping).first_child; id != no_node; id = document.at(id).next) {
    if (document.at(id).has_key && document.at(id).key == key) found = id;
  }
  return found;
}

std::optional<Place> place_for(const ReadContext& context, std::string_view path) {
  const Document& document = context.document;
  if (path.find('[') != std::string_view::npos) return std::nullopt;
  Place place;
  place.mapping = context.root == no_node ? document.root() : context.root;
  place.missing = parts_of(path);
  while (place.mapping != no_node && place.missing.size() > 1) {
    if (document.at(place.mapping).kind != NodeKind::mapping) return std::nullopt;
    const NodeId child = own_child(document, place.mapping, place.missing.front());
    if (child == no_node) break;
    place.mapping = child;
    place.prefix += std::string(place.missing.front()) + '.';
    place.missing.erase(place.missing.begin());
  }
  if (place.mapping == no_node) return place;
  const NodeKind kind = document.at(place.mapping).kind;
  return kind == NodeKind::mapping || kind == NodeKind::null ? std::optional(place) : std::nullopt;
}

/// The key of the mapping that the dialect's table has closest to `path`; keys before it are preferred. The
/// last key where the table knows none of them.
NodeId nearest_sibling(const ReadContext& context, const Place& place, std::string_view path) {
  const Document& document = context.document;
  const auto keys = context.dialect.keys;
  const auto rank = [&](std::string_view wanted) {
    const auto row =
        std::find_if(keys.begin(), keys.end(), [&](const KeySpec& k) { return path_of(k) == wanted; });
    return row == keys.end() ? -1 : static_cast<int>(row - keys.begin());
  };
  const bool only_lines = document.syntax() == Syntax::toml;
  const int target = rank(path);
  int best = 0;
  NodeId nearest = no_node;
  NodeId last = no_node;
  for (NodeId id = document.at(place.mapping).first_child; id != no_node; id = document.at(id).next) {
    const Node& node = document.at(id);
    if (!node.has_key) continue;
    const bool table = node.kind == NodeKind::mapping || node.kind == NodeKind::sequence;
    if (only_lines && table && !is_flow(document, id))
      continue;  // a new key must stand before the next [table]
    last = id;
    const int at = rank(place.prefix + std::string(node.key));
    if (at < 0 || target < 0) continue;
    const int away = at < target ? 2 * (target - at) : 2 * (at - target) + 1;
    if (nearest == no_node || away < best) {
      nearest = id;
      best = away;
    }
  }
  return nearest == no_node ? last : nearest;
}

std::string key_text(std::string_view key, const Document& document, bool quoted) {
  return quoted || document.syntax() == Syntax::json ? '"' + std::string(key) + '"' : std::string(key);
}

std::string flow_entry(const ReadContext& context, const std::vector<std::string_view>& parts,
                       const Scalar& value, bool quoted) {
  const Document& document = context.document;
  const std::string_view assign = document.syntax() == Syntax::toml ? " = " : ": ";
  std::string text;
  for (const std::string_view part : parts) {
    if (part != parts.front()) text += '{';
    text += key_text(part, document, quoted) + std::string(assign);
  }
  text += render(value, document.syntax(), context.dialect.scalars, 0, true);
  return text + std::string(parts.size() - 1, '}');
}

/// The lines of a new entry, each with `indent` before it, without the last line ending.
std::string block_entry(const ReadContext& context, const std::vector<std::string_view>& parts,
                        const Scalar& value, const std::string& indent) {
  const Document& document = context.document;
  const std::string written = render(value, document.syntax(), context.dialect.scalars);
  std::string text = indent;
  if (document.syntax() == Syntax::toml) {
    for (const std::string_view part : parts) text += (part == parts.front() ? "" : ".") + std::string(part);
    return text + " = " + written;
  }
  std::string deeper = indent;
  const std::string step(indent_step(document), ' ');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) {
      deeper += step;
      text += std::string(document.source().newline()) + deeper;
    }
    text += std::string(parts[i]) + ':';
  }
  return text + ' ' + written;
}

TextEdit insert_line(const ReadContext& context, std::uint32_t at, const std::string& lines) {
  const SourceFile& source = context.document.source();
  const std::string newline(source.newline());
  const bool needs_break = at > 0 && source.bytes()[at - 1] != '\n' && source.bytes()[at - 1] != '\r';
  return {source.path(), {at, at}, needs_break ? newline + lines : lines + newline};
}

TextEdit insert_in_flow(const ReadContext& context, const Place& place, NodeId sibling, const Scalar& value) {
  const Document& document = context.document;
  const std::string& path = document.source().path();
  if (sibling == no_node) {
    const std::uint32_t at = document.value_span(place.mapping).begin + 1;
    return {path, {at, at}, flow_entry(context, place.missing, value, false)};
  }
  const std::string_view key = document.source().text(document.key_span(sibling));
  const std::uint32_t at = document.entry_span(sibling).end;
  const std::uint32_t key_begin = document.at(sibling).key_begin;
  const std::string separator =
      column_is_blank(document, key_begin)
          ? std::string(document.source().newline()) + column_blanks(document, key_begin)
          : std::string(" ");
  return {path, {at, at}, "," + separator + flow_entry(context, place.missing, value, key.starts_with('"'))};
}

/// Below a key without a value (`key:`), or in place of an explicit null.
std::optional<TextEdit> insert_below_null(const ReadContext& context, const Place& place,
                                          const Scalar& value) {
  const Document& document = context.document;
  const Node& null = document.at(place.mapping);
  const std::string& path = document.source().path();
  if (!null.empty_value || !null.has_key) {
    return TextEdit{path, document.value_span(place.mapping),
                    "{" + flow_entry(context, place.missing, value, false) + "}"};
  }
  const std::string indent =
      column_blanks(document, null.key_begin) + std::string(indent_step(document), ' ');
  const std::string lines = block_entry(context, place.missing, value, indent);
  return TextEdit{path, {null.begin, null.begin}, std::string(document.source().newline()) + lines};
}

}  // namespace

std::optional<TextEdit> insert_key(const ReadContext& context, std::string_view path, const Scalar& value) {
  const Document& document = context.document;
  if (document.syntax() == Syntax::shell) {
    if (context.root != no_node && context.root != document.root()) return std::nullopt;
    return insert_option(context, nearest_sibling(context, {document.root(), {}, {}}, path), path, value);
  }
  const auto place = place_for(context, path);
  if (!place) return std::nullopt;
  if (place->mapping == no_node) {
    if (document.syntax() == Syntax::json) return std::nullopt;
    const auto end = static_cast<std::uint32_t>(document.source().bytes().size());
    return insert_line(context, end, block_entry(context, place->missing, value, ""));
  }
  if (document.at(place->mapping).kind == NodeKind::null) return insert_below_null(context, *place, value);
  const NodeId sibling = nearest_sibling(context, *place, path);
  if (is_flow(document, place->mapping)) return insert_in_flow(context, *place, sibling, value);
  if (sibling == no_node) {
    const bool top_of_toml = document.syntax() == Syntax::toml && place->mapping == document.root();
    if (!top_of_toml) return std::nullopt;
    return insert_line(context, 0, block_entry(context, place->missing, value, ""));
  }
  const std::uint32_t key_begin = document.at(sibling).key_begin;
  const std::uint32_t at = whole_lines(document, document.entry_span(sibling)).end;
  return insert_line(context, at,
                     block_entry(context, place->missing, value, column_blanks(document, key_begin)));
}

}  // namespace oomlint
