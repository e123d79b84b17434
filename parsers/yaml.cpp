#include "parsers/readers.h"
#include "parsers/recovery.h"
#include "parsers/repair.h"
#include "parsers/yaml_problems.h"
#include "parsers/yaml_spans.h"
#include "parsers/yaml_text.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <istream>
#include <optional>
#include <streambuf>
#include <utility>
#include <vector>

namespace oomlint {
namespace {

/// Lets a stream read bytes where they are.
class ViewBuffer final : public std::streambuf {
 public:
  explicit ViewBuffer(std::string_view bytes) {
    char* begin = const_cast<char*>(bytes.data());  // the get area is never written
    setg(begin, begin, begin + bytes.size());
  }
};

/// Thrown out of the event handler to leave the library's parser; never leaves this file.
struct Stop {
  std::optional<Refusal> refusal;
};

constexpr std::string_view standard_tag = "tag:yaml.org,2002:";

/// Builds a document from the library's events.
class Builder final : public YAML::EventHandler {
 public:
  Builder(Document& document, std::string_view text, std::uint32_t bom)
      : document_(document), source_(document.source().bytes()), text_(text), bom_(bom) {}

  [[nodiscard]] bool has_value() const { return has_value_; }
  [[nodiscard]] YamlProgress progress() const {
    YamlProgress progress{last_event_, 0, false};
    if (!levels_.empty() && levels_.back().flow) {
      progress.in_flow = true;
      progress.open_flow = document_.at(levels_.back().container).begin;
    }
    return progress;
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    const std::uint32_t at = offset(mark);
    const bool marked = text_.substr(at).starts_with("---");
    if (started_ && (at <= document_start_ || !marked)) {
      refuse(at,
             has_value_ ? "text after the end of the document" : "a value cannot start with this character");
    }
    if (has_value_) throw Stop{};
    started_ = true;
    document_start_ = at;
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const std::uint32_t at = seen(mark);
    if (key_depth_ > 0) return;
    const std::uint32_t word_begin = skip_yaml_properties(text_, at, false);
    std::string_view word = yaml_word(source_, word_begin);
    if (!is_yaml_null_word(word)) word = {};
    if (expects_key()) {
      set_key(word, word_begin);
      return;
    }
    Node node;
    node.begin = at;
    node.text = word;
    node.empty_value = word.empty() && word_begin == at;
    if (node.empty_value) node.begin = insertion_point(at);
    if (node.empty_value && levels_.empty()) return;  // a document without a value
    const NodeId id = add(node, anchor);
    if (!word.empty() && word_begin == at) spelled_null_ = id;
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const std::uint32_t at = seen(mark);
    if (key_depth_ > 0) return;
    NodeId target = anchor < anchors_.size() ? anchors_[anchor] : no_node;
    const auto holds_target = [&](const Level& level) { return level.container == target; };
    if (std::any_of(levels_.begin(), levels_.end(), holds_target)) target = no_node;
    if (expects_key()) {
      set_key(target == no_node ? std::string_view() : document_.at(target).text, at);
      return;
    }
    Node node;
    node.kind = NodeKind::alias;
    node.begin = at;
    node.alias_of = target;
    add(node, 0);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Node node;
    node.kind = NodeKind::scalar;
    node.begin = seen(mark);
    if (key_depth_ > 0) return;
    const std::uint32_t value_begin = skip_yaml_properties(text_, node.begin, true);
    node.style = tag == "?" ? ScalarStyle::plain : yaml_style(text_, value_begin);
    node.text = decoded(value, value_begin, node.style);
    if (expects_key()) {
      set_key(node.text, node.begin);
      return;
    }
    if (value_begin != node.begin) node.tag = explicit_tag(tag);
    add(node, anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    open(NodeKind::sequence, mark, tag, anchor, style);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    open(NodeKind::mapping, mark, tag, anchor, style);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  struct Level {
    NodeId container = no_node;
    bool mapping = false;
    bool flow = false;
    bool has_key = false;
    std::uint32_t key_begin = 0;
    std::string_view key;
  };

  [[noreturn]] void refuse(std::uint32_t at, const char* message, Extent extent = Extent::block) const {
    throw Stop{Refusal{{rest_of_line(text_, at), message}, at, extent}};
  }

  [[nodiscard]] std::uint32_t offset(const YAML::Mark& mark) const {
    const auto at = static_cast<std::size_t>(std::max(mark.pos, 0)) + bom_;
    return static_cast<std::uint32_t>(std::min(at, text_.size()));
  }

  /// The offset of an event. A null that seemed spelled out but stands where the next event starts was no
  /// value: its letters are the next key (`a:` above `null: 1`).
  std::uint32_t seen(const YAML::Mark& mark) {
    const std::uint32_t at = offset(mark);
    if (spelled_null_ != no_node && document_.at(spelled_null_).begin == at) {
      Node& node = document_.edit(spelled_null_);
      node.empty_value = true;
      node.text = {};
      node.begin = node.has_key ? after_colon(text_, node.key_begin, node.key) : after_dash(text_, at);
    }
    spelled_null_ = no_node;
    last_event_ = at;
    return at;
  }

  [[nodiscard]] bool expects_key() const {
    return !levels_.empty() && levels_.back().mapping && !levels_.back().has_key;
  }

  /// The decoded text of a scalar: a slice of the source where the bytes say just that.
  std::string_view decoded(const std::string& value, std::uint32_t begin, ScalarStyle style) {
    if (style == ScalarStyle::block) return document_.keep(value);
    const bool quoted = style == ScalarStyle::single_quoted || style == ScalarStyle::double_quoted;
    const std::string_view text = document_.slice_or_keep(value, begin);
    // The library takes the end of the file for a closing quote.
    if (quoted && text.data() != source_.data() + begin + 1 && quoted_end(text_, begin) == 0) {
      refuse(begin, "quote that is never closed");
    }
    return text;
  }

  /// `tag` as one writes it, for values that carry one; the library says `?` and `!` for those that do not.
  std::string_view explicit_tag(std::string_view tag) {
    if (tag == "?" || tag == "!") return {};
    if (!tag.starts_with(standard_tag)) return document_.keep(std::string(tag));
    return document_.keep("!!" + std::string(tag.substr(standard_tag.size())));
  }

  /// Where the missing value before `next` would be written. Values the library makes up are refused.
  [[nodiscard]] std::uint32_t insertion_point(std::uint32_t next) const {
    if (levels_.empty()) return next;
    const Level& level = levels_.back();
    if (!level.mapping) {
      if (!level.flow) return after_dash(text_, next);
      refuse(next, "list item without a value");
    }
    if (!level.flow && next == level.key_begin && text_.substr(next, 1) != ":") {
      refuse(next, "key without a `:`");
    }
    return after_colon(text_, level.key_begin, level.key);
  }

  void set_key(std::string_view key, std::uint32_t begin) {
    levels_.back().has_key = true;
    levels_.back().key = key;
    levels_.back().key_begin = begin;
  }

  void remember(YAML::anchor_t anchor, NodeId id) {
    if (anchors_.size() <= anchor) anchors_.resize(anchor + 1, no_node);
    anchors_[anchor] = id;
  }

  NodeId add(Node node, YAML::anchor_t anchor) {
    if (!levels_.empty()) {
      Level& level = levels_.back();
      node.parent = level.container;
      node.has_key = level.mapping;
      node.key = level.key;
      node.key_begin = level.key_begin;
      level.has_key = false;
    }
    has_value_ = true;
    const NodeId id = document_.add(node);
    if (anchor != 0) remember(anchor, id);
    return id;
  }

  void open(NodeKind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            YAML::EmitterStyle::value style) {
    const std::uint32_t at = seen(mark);
    if (key_depth_ > 0 || expects_key()) {
      if (key_depth_++ == 0) levels_.back().key_begin = at;
      check_depth(at);
      return;
    }
    Node node;
    node.kind = kind;
    node.begin = at;
    node.tag = explicit_tag(tag);
    const NodeId id = add(node, anchor);
    levels_.push_back({id, kind == NodeKind::mapping, style == YAML::EmitterStyle::Flow, false, 0, {}});
    check_depth(at);
  }

  void close() {
    spelled_null_ = no_node;
    if (key_depth_ == 0) {
      levels_.pop_back();
    } else if (--key_depth_ == 0) {
      set_key({}, levels_.back().key_begin);  // a list or a mapping as a key: its parts were passed over
    }
  }

  void check_depth(std::uint32_t at) const {
    if (levels_.size() + key_depth_ <= Document::max_depth) return;
    refuse(at, "nested more than 200 levels deep");
  }

  Document& document_;
  std::string_view source_;
  std::string_view text_;
  std::uint32_t bom_;
  std::vector<Level> levels_;
  std::vector<NodeId> anchors_;
  std::size_t key_depth_ = 0;
  NodeId spelled_null_ = no_node;
  bool started_ = false;
  bool has_value_ = false;
  std::uint32_t document_start_ = 0;
  std::uint32_t last_event_ = 0;
};

/// Reads the first document with a value; why that failed, if it did.
std::optional<Refusal> read_events(Document& document, std::string_view text) {
  const std::uint32_t bom = bom_size(text);
  Builder builder(document, text, bom);
  try {
    ViewBuffer buffer(text);
    std::istream stream(&buffer);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const Stop& stop) {
    return stop.refusal;
  } catch (const YAML::Exception& refusal) {
    const auto at = static_cast<std::uint32_t>(std::max(refusal.mark.pos, 0)) + bom;
    return explain_yaml(text, at, refusal.msg, builder.progress());
  }
  return std::nullopt;
}

/// Tabs in the indentation as single spaces: what was meant, in as many bytes.
std::string untabbed(std::string_view bytes) {
  std::string text(bytes);
  bool indentation = true;
  for (char& c : text) {
    if (c == '\n') {
      indentation = true;
    } else if (indentation && c == '\t') {
      c = ' ';
    } else if (c != ' ') {
      indentation = false;
    }
  }
  return text;
}

}  // namespace

Document read_yaml(const std::shared_ptr<const SourceFile>& source) {
  const std::string_view bytes = source->bytes();
  Repair repair = repair_bytes(bytes);
  std::optional<SyntaxProblem> first = repair.problem;
  std::optional<Recovery> recovery;
  if (first) recovery.emplace(std::move(repair.text), Recovery::Unit::indented_block);
  while (true) {
    Document document(source, Syntax::yaml);
    document.reserve(bytes.size() / 24 + 8);
    const std::optional<Refusal> refusal = read_events(document, recovery ? recovery->text() : bytes);
    bool more = false;
    if (refusal && !first) {
      first = refusal->problem;
      recovery.emplace(untabbed(bytes), Recovery::Unit::indented_block);
      more = recovery->text() != bytes || recovery->blank(*refusal);
    } else if (refusal) {
      more = recovery->blank(*refusal);
    }
    if (more) continue;
    if (refusal) document = Document(source, Syntax::yaml);
    if (first) {
      document.set_partial();
      document.report(*std::move(first));
    }
    document.set_span_source(yaml_spans(source, recovery ? recovery->text() : std::string()));
    return document;
  }
}

}  // namespace oomlint
