#pragma once

#include "parsers/readers.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace oomlint::test {

/// Reads a text as the syntax its name says.
inline Document read_text(const std::string& name, std::string text) {
  return reader_for(name)->read(std::make_shared<const SourceFile>(name, std::move(text)));
}

/// A document on one line: mappings as {key: value}, scalars in <>, a spelled null as ~, aliases as *path.
inline std::string shape(const Document& document, NodeId id) {
  if (id == no_node) return "nothing";
  const Node& node = document.at(id);
  if (node.kind == NodeKind::null) return node.empty_value ? "" : "~";
  if (node.kind == NodeKind::scalar) return "<" + std::string(node.text) + ">";
  if (node.kind == NodeKind::alias)
    return "*" + (node.alias_of == no_node ? "?" : document.path_of(node.alias_of));
  std::string out;
  for (NodeId child = node.first_child; child != no_node; child = document.at(child).next) {
    if (child != node.first_child) out += ", ";
    if (document.at(child).has_key) out += std::string(document.at(child).key) + ": ";
    out += shape(document, child);
  }
  return node.kind == NodeKind::mapping ? "{" + out + "}" : "[" + out + "]";
}

inline std::string shape(const Document& document) {
  return shape(document, document.root());
}

inline std::string value_text(const Document& document, std::string_view path) {
  const NodeId id = document.find(path);
  return id == no_node ? "nothing" : std::string(document.source().text(document.value_span(id)));
}

/// The one problem of a document.
inline std::string problem_of(const Document& document) {
  return document.problems().size() == 1 ? document.problems().front().message
                                         : std::to_string(document.problems().size()) + " problems";
}

}  // namespace oomlint::test
