#include "parsers/readers.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>

namespace oomlint {
namespace {

Document yaml(std::string text) {
  return read_yaml(std::make_shared<const SourceFile>("test.yaml", std::move(text)));
}

/// A document on one line: maps as {key: value}, scalars in <>, nulls as ~, aliases as *path.
std::string shape(const Document& document, NodeId id) {
  if (id == no_node) return "nothing";
  const Node& node = document.at(id);
  std::string out;
  switch (node.kind) {
    case NodeKind::null:
      return node.empty_value ? "" : "~";
    case NodeKind::scalar:
      return "<" + std::string(node.text) + ">";
    case NodeKind::alias:
      return "*" + (node.alias_of == no_node ? "?" : document.path_of(node.alias_of));
    case NodeKind::mapping:
    case NodeKind::sequence:
      for (NodeId child = node.first_child; child != no_node; child = document.at(child).next) {
        if (child != node.first_child) out += ", ";
        if (document.at(child).has_key) out += std::string(document.at(child).key) + ": ";
        out += shape(document, child);
      }
      return node.kind == NodeKind::mapping ? "{" + out + "}" : "[" + out + "]";
  }
  return out;
}

std::string shape(const Document& document) {
  return shape(document, document.root());
}

std::string value_text(const Document& document, std::string_view path) {
  return std::string(document.source().text(document.value_span(document.find(path))));
}

}  // namespace

TEST_CASE("yaml: mappings, lists, scalars and nulls") {
  const Document document = yaml("a: 1\nb:\n  - x\n  - 'it''s'\n  -\nc: null\nd:\ne: {f: [1, 2], g: }\n");
  CHECK(document.problems().empty());
  CHECK_FALSE(document.partial());
  CHECK(shape(document) == "{a: <1>, b: [<x>, <it's>, ], c: ~, d: , e: {f: [<1>, <2>], g: }}");
}

TEST_CASE("yaml: value spans end where the value ends") {
  const Document document =
      yaml("a:  12  # x\nb: \"q\\n\"\nc:\n  d: [1, {e: 2}]\n  f: |\n    text\n\n  g: &n 3\nh: last");
  CHECK(value_text(document, "a") == "12");
  CHECK(value_text(document, "b") == "\"q\\n\"");
  CHECK(value_text(document, "c.d") == "[1, {e: 2}]");
  CHECK(value_text(document, "c.d[1]") == "{e: 2}");
  CHECK(value_text(document, "c.f") == "|\n    text");
  CHECK(value_text(document, "c.g") == "3");
  CHECK(value_text(document, "h") == "last");
  CHECK(document.find("c.d[1].e") != no_node);
  CHECK(document.source().text(document.key_span(document.find("c.f"))) == "f");
  CHECK(document.source().text(document.entry_span(document.find("c.d"))) == "d: [1, {e: 2}]");
}

TEST_CASE("yaml: a value that is missing has a place to be written") {
  const Document document = yaml("a:\n'b' :  # why\nc:\n  -  # first\n  # more\n  - 2\nnull: 5\n");
  CHECK(shape(document) == "{a: , b: , c: [, <2>], null: <5>}");
  CHECK(document.at(document.find("a")).begin == 2);
  CHECK(document.at(document.find("b")).begin == 8);
  CHECK(document.value_span(document.find("c[0]")) == Span{22, 22});
}

TEST_CASE("yaml: the letters of a key are not the value of the key above") {
  const Document document = yaml("a:\nnull: 3\n");
  CHECK(shape(document) == "{a: , null: <3>}");
  CHECK(document.at(document.find("a")).begin == 2);
  CHECK(shape(yaml("a: null\nnull: ~\n")) == "{a: ~, null: ~}");
}

}  // namespace oomlint
