#include "parsers/tree.h"

#include <tree_sitter/api.h>

#include <memory>

extern "C" {
const TSLanguage* tree_sitter_yaml();
const TSLanguage* tree_sitter_toml();
const TSLanguage* tree_sitter_json();
const TSLanguage* tree_sitter_bash();
}

namespace oomlint {
namespace {

constexpr std::uint64_t parse_budget_microseconds = 2'000'000;

struct DeleteParser {
  void operator()(TSParser* parser) const { ts_parser_delete(parser); }
};
struct DeleteTree {
  void operator()(TSTree* tree) const { ts_tree_delete(tree); }
};

const TSLanguage* language_of(Grammar grammar) {
  switch (grammar) {
    case Grammar::yaml:
      return tree_sitter_yaml();
    case Grammar::toml:
      return tree_sitter_toml();
    case Grammar::json:
      return tree_sitter_json();
    case Grammar::bash:
      return tree_sitter_bash();
  }
  return tree_sitter_json();
}

/// Copies the named nodes of a tree into `out`, without recursion: trees of hostile files are deep.
void flatten(const TSTree& tree, std::vector<SyntaxNode>& out) {
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(&tree));
  constexpr std::uint32_t no_index = ~std::uint32_t{0};
  std::vector<std::uint32_t> open;  // indices of the ancestors; no_index for those left out
  bool more = true;
  while (more) {
    const TSNode node = ts_tree_cursor_current_node(&cursor);
    std::uint32_t index = no_index;
    const bool in_error = !open.empty() && open.back() != no_index && out[open.back()].type == "ERROR";
    if (ts_node_is_named(node) || in_error) {
      index = static_cast<std::uint32_t>(out.size());
      const char* field = ts_tree_cursor_current_field_name(&cursor);
      out.push_back({ts_node_type(node),
                     {ts_node_start_byte(node), ts_node_end_byte(node)},
                     index + 1,
                     field != nullptr && std::string_view(field) == "key"});
    }
    if (ts_tree_cursor_goto_first_child(&cursor)) {
      open.push_back(index);
      continue;
    }
    while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
      more = ts_tree_cursor_goto_parent(&cursor);
      if (!more) break;
      if (open.back() != no_index) out[open.back()].past = static_cast<std::uint32_t>(out.size());
      open.pop_back();
    }
  }
  ts_tree_cursor_delete(&cursor);
}

}  // namespace

SyntaxTree parse_tree(Grammar grammar, std::string_view bytes) {
  const std::unique_ptr<TSParser, DeleteParser> parser(ts_parser_new());
  ts_parser_set_language(parser.get(), language_of(grammar));
  ts_parser_set_timeout_micros(parser.get(), parse_budget_microseconds);
  const std::unique_ptr<TSTree, DeleteTree> tree(
      ts_parser_parse_string(parser.get(), nullptr, bytes.data(), static_cast<std::uint32_t>(bytes.size())));
  SyntaxTree result;
  if (tree) {
    flatten(*tree, result.nodes);
  } else {
    result.complete = false;
    result.nodes.push_back({"ERROR", {0, static_cast<std::uint32_t>(bytes.size())}, 1, false});
  }
  return result;
}

}  // namespace oomlint
