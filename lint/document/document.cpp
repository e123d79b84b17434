#include "lint/document/document.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <unordered_set>
#include <utility>

namespace oomlint {

namespace {

/// A reader that recovers may have read more than there is: brackets and quotes it closed itself.
Span within(const SourceFile& source, Span span) {
  const auto size = static_cast<std::uint32_t>(source.bytes().size());
  return {std::min(span.begin, size), std::min(span.end, size)};
}

}  // namespace

Document::Document(std::shared_ptr<const SourceFile> source, Syntax syntax)
    : source_(std::move(source)), syntax_(syntax) {}

NodeId Document::add(Node node) {
  const auto id = static_cast<NodeId>(nodes_.size());
  const NodeId parent = node.parent;
  nodes_.push_back(node);
  last_child_.push_back(no_node);
  if (parent == no_node) {
    if (root_ == no_node) root_ = id;
    return id;
  }
  if (last_child_[parent] == no_node) {
    nodes_[parent].first_child = id;
  } else {
    nodes_[id].index = nodes_[last_child_[parent]].index + 1;
    nodes_[last_child_[parent]].next = id;
  }
  last_child_[parent] = id;
  return id;
}

void Document::reserve(std::size_t nodes) {
  nodes_.reserve(nodes);
  last_child_.reserve(nodes);
}

std::string_view Document::keep(std::string text) {
  return kept_.emplace_front(std::move(text));
}

std::string_view Document::slice_or_keep(std::string_view text, std::uint32_t begin) {
  const std::string_view bytes = source_->bytes();
  const char first = begin < bytes.size() ? bytes[begin] : ' ';
  const bool quoted = first == '"' || first == '\'';
  const std::size_t at = begin + (quoted ? 1U : 0U);
  const std::size_t end = at + text.size();
  if (end > bytes.size() || bytes.substr(at, text.size()) != text) return keep(std::string(text));
  // Without the closing quote right behind it the text only starts like the bytes: there are escapes.
  if (quoted && (end == bytes.size() || bytes[end] != first)) return keep(std::string(text));
  return bytes.substr(at, text.size());
}

NodeId Document::resolve(NodeId id) const {
  for (std::size_t steps = 0; id != no_node && nodes_[id].kind == NodeKind::alias; ++steps) {
    if (steps > nodes_.size()) return no_node;
    id = nodes_[id].alias_of;
  }
  return id;
}

NodeId Document::child(NodeId mapping, std::string_view key) const {
  // Own keys win over merged ones, an earlier merged mapping over a later one: depth first, each mapping
  // once.
  std::vector<NodeId> open{mapping};
  std::unordered_set<NodeId> visited;
  while (!open.empty()) {
    const NodeId at = resolve(open.back());
    open.pop_back();
    if (at == no_node) continue;
    if (nodes_[at].kind == NodeKind::sequence && !visited.empty()) {  // <<: [*a, *b]
      const std::size_t first = open.size();
      for (NodeId id = nodes_[at].first_child; id != no_node; id = nodes_[id].next) open.push_back(id);
      std::reverse(open.begin() + static_cast<std::ptrdiff_t>(first), open.end());
    }
    if (nodes_[at].kind != NodeKind::mapping || visited.contains(at)) continue;
    NodeId found = no_node;
    for (NodeId id = nodes_[at].first_child; id != no_node; id = nodes_[id].next) {
      if (nodes_[id].key == key) found = id;
      if (syntax_ == Syntax::yaml && nodes_[id].key == "<<") {
        visited.insert(at);
        open.push_back(id);
      }
    }
    if (found != no_node) return found;
  }
  return no_node;
}

NodeId Document::item(NodeId sequence, std::size_t index) const {
  sequence = resolve(sequence);
  if (sequence == no_node || nodes_[sequence].kind != NodeKind::sequence) return no_node;
  NodeId id = nodes_[sequence].first_child;
  while (id != no_node && index-- > 0) id = nodes_[id].next;
  return id;
}

NodeId Document::find(NodeId from, std::string_view path) const {
  NodeId at = from;
  while (at != no_node && !path.empty()) {
    // The longest key that is a prefix of what is left, so that keys with dots in them are found.
    NodeId hit = child(at, path.substr(0, path.find('[')));
    std::size_t used = std::min(path.find('['), path.size());
    while (hit == no_node) {
      const std::size_t dot = used == 0 ? std::string_view::npos : path.rfind('.', used - 1);
      if (dot == std::string_view::npos) return no_node;
      used = dot;
      hit = child(at, path.substr(0, used));
    }
    at = hit;
    path.remove_prefix(used);
    while (!path.empty() && path.front() == '[') {
      std::size_t index = 0;
      const std::size_t close = path.find(']');
      if (close == std::string_view::npos) return no_node;
      std::from_chars(path.data() + 1, path.data() + close, index);
      at = item(at, index);
      path.remove_prefix(close + 1);
    }
    if (!path.empty() && path.front() == '.') path.remove_prefix(1);
  }
  return at;
}

std::string Document::path_of(NodeId id) const {
  if (id == no_node || nodes_[id].parent == no_node) return {};
  const Node& node = nodes_[id];
  std::string path = path_of(node.parent);
  if (!node.has_key) return path + "[" + std::to_string(node.index) + "]";
  if (!path.empty()) path += '.';
  path += node.key;
  return path;
}

Span Document::slice_span(std::string_view text) const {
  const std::string_view bytes = source_->bytes();
  const std::less<> before;
  if (text.empty() || before(text.data(), bytes.data()) || before(bytes.data() + bytes.size(), text.data()))
    return {};
  auto begin = static_cast<std::uint32_t>(text.data() - bytes.data());
  auto end = static_cast<std::uint32_t>(begin + text.size());
  // Decoded text that is a slice has no escapes: quotes around it are its own.
  const char quote = begin > 0 ? bytes[begin - 1] : ' ';
  if ((quote == '"' || quote == '\'') && end < bytes.size() && bytes[end] == quote) {
    --begin;
    ++end;
  }
  return {begin, end};
}

Span Document::value_span(NodeId id) const {
  const Node& node = nodes_[id];
  const Span start = within(*source_, {node.begin, node.begin});
  const auto end_of_entries = [&] {
    NodeId last = node.first_child;
    while (last != no_node && nodes_[last].next != no_node) last = nodes_[last].next;
    return last == no_node ? start.begin : std::max(start.begin, entry_span(last).end);
  };
  if (node.empty_value) return start;
  Span span = slice_span(node.text);
  if (span.empty() && spans_) span = within(*source_, spans_->value_span(node.begin));
  if (span.empty()) return {start.begin, end_of_entries()};
  // To the grammar the comments behind a block belong to it; nobody who edits the block means them.
  const bool bracketed = source_->bytes()[span.begin] == '[' || source_->bytes()[span.begin] == '{';
  if (syntax_ == Syntax::yaml && node.first_child != no_node && !bracketed) {
    span.end = std::max(span.begin, end_of_entries());
  }
  return span;
}

Span Document::key_span(NodeId id) const {
  const Node& node = nodes_[id];
  const Span none = within(*source_, {node.key_begin, node.key_begin});
  if (!node.has_key) return none;
  const Span span = slice_span(node.key);
  if (!span.empty() || !spans_) return span.empty() ? none : span;
  return within(*source_, spans_->key_span(node.key_begin));
}

Span Document::entry_span(NodeId id) const {
  const Node& node = nodes_[id];
  const Span value = value_span(id);
  return node.has_key
             ? Span{within(*source_, {node.key_begin, 0}).begin, std::max(value.end, key_span(id).end)}
             : value;
}

}  // namespace oomlint
