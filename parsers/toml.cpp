#include "parsers/readers.h"
#include "parsers/recovery.h"
#include "parsers/repair.h"
#include "parsers/toml_guards.h"

#include <toml++/toml.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace oomlint {
namespace {

/// The library's places (lines, columns in code points, both from 1, a byte order mark not counted) as byte
/// offsets.
class Places {
 public:
  explicit Places(std::string_view text) : text_(text) {
    line_starts_.push_back(bom_size(text));
    for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
      line_starts_.push_back(static_cast<std::uint32_t>(at + 1));
    }
  }

  [[nodiscard]] std::uint32_t offset(const toml::source_position& place) const {
    if (place.line == 0 || place.line > line_starts_.size()) return static_cast<std::uint32_t>(text_.size());
    std::size_t at = line_starts_[place.line - 1];
    for (std::uint32_t column = 1; column < place.column && at < text_.size() && text_[at] != '\n';
         ++column) {
      ++at;
      while (at < text_.size() && (static_cast<unsigned char>(text_[at]) & 0xC0U) == 0x80U) ++at;
    }
    return static_cast<std::uint32_t>(at);
  }
  [[nodiscard]] Span span(const toml::source_region& region) const {
    return {offset(region.begin), offset(region.end)};
  }

 private:
  std::string_view text_;
  std::vector<std::uint32_t> line_starts_;
};

/// The library knows both ends of everything, so they are simply remembered.
class TomlSpans final : public SpanSource {
 public:
  void add(Span span) { spans_.push_back(span); }
  void finish() { std::sort(spans_.begin(), spans_.end()); }

  Span value_span(std::uint32_t begin) override {
    const auto at = std::lower_bound(spans_.begin(), spans_.end(), Span{begin, begin});
    return at != spans_.end() && at->begin == begin ? *at : Span{begin, begin};
  }
  Span key_span(std::uint32_t begin) override { return value_span(begin); }

 private:
  std::vector<Span> spans_;
};

class Lowering {
 public:
  Lowering(Document& document, std::string_view text) : document_(document), text_(text), places_(text) {}

  void run(const toml::table& root) {
    Node node;
    node.kind = NodeKind::mapping;
    node.begin = bom_size(text_);
    add_entries(root, document_.add(node));
    spans_->finish();
    document_.set_span_source(spans_);
  }

 private:
  struct Entry {
    Span key;
    const toml::key* name = nullptr;
    const toml::node* value = nullptr;
  };

  /// The library sorts by key; the file's order comes back from the places.
  void add_entries(const toml::table& table, NodeId parent) {
    std::vector<Entry> entries;
    for (const auto& [key, value] : table) entries.push_back({places_.span(key.source()), &key, &value});
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.key < b.key; });
    for (const Entry& entry : entries) {
      Node node;
      node.parent = parent;
      node.has_key = true;
      node.key_begin = entry.key.begin;
      node.key = document_.slice_or_keep(entry.name->str(), entry.key.begin);
      spans_->add(entry.key);
      add_value(*entry.value, node);
    }
  }

  void add_value(const toml::node& value, Node node) {
    const Span span = places_.span(value.source());
    node.begin = span.begin;
    if (node.key_begin != node.begin || !node.has_key) spans_->add(span);
    if (const toml::table* table = value.as_table()) {
      node.kind = NodeKind::mapping;
      add_entries(*table, document_.add(node));
      return;
    }
    if (const toml::array* array = value.as_array()) {
      node.kind = NodeKind::sequence;
      const NodeId id = document_.add(node);
      for (const toml::node& item : *array) {
        Node child;
        child.parent = id;
        add_value(item, child);
      }
      return;
    }
    node.kind = NodeKind::scalar;
    const std::string_view raw = text_.substr(span.begin, span.size());
    if (const auto* text = value.as_string()) {
      const bool block = raw.starts_with("'''") || raw.starts_with("\"\"\"");
      node.style = block                   ? ScalarStyle::block
                   : raw.starts_with('\'') ? ScalarStyle::single_quoted
                                           : ScalarStyle::double_quoted;
      node.text = block ? document_.keep(text->get()) : document_.slice_or_keep(text->get(), span.begin);
    } else {
      node.style = ScalarStyle::literal;
      node.text = document_.slice_or_keep(raw, span.begin);
    }
    document_.add(node);
  }

  Document& document_;
  std::string_view text_;
  Places places_;
  std::shared_ptr<TomlSpans> spans_ = std::make_shared<TomlSpans>();
};

/// Fills `document`; why that failed, if it did.
std::optional<Refusal> read_tables(Document& document, std::string_view text) {
  if (auto refusal = guard_toml(text)) return refusal;
  try {
    const toml::table root = toml::parse(text);
    Lowering(document, text).run(root);
  } catch (const toml::parse_error& error) {
    const bool redefined = error.description().find("redefine") != std::string_view::npos;
    return explain_toml(text, Places(text).offset(error.source().begin), redefined);
  }
  return std::nullopt;
}

}  // namespace

Document read_toml(const std::shared_ptr<const SourceFile>& source) {
  const std::string_view bytes = source->bytes();
  Repair repair = repair_bytes(bytes);
  std::optional<SyntaxProblem> first = repair.problem;
  std::optional<Recovery> recovery;
  if (first) recovery.emplace(std::move(repair.text), Recovery::Unit::table);
  while (true) {
    Document document(source, Syntax::toml);
    const std::optional<Refusal> refusal = read_tables(document, recovery ? recovery->text() : bytes);
    if (refusal && !first) {
      first = refusal->problem;
      recovery.emplace(std::string(bytes), Recovery::Unit::table);
    }
    if (refusal && recovery->blank(*refusal)) continue;
    if (first) {
      document.set_partial();
      document.report(*std::move(first));
    }
    return document;
  }
}

}  // namespace oomlint
