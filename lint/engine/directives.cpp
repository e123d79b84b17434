#include "lint/engine/suppress.h"
#include "lint/text/comments.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

namespace oomlint {

namespace {

struct Keyword {
  std::string_view text;
  Directive::Kind kind;
};
constexpr std::array<Keyword, 4> keywords{{{"ignore", Directive::Kind::ignore},
                                           {"file-ignore", Directive::Kind::file_ignore},
                                           {"disable", Directive::Kind::disable},
                                           {"enable", Directive::Kind::enable}}};

constexpr std::string_view marker = "oomlint:";
constexpr std::string_view blanks = " \t";

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// Reads what one comment says; places are offsets into the file.
class DirectiveParser {
 public:
  DirectiveParser(const SourceFile& source, Directives& out)
      : source_(source), bytes_(source.bytes()), out_(out) {}

  /// `comment` may hold other tools' words too: each `#` in it can begin ours.
  void parse(Span comment) {
    for (std::uint32_t at = comment.begin; at < comment.end; ++at) {
      if (bytes_[at] != '#') continue;
      at_ = at + 1;
      end_ = comment.end;
      skip_blanks();
      if (!equal_ignoring_case(bytes_.substr(at_, std::min<std::size_t>(marker.size(), end_ - at_)), marker))
        continue;
      at_ += static_cast<std::uint32_t>(marker.size());
      skip_blanks();
      parse_body({at, comment.end});
      return;
    }
  }

 private:
  void parse_body(Span comment) {
    const DirectiveWord word = take_word();
    const auto keyword = std::find_if(keywords.begin(), keywords.end(), [&](const Keyword& k) {
      return equal_ignoring_case(k.text, word.text);
    });
    skip_blanks();
    const bool has_list = at_ < end_ && bytes_[at_] == '[';
    if (at_ < end_ && bytes_[at_] == '=') {
      parse_modeline(word);
    } else if (keyword != keywords.end() && has_list) {
      parse_list(keyword->kind, comment);
    } else if (keyword != keywords.end() || (has_list && !word.text.empty())) {
      out_.malformed.push_back(word);
    }
    // Anything else is prose, or the native dialect's own marker commented out.
  }

  void parse_list(Directive::Kind kind, Span comment) {
    Directive directive;
    directive.kind = kind;
    const std::uint32_t list_begin = at_++;
    while (at_ < end_ && bytes_[at_] != ']') {
      while (at_ < end_ && (bytes_[at_] == ',' || blanks.find(bytes_[at_]) != std::string_view::npos)) ++at_;
      const std::uint32_t begin = at_;
      while (at_ < end_ && bytes_[at_] != ',' && bytes_[at_] != ']' &&
             blanks.find(bytes_[at_]) == std::string_view::npos) {
        ++at_;
      }
      if (at_ > begin) directive.rules.push_back(word_at({begin, at_}));
    }
    if (at_ >= end_ || directive.rules.empty()) {
      out_.malformed.push_back(word_at({list_begin, std::min(at_ + 1, end_)}));
      return;
    }
    ++at_;
    const std::uint32_t reason_begin = at_;
    while (at_ < end_ && bytes_[at_] != '#') ++at_;
    directive.reason = trimmed(bytes_.substr(reason_begin, at_ - reason_begin));
    directive.span = {comment.begin, at_};
    directive.line = line_meant(comment.begin);
    out_.entries.push_back(std::move(directive));
  }

  void parse_modeline(DirectiveWord name) {
    while (at_ < end_ && bytes_[at_] == '=' && !name.text.empty()) {
      const std::uint32_t begin = ++at_;
      while (at_ < end_ && blanks.find(bytes_[at_]) == std::string_view::npos) ++at_;
      out_.modeline.push_back({std::move(name), word_at({begin, at_})});
      skip_blanks();
      name = take_word();
    }
  }

  /// A comment after a key speaks about its own line, any other about the next line with something on it.
  [[nodiscard]] std::uint32_t line_meant(std::uint32_t comment) const {
    const std::uint32_t line = source_.line_of(comment);
    const std::string_view before =
        bytes_.substr(source_.line_start(line), comment - source_.line_start(line));
    const std::size_t first = before.find_first_not_of(blanks);
    if (first != std::string_view::npos && before[first] != '#') return line;
    for (std::uint32_t next = line + 1; next < source_.line_count(); ++next) {
      const std::string_view content = source_.line(next);
      const std::size_t start = content.find_first_not_of(blanks);
      if (start != std::string_view::npos && content[start] != '#') return next;
    }
    return line;
  }

  DirectiveWord take_word() {
    const std::uint32_t begin = at_;
    while (at_ < end_ && is_word(bytes_[at_])) ++at_;
    return word_at({begin, at_});
  }
  [[nodiscard]] DirectiveWord word_at(Span span) const { return {std::string(source_.text(span)), span}; }
  void skip_blanks() {
    while (at_ < end_ && blanks.find(bytes_[at_]) != std::string_view::npos) ++at_;
  }
  static std::string trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return std::string(text.substr(first, text.find_last_not_of(blanks) - first + 1));
  }

  const SourceFile& source_;
  std::string_view bytes_;
  Directives& out_;
  std::uint32_t at_ = 0;
  std::uint32_t end_ = 0;
};

std::optional<std::int64_t> positive_count(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 1) return std::nullopt;
  return value;
}

}  // namespace

Directives parse_directives(const SourceFile& source) {
  Directives found;
  found.path = source.path();
  if (source.bytes().find(':') == std::string_view::npos) return found;
  DirectiveParser parser(source, found);
  for (const Span comment : find_comments(source)) parser.parse(comment);
  return found;
}

void apply_modeline(const Directives& directives, Settings& settings) {
  for (const ModelineEntry& entry : directives.modeline) {
    if (entry.name.text == "gpu") settings.target.gpu = entry.value.text;
    if (entry.name.text == "world") settings.target.world = positive_count(entry.value.text);
    if (entry.name.text == "nodes") settings.target.nodes = positive_count(entry.value.text);
    if (entry.name.text == "dialect") settings.dialect = entry.value.text;
  }
  overlay(settings.target, settings.command_line);
}

}  // namespace oomlint
