#include "lint/document/document.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace oomlint {

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
    nodes_[last_child_[parent]].next = id;
  }
  last_child_[parent] = id;
  return id;
}

std::string_view Document::keep(std::string text) { return kept_.emplace_back(std::move(text)); }

NodeId Document::resolve(NodeId id) const {
  for (std::size_t steps = 0; id != no_node && nodes_[id].kind == NodeKind::alias; ++steps) {
    if (steps > nodes_.size()) return no_node;
    id = nodes_[id].alias_of;
  }
  return id;
}

NodeId Document::child(NodeId mapping, std::string_view key) const {
  std::vector<NodeId> visited;
  return child_guarded(mapping, key, visited);
}

NodeId Document::child_guarded(NodeId mapping, std::string_view key, std::vector<NodeId>& visited) const {
  mapping = resolve(mapping);
  if (mapping == no_node || nodes_[mapping].kind != NodeKind::mapping) return no_node;
  if (std::find(visited.begin(), visited.end(), mapping) != visited.end()) return no_node;
  visited.push_back(mapping);
  NodeId found = no_node;
  NodeId merge = no_node;
  for (NodeId id = nodes_[mapping].first_child; id != no_node; id = nodes_[id].next) {
    if (nodes_[id].key == key) found = id;
    if (syntax_ == Syntax::yaml && nodes_[id].key == "<<") merge = id;
  }
  if (found != no_node || merge == no_node) return found;
  const NodeId merged = resolve(merge);
  if (merged == no_node) return no_node;
  if (nodes_[merged].kind != NodeKind::sequence) return child_guarded(merged, key, visited);
  for (NodeId id = nodes_[merged].first_child; id != no_node; id = nodes_[id].next) {
    const NodeId hit = child_guarded(id, key, visited);
    if (hit != no_node) return hit;
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

NodeId Document::find(std::string_view path) const {
  NodeId at = root_;
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
  if (node.has_key) {
    if (!path.empty()) path += '.';
    path += node.key;
    return path;
  }
  std::size_t index = 0;
  for (NodeId at = nodes_[node.parent].first_child; at != id && at != no_node; at = nodes_[at].next) ++index;
  return path + "[" + std::to_string(index) + "]";
}

Span Document::value_span(NodeId id) const {
  const Node& node = nodes_[id];
  if (node.empty_value || !spans_) return {node.begin, node.begin};
  return spans_->value_span(node.begin);
}

Span Document::key_span(NodeId id) const {
  const Node& node = nodes_[id];
  if (!node.has_key || !spans_) return {node.key_begin, node.key_begin};
  return spans_->key_span(node.key_begin);
}

Span Document::entry_span(NodeId id) const {
  const Node& node = nodes_[id];
  const Span value = value_span(id);
  return node.has_key ? Span{node.key_begin, std::max(value.end, key_span(id).end)} : value;
}

}  // namespace oomlint
