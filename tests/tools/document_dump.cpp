// Prints what the readers make of files, one JSON line a file, for comparison with other readers. The names
// come on standard input, one a line.
#include "lint/document/scalars.h"
#include "parsers/readers.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>

namespace {

using nlohmann::json;
using oomlint::Document;
using oomlint::NodeKind;

json dump_node(const Document& document, oomlint::NodeId id) {
  const oomlint::Node& node = document.at(id);
  json out;
  switch (node.kind) {
    case NodeKind::null:
      out["kind"] = "null";
      break;
    case NodeKind::unknown:
      out["kind"] = "unknown";
      break;
    case NodeKind::scalar:
      out["kind"] = "scalar";
      out["plain"] = node.style == oomlint::ScalarStyle::plain || node.style == oomlint::ScalarStyle::literal;
      break;
    case NodeKind::mapping:
      out["kind"] = "mapping";
      break;
    case NodeKind::sequence:
      out["kind"] = "sequence";
      break;
    case NodeKind::alias:
      out["kind"] = "alias";
      if (node.alias_of != oomlint::no_node) out["of"] = node.alias_of;
      break;
  }
  const oomlint::Span span = document.value_span(id);
  out["id"] = id;
  out["text"] = node.text;
  out["span"] = {span.begin, span.end};
  if (node.empty_value) out["empty"] = true;
  if (!node.tag.empty()) out["tag"] = node.tag;
  if (node.has_key) {
    const oomlint::Span key = document.key_span(id);
    out["key"] = node.key;
    out["key_span"] = {key.begin, key.end};
  }
  for (oomlint::NodeId child = node.first_child; child != oomlint::no_node; child = document.at(child).next) {
    out["children"].push_back(dump_node(document, child));
  }
  return out;
}

json dump_file(const std::string& path) {
  json out{{"path", path}};
  const oomlint::Reader* reader = oomlint::reader_for(path);
  std::ifstream stream(path, std::ios::binary);
  if (reader == nullptr || !stream) return out;
  std::string bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  const auto start = std::chrono::steady_clock::now();
  const Document document = reader->read(std::make_shared<const oomlint::SourceFile>(path, std::move(bytes)));
  out["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  out["partial"] = document.partial();
  out["problems"] = json::array();
  for (const oomlint::SyntaxProblem& problem : document.problems()) {
    out["problems"].push_back(
        {{"span", {problem.span.begin, problem.span.end}}, {"message", problem.message}});
  }
  if (document.root() != oomlint::no_node) out["root"] = dump_node(document, document.root());
  return out;
}

}  // namespace

int main() {
  for (std::string path; std::getline(std::cin, path);) {
    std::cout << dump_file(path).dump(-1, ' ', false, json::error_handler_t::replace) << '\n';
  }
}
