#include "parsers/yaml_spans.h"

#include "parsers/tree.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace oomlint {
namespace {

bool is_property(std::string_view type) {
  return type == "anchor" || type == "tag" || type == "comment";
}
bool is_node(std::string_view type) {
  return type == "block_node" || type == "flow_node";
}

/// The child of a flow_node or block_node that is the value itself; the node where there is none.
std::uint32_t content_of(const SyntaxTree& tree, std::uint32_t index) {
  std::uint32_t content = index;
  for_each_child(tree, index, [&](std::uint32_t child) {
    if (!is_property(tree.nodes[child].type)) content = child;
  });
  return content;
}

class YamlSpans final : public SpanSource {
 public:
  YamlSpans(std::shared_ptr<const SourceFile> source, std::string repaired)
      : source_(std::move(source)), repaired_(std::move(repaired)) {}

  Span value_span(std::uint32_t begin) override { return find(values_, begin); }
  Span key_span(std::uint32_t begin) override { return find(keys_, begin); }

 private:
  struct Entry {
    std::uint32_t begin = 0;  ///< of the node, properties included
    Span content;
  };

  Span find(const std::vector<Entry>& entries, std::uint32_t begin) {
    if (!parsed_) {
      collect(parse_tree(Grammar::yaml, repaired_.empty() ? source_->bytes() : std::string_view(repaired_)));
      parsed_ = true;
    }
    const auto at = std::lower_bound(entries.begin(), entries.end(), begin,
                                     [](const Entry& entry, std::uint32_t key) { return entry.begin < key; });
    return at != entries.end() && at->begin == begin ? at->content : Span{begin, begin};
  }

  /// Pre-order begins never decrease, and of the nodes that begin at one byte the first is the outermost.
  void collect(const SyntaxTree& tree) {
    for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
      const SyntaxNode& node = tree.nodes[i];
      if (!is_node(node.type) && node.type != "flow_pair") continue;
      const Span content = node.type == "flow_pair" ? node.span : tree.nodes[content_of(tree, i)].span;
      (node.is_key ? keys_ : values_).push_back({node.span.begin, content});
    }
  }

  std::shared_ptr<const SourceFile> source_;
  std::string repaired_;
  bool parsed_ = false;
  std::vector<Entry> values_;
  std::vector<Entry> keys_;
};

}  // namespace

std::shared_ptr<SpanSource> yaml_spans(std::shared_ptr<const SourceFile> source, std::string repaired) {
  return std::make_shared<YamlSpans>(std::move(source), std::move(repaired));
}

}  // namespace oomlint
