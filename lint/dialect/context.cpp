#include "lint/dialect/convert.h"
#include "lint/dialect/dialect.h"

#include <utility>

namespace oomlint {

namespace {

constexpr int max_interpolations = 8;

/// `a.b` of a text that is `${a.b}` and nothing else; resolvers (`${oc.env:X}`) name no path.
std::string_view interpolated_path(std::string_view text) {
  if (!text.starts_with("${") || !text.ends_with('}')) return {};
  const std::string_view path = text.substr(2, text.size() - 3);
  return path.find_first_of("${}: ") == std::string_view::npos ? path : std::string_view();
}

}  // namespace

NodeId ReadContext::find(std::string_view path) const {
  const NodeId node = document.find(root == no_node ? document.root() : root, path);
  if (met_unknown != nullptr && node != no_node && document.at(node).kind == NodeKind::unknown)
    *met_unknown = true;
  return node;
}

NodeId ReadContext::follow(NodeId node) const {
  node = document.resolve(node);
  if (!dialect.interpolates) return node;
  for (int steps = 0; steps < max_interpolations; ++steps) {
    if (node == no_node || document.at(node).kind != NodeKind::scalar) break;
    const std::string_view path = interpolated_path(document.at(node).text);
    const NodeId target = path.empty() ? no_node : document.resolve(find(path));
    if (target == no_node || target == node) break;
    node = target;
  }
  return node;
}

bool ReadContext::has(std::string_view path) const {
  const NodeId node = follow(find(path));
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
  const NodeId node = follow(find(path));
  if (node == no_node || document.at(node).kind != NodeKind::scalar) return std::nullopt;
  return std::string(document.at(node).text);
}

std::vector<std::string> ReadContext::list(std::string_view path) const {
  return items(document, follow(find(path)));
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
