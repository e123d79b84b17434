#include "parsers/json_tokens.h"

#include <algorithm>

namespace oomlint {

std::size_t skip_json_blanks(std::string_view text, std::size_t at) {
  while (true) {
    at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
    const std::string_view two = text.substr(at, 2);
    if (two == "//") {
      at = std::min(text.find('\n', at), text.size());
    } else if (two == "/*") {
      const std::size_t close = text.find("*/", at + 2);
      at = close == std::string_view::npos ? text.size() : close + 2;
    } else {
      return at;
    }
  }
}

std::size_t json_string_end(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '\n' && text[at] != '\r'; ++at) {
    if (text[at] == '"') return at + 1;
    if (text[at] == '\\' && at + 1 < text.size()) ++at;
  }
  return std::min(at, text.size());
}

Span JsonTokens::next() {
  std::size_t begin = skip_json_blanks(text_, at_);
  while (begin < text_.size() && (text_[begin] == ',' || text_[begin] == ':'))
    begin = skip_json_blanks(text_, begin + 1);
  at_ = begin;
  if (begin < text_.size()) {
    const bool bracket = std::string_view("{}[]").find(text_[begin]) != std::string_view::npos;
    at_ = text_[begin] == '"' ? json_string_end(text_, begin)
          : bracket           ? begin + 1
                              : std::min(text_.find_first_of(" \t\r\n,:{}[]\"/", begin + 1), text_.size());
  }
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)};
}

}  // namespace oomlint
