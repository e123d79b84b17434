#pragma once

#include "lint/text/span.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace oomlint {

enum class Grammar : std::uint8_t { yaml, toml, json, bash };

/// One named node of a concrete syntax tree, or one token inside an ERROR node. The grammar's own type name;
/// "ERROR" where it recovered.
struct SyntaxNode {
  std::string_view type;
  Span span;
  std::uint32_t past = 0;  ///< index one past its last descendant: the next sibling, if the parent goes on
  bool is_key = false;     ///< it stands in its parent's field `key`
};

/// A concrete syntax tree in pre-order: the first child of node i is i + 1 (if below `past`), the next
/// sibling of node i is nodes[i].past.
struct SyntaxTree {
  std::vector<SyntaxNode> nodes;
  bool complete = true;  ///< false when parsing was given up (it took more than two seconds)
};

/// Parses with error recovery: always a tree, whatever the bytes. Never throws, holds nothing of the text.
[[nodiscard]] SyntaxTree parse_tree(Grammar grammar, std::string_view bytes);

/// Calls `visit(index)` for each child of node `index`.
template <typename Visit>
void for_each_child(const SyntaxTree& tree, std::uint32_t index, Visit visit) {
  for (std::uint32_t child = index + 1; child < tree.nodes[index].past; child = tree.nodes[child].past)
    visit(child);
}

}  // namespace oomlint
