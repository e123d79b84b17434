#include "parsers/json_problems.h"
#include "parsers/json_tokens.h"
#include "parsers/readers.h"
#include "parsers/recovery.h"
#include "parsers/repair.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace oomlint {
namespace {

class JsonSpans final : public SpanSource {
 public:
  /// Begins must not decrease; of two values at one byte there are none.
  void add(std::uint32_t begin) { spans_.push_back({begin, begin}); }
  [[nodiscard]] std::size_t count() const { return spans_.size(); }
  void finish(std::size_t index, std::uint32_t end) { spans_[index].end = end; }

  Span value_span(std::uint32_t begin) override {
    const auto at = std::lower_bound(spans_.begin(), spans_.end(), Span{begin, begin});
    return at != spans_.end() && at->begin == begin ? *at : Span{begin, begin};
  }
  Span key_span(std::uint32_t begin) override { return value_span(begin); }

 private:
  std::vector<Span> spans_;
};

/// Builds a document from the library's events, which carry no places: each event is one token of the text.
class Builder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  Builder(Document& document, std::string_view text)
      : document_(document), text_(text), tokens_(text, bom_size(text)) {}

  [[nodiscard]] const std::optional<Refusal>& refusal() const { return refusal_; }
  [[nodiscard]] std::shared_ptr<JsonSpans> spans() const { return spans_; }
  [[nodiscard]] JsonProgress progress() const {
    JsonProgress progress = progress_;
    progress.after_last = tokens_.offset();
    progress.in_object = !levels_.empty() && levels_.back().object;
    progress.in_array = !levels_.empty() && !levels_.back().object;
    if (!levels_.empty()) progress.open_bracket = document_.at(levels_.back().container).begin;
    return progress;
  }

  bool null() override { return add_literal(NodeKind::null); }
  bool boolean(bool) override { return add_literal(NodeKind::scalar); }
  bool number_integer(number_integer_t) override { return add_literal(NodeKind::scalar); }
  bool number_unsigned(number_unsigned_t) override { return add_literal(NodeKind::scalar); }
  bool number_float(number_float_t, const string_t&) override { return add_literal(NodeKind::scalar); }
  bool string(string_t& value) override {
    const Span token = next_value();
    Node node;
    node.kind = NodeKind::scalar;
    node.style = ScalarStyle::double_quoted;
    node.begin = token.begin;
    node.text = document_.slice_or_keep(value, token.begin);
    add(node);
    return true;
  }
  bool binary(binary_t&) override { return true; }
  bool key(string_t& value) override {
    const Span token = next();
    key_ = document_.slice_or_keep(value, token.begin);
    progress_.last_key = token.begin;
    progress_.after_key = true;
    progress_.after_value = false;
    return true;
  }
  bool start_object(std::size_t) override { return open(NodeKind::mapping); }
  bool start_array(std::size_t) override { return open(NodeKind::sequence); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    refusal_ = explain_json(text_, progress());
    return false;
  }

 private:
  struct Level {
    NodeId container = no_node;
    std::size_t span = 0;
    bool object = false;
  };

  Span next() {
    const Span token = tokens_.next();
    spans_->add(token.begin);
    spans_->finish(spans_->count() - 1, token.end);
    return token;
  }

  Span next_value() {
    const Span token = next();
    progress_.last_value = token.begin;
    progress_.after_key = false;
    progress_.after_value = true;
    return token;
  }

  NodeId add(Node node) {
    if (!levels_.empty()) {
      node.parent = levels_.back().container;
      node.has_key = levels_.back().object;
      node.key = key_;
      node.key_begin = progress_.last_key;
    }
    return document_.add(node);
  }

  bool add_literal(NodeKind kind) {
    const Span token = next_value();
    Node node;
    node.kind = kind;
    node.style = ScalarStyle::literal;
    node.begin = token.begin;
    node.text = document_.slice_or_keep(text_.substr(token.begin, token.size()), token.begin);
    add(node);
    return true;
  }

  bool open(NodeKind kind) {
    const Span token = next_value();
    progress_.after_value = false;
    Node node;
    node.kind = kind;
    node.begin = token.begin;
    levels_.push_back({add(node), spans_->count() - 1, kind == NodeKind::mapping});
    if (levels_.size() <= Document::max_depth) return true;
    refusal_ = Refusal{{rest_of_line(text_, token.begin), "nested more than 200 levels deep"}, token.begin};
    return false;
  }

  bool close() {
    spans_->finish(levels_.back().span, tokens_.next().end);
    levels_.pop_back();
    progress_.after_key = false;
    progress_.after_value = true;
    return true;
  }

  Document& document_;
  std::string_view text_;
  JsonTokens tokens_;
  std::shared_ptr<JsonSpans> spans_ = std::make_shared<JsonSpans>();
  std::vector<Level> levels_;
  std::string_view key_;
  JsonProgress progress_;
  std::optional<Refusal> refusal_;
};

/// Python's NaN and Infinity as zeros of the same length: the library would refuse them, and the text of a
/// number comes from the source. Nothing if there are none.
std::optional<std::string> without_python_numbers(std::string_view text) {
  std::optional<std::string> plain;
  JsonTokens tokens(text, bom_size(text));
  for (Span token = tokens.next(); !token.empty(); token = tokens.next()) {
    const std::string_view word = text.substr(token.begin, token.size());
    if (word != "NaN" && word != "Infinity" && word != "-Infinity") continue;
    if (!plain) plain = std::string(text);
    const std::size_t sign = word.front() == '-' ? 1 : 0;
    plain->replace(token.begin + sign, word.size() - sign, "0" + std::string(word.size() - sign - 1, ' '));
  }
  return plain;
}

std::optional<Refusal> read_events(Document& document, std::string_view text) {
  const std::optional<std::string> plain = without_python_numbers(text);
  const std::string_view strict = plain ? std::string_view(*plain) : text;
  Builder builder(document, text);
  nlohmann::json::sax_parse(strict.begin(), strict.end(), &builder, nlohmann::json::input_format_t::json,
                            true, true);
  document.set_span_source(builder.spans());
  return builder.refusal();
}

}  // namespace

Document read_json(const std::shared_ptr<const SourceFile>& source) {
  const std::string_view bytes = source->bytes();
  Repair repair = repair_bytes(bytes);
  std::optional<SyntaxProblem> first = repair.problem;
  std::optional<Recovery> recovery;
  if (first) recovery.emplace(std::move(repair.text), Recovery::Unit::bracketed_block);
  while (true) {
    Document document(source, Syntax::json);
    document.reserve(bytes.size() / 24 + 8);
    const std::optional<Refusal> refusal =
        recovery ? read_events(document, mended_json(recovery->text())) : read_events(document, bytes);
    if (refusal && !first) {
      first = refusal->problem;
      recovery.emplace(std::string(bytes), Recovery::Unit::bracketed_block);
      if (mended_json(recovery->text()) != bytes) continue;
    }
    if (refusal && recovery->blank(*refusal)) continue;
    if (refusal) document = Document(source, Syntax::json);
    if (first) {
      document.set_partial();
      document.report(*std::move(first));
    }
    return document;
  }
}

}  // namespace oomlint
