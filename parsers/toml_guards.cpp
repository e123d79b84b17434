#include "parsers/toml_guards.h"

#include "lint/document/document.h"
#include "parsers/repair.h"

#include <algorithm>
#include <string>
#include <vector>

namespace oomlint {
namespace {

constexpr std::size_t max_dotted_parts = 64;

/// One past the string that starts at `at`; the end of its line when it is not closed.
std::size_t string_end(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string triple(3, quote);
  const bool block = text.substr(at, 3) == triple;
  for (std::size_t i = at + (block ? 3 : 1); i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (block && text.substr(i, 3) == triple) {
      return i + 3;
    } else if (!block && text[i] == quote) {
      return i + 1;
    } else if (!block && text[i] == '\n') {
      return i;
    }
  }
  return text.size();
}

Refusal refuse(std::string_view text, std::size_t at, std::string message) {
  return {{rest_of_line(text, at), std::move(message)}, static_cast<std::uint32_t>(at)};
}

/// Follows keys and brackets through a text, one character (or string, or comment) at a time.
class Scanner {
 public:
  explicit Scanner(std::string_view text, std::size_t at = 0) : text_(text), at_(at) {}

  [[nodiscard]] std::size_t at() const { return at_; }
  [[nodiscard]] bool done() const { return at_ >= text_.size(); }
  [[nodiscard]] std::size_t parts() const { return parts_; }
  /// Levels the current place stands at: of its table, of the brackets around it, of their keys.
  [[nodiscard]] std::size_t levels() const { return levels_ + header_parts_; }
  /// The outermost open bracket of a value; the end of the text when there is none.
  [[nodiscard]] std::size_t open_bracket() const { return open_.empty() ? text_.size() : open_.front().at; }

  void step() {
    const char c = text_[at_];
    if (c == '\n') {
      if (header_) header_parts_ = parts_;
      header_ = false;
      parts_ = 0;
      line_start_ = true;
      ++at_;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
    } else if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else {
      step_token(c);
      line_start_ = false;
    }
  }

 private:
  struct Open {
    std::size_t at = 0;
    std::size_t levels = 0;  ///< with the parts of the key it is the value of
  };

  void step_token(char c) {
    const std::size_t begin = at_;
    at_ = c == '"' || c == '\'' ? string_end(text_, at_) : at_ + 1;
    if (c == '.') {
      ++parts_;
    } else if (c == ',') {
      parts_ = 0;
    } else if (c == '[' || c == '{') {
      header_ = header_ || (line_start_ && open_.empty());
      if (!header_) {
        open_.push_back({begin, parts_ + 1});
        levels_ += parts_ + 1;
      }
      parts_ = 0;
    } else if ((c == ']' || c == '}') && !open_.empty()) {
      levels_ -= open_.back().levels;
      open_.pop_back();
    }
  }

  std::string_view text_;
  std::size_t at_;
  std::size_t parts_ = 0;
  std::size_t header_parts_ = 0;
  std::size_t levels_ = 0;
  std::vector<Open> open_;
  bool header_ = false;
  bool line_start_ = true;
};

}  // namespace

std::optional<Refusal> guard_toml(std::string_view text) {
  for (Scanner scanner(text, bom_size(text)); !scanner.done();) {
    const std::size_t at = scanner.at();
    if (static_cast<unsigned char>(text[at]) >= 0x80)
      return explain_toml(text, static_cast<std::uint32_t>(at), false);
    scanner.step();
    if (scanner.parts() >= max_dotted_parts) return refuse(text, at, "key of more than 64 dotted parts");
    if (scanner.levels() > Document::max_depth) return refuse(text, at, "nested more than 200 levels deep");
  }
  return std::nullopt;
}

Refusal explain_toml(std::string_view text, std::uint32_t offset, bool redefined) {
  const std::size_t at = std::min<std::size_t>(offset, text.size());
  const std::size_t newline = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  const std::size_t line_begin = newline == std::string_view::npos ? 0 : newline + 1;
  std::string_view line = text.substr(line_begin);
  line = line.substr(0, line.find_first_of("\r\n"));
  const std::size_t first = std::min(line.find_first_not_of(" \t"), line.size());
  const std::size_t equals = line.find('=');
  Scanner scanner(text);
  while (!scanner.done() && scanner.at() < line_begin) scanner.step();
  const std::size_t bracket = scanner.open_bracket();
  const bool ended = line.size() == first && at + 1 >= text.size();
  if (bracket < text.size() &&
      (equals != std::string_view::npos || line.substr(first).starts_with('[') || ended)) {
    return {{rest_of_line(text, bracket), "bracket that is not closed"}, offset, Extent::between};
  }
  if (bracket < text.size()) return refuse(text, line_begin + first, "malformed item of a list");
  if (redefined) return refuse(text, line_begin + first, "key or table that exists already");
  if (line.substr(first).starts_with('[')) return refuse(text, line_begin + first, "malformed table header");
  if (equals == std::string_view::npos)
    return refuse(text, line_begin + first, "a key, `=` and a value expected");
  const std::size_t value = line.find_first_not_of(" \t", equals + 1);
  if (value == std::string_view::npos || line[value] == '#') {
    return refuse(text, line_begin + first, "key without a value");
  }
  if (line_begin + equals >= at)
    return refuse(text, line_begin + first,
                  "malformed key: without quotes it takes letters, digits, `-` and `_`");
  const char quote = line[value];
  if ((quote == '"' || quote == '\'') && text[string_end(text, line_begin + value) - 1] != quote) {
    return refuse(text, line_begin + value, "quote that is not closed");
  }
  return refuse(text, line_begin + value, "malformed value: texts take quotes");
}

}  // namespace oomlint
