#include "parsers/yaml_tree.h"

#include "parsers/tree.h"
#include "parsers/yaml_text.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

namespace oomlint {
namespace {

bool is_property(std::string_view type) {
  return type == "anchor" || type == "tag" || type == "comment";
}
bool is_pair(std::string_view type) {
  return type == "block_mapping_pair" || type == "flow_pair";
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
  explicit YamlSpans(const SyntaxTree& tree) : parsed_(true) { collect(tree); }

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

/// Builds a document from a tree with errors in it. A pair found inside an ERROR node joins the mapping
/// around it when it stands in that mapping's column; what is ambiguous is left out.
class Recovery {
 public:
  Recovery(Document& document, std::string_view text, const SyntaxTree& tree)
      : document_(document), source_(document.source().bytes()), text_(text), tree_(tree) {}

  void run() {
    // The first document with a value, and whatever stands in errors beside it.
    std::uint32_t value = 0;
    for (std::uint32_t i = 0; i < tree_.nodes.size() && value == 0; ++i) {
      if (is_node(type(i)) || is_pair(type(i))) value = i;
    }
    if (value == 0) return;
    const std::uint32_t content = is_node(type(value)) ? content_of(tree_, value) : value;
    const bool mapping = type(content) == "block_mapping" || is_pair(type(content)) || type(0) == "ERROR";
    if (!mapping) {
      add_value(value, no_node, no_index, 1);
      return;
    }
    Node root;
    root.kind = NodeKind::mapping;
    root.begin = tree_.nodes[value].span.begin;
    const NodeId id = document_.add(root);
    add_pairs(0, id, column(root.begin), 1);
  }

 private:
  [[nodiscard]] std::string_view type(std::uint32_t index) const { return tree_.nodes[index].type; }
  [[nodiscard]] Span span(std::uint32_t index) const { return tree_.nodes[index].span; }

  [[nodiscard]] std::uint32_t column(std::uint32_t offset) const {
    const SourceFile& source = document_.source();
    return offset - source.line_start(source.line_of(offset));
  }

  /// Adds the pairs below `index` that stand in `wanted`, the column of the mapping `parent`, not looking
  /// into values.
  void add_pairs(std::uint32_t index, NodeId parent, std::uint32_t wanted, std::size_t depth) {
    std::vector<std::uint32_t> open{index};
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      const std::size_t first = open.size();
      std::uint32_t previous = no_index;
      for_each_child(tree_, at, [&](std::uint32_t child) {
        const std::uint32_t before = std::exchange(previous, child);
        if (is_pair(type(child))) {
          if (column(span(child).begin) == wanted) add_pair(child, parent, depth);
        } else if (type(child) == ":" && before != no_index && is_node(type(before))) {
          if (column(span(before).begin) == wanted)
            add_loose_pair(before, child, tree_.nodes[at].past, parent, depth);
        } else if (!is_sequence(type(child))) {
          open.push_back(child);
        }
      });
      std::reverse(open.begin() + static_cast<std::ptrdiff_t>(first), open.end());
    }
  }

  static bool is_sequence(std::string_view type) {
    return type == "block_sequence" || type == "flow_sequence" || type == "flow_mapping";
  }

  void add_pair(std::uint32_t pair, NodeId parent, std::size_t depth) {
    std::uint32_t key = no_index;
    std::uint32_t value = no_index;
    for_each_child(tree_, pair, [&](std::uint32_t child) {
      if (!is_node(type(child))) return;
      (tree_.nodes[child].is_key ? key : value) = child;
    });
    if (key != no_index) add_value(value, parent, key, depth);
  }

  /// A key and a colon the parser could not put together: the value is what follows on the same line.
  void add_loose_pair(std::uint32_t key, std::uint32_t colon, std::uint32_t past, NodeId parent,
                      std::size_t depth) {
    const std::uint32_t next = tree_.nodes[colon].past;
    const SourceFile& source = document_.source();
    const bool has_value = next < past && is_node(type(next)) &&
                           source.line_of(span(next).begin) == source.line_of(span(colon).begin);
    add_value(has_value ? next : no_index, parent, key, depth);
  }

  void add_value(std::uint32_t index, NodeId parent, std::uint32_t key, std::size_t depth) {
    if (depth > Document::max_depth) return;
    Node node;
    node.parent = parent;
    if (key != no_index) {
      node.has_key = true;
      node.key_begin = span(key).begin;
      node.key = scalar_text(content_of(tree_, key));
    }
    if (index == no_index) {
      node.empty_value = true;
      node.begin = after_colon(text_, node.key_begin, node.key);
      document_.add(node);
      return;
    }
    node.begin = span(index).begin;
    const std::uint32_t content = content_of(tree_, index);
    const std::string_view kind = type(content);
    if (kind == "block_mapping" || kind == "flow_mapping" || kind == "flow_pair") {
      node.kind = NodeKind::mapping;
    } else if (kind == "block_sequence" || kind == "flow_sequence") {
      node.kind = NodeKind::sequence;
    } else if (kind == "alias") {
      node.kind = NodeKind::alias;
      const auto anchor = anchors_.find(document_.source().text(span(content)).substr(1));
      if (anchor != anchors_.end()) node.alias_of = anchor->second;
    } else {
      node.kind = NodeKind::scalar;
      node.style = yaml_style(text_, span(content).begin);
      node.text = scalar_text(content);
      if (node.style == ScalarStyle::plain && is_yaml_null_word(node.text)) node.kind = NodeKind::null;
    }
    const NodeId id = document_.add(node);
    add_children(content, id, depth + 1);
    for_each_child(tree_, index, [&](std::uint32_t child) {
      const std::string_view text = document_.source().text(span(child));
      if (type(child) == "anchor" && text.size() > 1) anchors_[text.substr(1)] = id;
    });
  }

  void add_children(std::uint32_t content, NodeId id, std::size_t depth) {
    if (type(content) == "block_mapping") {
      add_pairs(content, id, column(span(content).begin), depth);
      return;
    }
    if (type(content) == "flow_pair") {
      add_pair(content, id, depth);
      return;
    }
    const bool block = type(content) == "block_sequence";
    for_each_child(tree_, content, [&](std::uint32_t child) {
      if (type(content) == "flow_mapping") {
        if (is_pair(type(child))) add_pair(child, id, depth);
      } else if (block && type(child) == "block_sequence_item") {
        add_item(child, id, depth);
      } else if (type(content) == "flow_sequence" && (is_node(type(child)) || is_pair(type(child)))) {
        add_value(child, id, no_index, depth);
      }
    });
  }

  void add_item(std::uint32_t item, NodeId id, std::size_t depth) {
    std::uint32_t value = no_index;
    for_each_child(tree_, item, [&](std::uint32_t child) {
      if (is_node(type(child))) value = child;
    });
    if (value != no_index) {
      add_value(value, id, no_index, depth);
      return;
    }
    Node node;
    node.parent = id;
    node.empty_value = true;
    node.begin = span(item).begin + 1;
    document_.add(node);
  }

  /// Decoded text of a scalar; empty for other kinds.
  std::string_view scalar_text(std::uint32_t content) {
    if (!type(content).ends_with("_scalar")) return {};
    const std::string_view raw = text_.substr(span(content).begin, span(content).size());
    const ScalarStyle style = yaml_style(text_, span(content).begin);
    const std::string_view special = style == ScalarStyle::single_quoted ? "'\n" : "\\\n";
    std::string_view inner = raw;
    if (style != ScalarStyle::plain && style != ScalarStyle::block && raw.size() >= 2) {
      inner = raw.substr(1, raw.size() - 2);
    }
    if (style == ScalarStyle::block ||
        (style == ScalarStyle::plain ? inner.find('\n') : inner.find_first_of(special)) !=
            std::string_view::npos) {
      return document_.keep(decode_yaml_scalar(raw));
    }
    const std::string_view slice =
        source_.substr(static_cast<std::size_t>(inner.data() - text_.data()), inner.size());
    return slice == inner ? slice : document_.keep(std::string(inner));
  }

  static constexpr std::uint32_t no_index = ~std::uint32_t{0};

  Document& document_;
  std::string_view source_;
  std::string_view text_;
  const SyntaxTree& tree_;
  std::unordered_map<std::string_view, NodeId> anchors_;
};

}  // namespace

std::shared_ptr<SpanSource> yaml_spans(std::shared_ptr<const SourceFile> source, std::string repaired) {
  return std::make_shared<YamlSpans>(std::move(source), std::move(repaired));
}

void recover_yaml(Document& document, std::string text) {
  const SyntaxTree tree = parse_tree(Grammar::yaml, text);
  Recovery(document, text, tree).run();
  document.set_span_source(std::make_shared<YamlSpans>(tree));
}

}  // namespace oomlint
