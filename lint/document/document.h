#pragma once

#include "lint/text/source_file.h"
#include "lint/text/span.h"

#include <cstdint>
#include <forward_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

using NodeId = std::uint32_t;
inline constexpr NodeId no_node = ~NodeId{0};

/// `unknown`: a value that the text does not tell (a shell variable set elsewhere, a computed argument).
enum class NodeKind : std::uint8_t { null, scalar, mapping, sequence, alias, unknown };

/// How a scalar was written. `plain` scalars are typed by the dialect's schema; quoted and block scalars are
/// text; `literal` is a value whose syntax already fixes its type (a JSON or TOML number, boolean or date).
enum class ScalarStyle : std::uint8_t { plain, single_quoted, double_quoted, block, literal };

enum class Syntax : std::uint8_t { yaml, toml, json, shell, python };

/// One value of a document and, where its parent is a mapping, the key it stands under.
struct Node {
  NodeKind kind = NodeKind::null;
  ScalarStyle style = ScalarStyle::plain;
  bool has_key = false;
  bool empty_value = false;  ///< a key without any value text (`key:`): null as the loader sees it
  std::uint32_t begin =
      0;  ///< first byte of the value, its anchor or tag; if empty, where one would be inserted
  std::uint32_t key_begin = 0;  ///< first byte of the key, valid with has_key
  std::uint32_t index = 0;      ///< position among its siblings
  NodeId parent = no_node;
  NodeId first_child = no_node;
  NodeId next = no_node;      ///< next sibling, in source order
  NodeId alias_of = no_node;  ///< for an alias, the node its anchor stands on
  std::string_view key;       ///< decoded; empty for a key that is itself a list or a mapping
  std::string_view text;      ///< decoded scalar text, a null as it was spelled; for other kinds empty
  std::string_view tag;       ///< explicit tag such as "!!float", else empty
};

/// Ends of values, found only when somebody asks: a reader parses its tree at the first question. Not asked
/// for scalars whose decoded text is a slice of the source.
class SpanSource {
 public:
  virtual ~SpanSource() = default;
  /// The bytes of the value (or key) that starts at `begin`, without its anchor and tag; an empty span at
  /// `begin` when there is none.
  [[nodiscard]] virtual Span value_span(std::uint32_t begin) = 0;
  [[nodiscard]] virtual Span key_span(std::uint32_t begin) = 0;
};

/// Who reads a text all the same that its strict reader refuses.
enum class Tolerance : std::uint8_t {
  nobody,
  hjson,     ///< Hjson, JSON for people: comments, commas to spare or left out
  template_  ///< something that fills in placeholders first
};

/// A syntax problem found while reading: where and, in our own words, what.
struct SyntaxProblem {
  Span span;
  std::string message;
  Tolerance tolerance = Tolerance::nobody;
};

/// A text as a tree of mappings, sequences and scalars in source order, whatever the syntax. Duplicate keys
/// are kept. Scalars stay text: what `5e-5` means is the dialect's business (see scalars.h). Pure data;
/// parsers/ builds it. No alias leads to a node that holds it, so following aliases ends; what they share may
/// still unfold to a great many nodes. Nesting is at most `max_depth`.
class Document {
 public:
  static constexpr std::size_t max_depth = 200;

  Document(std::shared_ptr<const SourceFile> source, Syntax syntax);
  Document(Document&&) noexcept = default;
  Document& operator=(Document&&) noexcept = default;
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;
  ~Document() = default;

  [[nodiscard]] const SourceFile& source() const { return *source_; }
  [[nodiscard]] std::shared_ptr<const SourceFile> shared_source() const { return source_; }
  [[nodiscard]] Syntax syntax() const { return syntax_; }

  /// The value of the first document in the file, or no_node for a file without a value.
  [[nodiscard]] NodeId root() const { return root_; }
  /// How the program is started, a tree beside the root: `program`, `config`, `positional`, one mapping for
  /// each launcher (`torchrun`, `accelerate`, …), `environment`, `batch`. no_node outside scripts.
  [[nodiscard]] NodeId launch() const { return launch_; }
  [[nodiscard]] const Node& at(NodeId id) const { return nodes_[id]; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }

  /// True when the strict reader refused the text and the tree comes from error recovery: what is there can
  /// be believed, what is missing cannot.
  [[nodiscard]] bool partial() const { return partial_; }
  [[nodiscard]] const std::vector<SyntaxProblem>& problems() const { return problems_; }

  /// Follows aliases to the node that holds the value; no_node for one that would lead to itself.
  [[nodiscard]] NodeId resolve(NodeId id) const;
  /// The value under `key`, as the loader sees it: the last duplicate wins, then `<<` merges are searched.
  [[nodiscard]] NodeId child(NodeId mapping, std::string_view key) const;
  [[nodiscard]] NodeId item(NodeId sequence, std::size_t index) const;
  /// A dotted path from the root, or from another node. A key that itself holds dots is found too (`a.b`
  /// finds key "a.b" first). `[]` after a part means the first item, `[2]` the third.
  [[nodiscard]] NodeId find(std::string_view path) const { return find(root_, path); }
  [[nodiscard]] NodeId find(NodeId from, std::string_view path) const;
  /// The dotted path of a node ("datasets[0].path").
  [[nodiscard]] std::string path_of(NodeId id) const;

  [[nodiscard]] Span value_span(NodeId id) const;
  [[nodiscard]] Span key_span(NodeId id) const;
  /// From the key's first byte (or the value's, without a key) to the value's last.
  [[nodiscard]] Span entry_span(NodeId id) const;

  // For readers.
  void reserve(std::size_t nodes);
  NodeId add(Node node);  ///< appends as the last child of node.parent, or as the root
  Node& edit(NodeId id) { return nodes_[id]; }
  std::string_view keep(std::string text);  ///< owns decoded text that is not a slice of the source
  /// `text` as a slice of the source where the bytes at `begin` (or between the quotes there) are just that,
  /// else kept.
  std::string_view slice_or_keep(std::string_view text, std::uint32_t begin);
  void set_span_source(std::shared_ptr<SpanSource> spans) { spans_ = std::move(spans); }
  void set_launch(NodeId id) { launch_ = id; }
  void set_partial() { partial_ = true; }
  void report(SyntaxProblem problem) { problems_.push_back(std::move(problem)); }

 private:
  [[nodiscard]] Span slice_span(std::string_view text) const;

  std::shared_ptr<const SourceFile> source_;
  Syntax syntax_;
  NodeId root_ = no_node;
  NodeId launch_ = no_node;
  bool partial_ = false;
  std::vector<Node> nodes_;
  std::vector<NodeId> last_child_;  ///< per node, for appending
  std::forward_list<std::string> kept_;
  std::vector<SyntaxProblem> problems_;
  std::shared_ptr<SpanSource> spans_;
};

}  // namespace oomlint
