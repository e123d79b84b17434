#include "lint/dialect/convert.h"
#include "lint/dialect/dialect.h"

#include <utility>

namespace oomlint {

NodeId ReadContext::find(std::string_view path) const {
  return document.find(root == no_node ? document.root() : root, path);
}

bool ReadContext::has(std::string_view path) const {
  const NodeId node = document.resolve(find(path));
  return node != no_node && document.at(node).kind != NodeKind::null;
}

ScalarValue ReadContext::scalar(std::string_view path) const {
  return typed(*this, find(path));
}

std::optional<bool> ReadContext::flag(std::string_view path) const {
  return as_flag(*this, scalar(path));
}

std::optional<std::int64_t> ReadContext::count(std::string_view path) const {
  return as_count(*this, scalar(path));
}

std::optional<double> ReadContext::number(std::string_view path) const {
  return as_number(*this, scalar(path));
}

std::optional<std::string> ReadContext::text(std::string_view path) const {
  const NodeId node = document.resolve(find(path));
  if (node == no_node || document.at(node).kind != NodeKind::scalar) return std::nullopt;
  return std::string(document.at(node).text);
}

std::vector<std::string> ReadContext::list(std::string_view path) const {
  return items(document, find(path));
}

const VersionRange* ReadContext::stated(std::string_view package) const {
  const VersionRange* range = versions.find(package);
  return range != nullptr && range->origin.kind != OriginKind::inferred ? range : nullptr;
}

Origin ReadContext::origin_of(NodeId node, OriginKind kind, std::string note) const {
  Origin origin{kind, file, {}, {}, std::move(note)};
  if (node == no_node) return origin;
  const Node& at = document.at(node);
  const bool of_value = at.kind == NodeKind::scalar || !at.has_key;
  origin.span = of_value ? document.value_span(node) : document.key_span(node);
  origin.key = document.path_of(node);
  return origin;
}

}  // namespace oomlint
