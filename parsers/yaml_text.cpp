#include "parsers/yaml_text.h"

#include <algorithm>

namespace oomlint {
namespace {

constexpr auto npos = std::string_view::npos;

std::uint32_t find_or_end(std::string_view text, std::string_view any_of, std::size_t from) {
  return static_cast<std::uint32_t>(std::min(text.find_first_of(any_of, from), text.size()));
}

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/// A line without its comment and the blanks before that. Quotes are not looked at: this is for lines that
/// end in a dash.
std::string_view without_comment(std::string_view line) {
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '#' && (at == 0 || is_blank(line[at - 1]))) line = line.substr(0, at);
  }
  return line.substr(0, line.find_last_not_of(" \t\r") + 1);
}

}  // namespace

bool is_yaml_null_word(std::string_view word) {
  return word == "~" || word == "null" || word == "Null" || word == "NULL";
}

std::uint32_t skip_yaml_properties(std::string_view text, std::uint32_t at, bool across_lines) {
  std::size_t i = at;
  while (i < text.size() && (text[i] == '&' || text[i] == '!')) {
    i = find_or_end(text, text[i] == '&' ? " \t\r\n,[]{}" : " \t\r\n", i);
    while (i < text.size()) {
      if (is_blank(text[i]) || (across_lines && (text[i] == '\n' || text[i] == '\r'))) {
        ++i;
      } else if (across_lines && text[i] == '#') {
        i = find_or_end(text, "\r\n", i);
      } else {
        break;
      }
    }
  }
  return static_cast<std::uint32_t>(i);
}

std::string_view yaml_word(std::string_view text, std::uint32_t at) {
  std::size_t end = at;
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '~'; };
  while (end < text.size() && is_letter(text[end])) ++end;
  return text.substr(at, end - at);
}

ScalarStyle yaml_style(std::string_view text, std::uint32_t at) {
  switch (at < text.size() ? text[at] : ' ') {
    case '\'':
      return ScalarStyle::single_quoted;
    case '"':
      return ScalarStyle::double_quoted;
    case '|':
    case '>':
      return ScalarStyle::block;
    default:
      return ScalarStyle::plain;
  }
}

std::uint32_t quoted_end(std::string_view text, std::uint32_t at) {
  if (at >= text.size()) return 0;
  const char quote = text[at];
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      if (quote == '"' || i + 1 >= text.size() || text[i + 1] != '\'')
        return static_cast<std::uint32_t>(i + 1);
      ++i;
    }
  }
  return 0;
}

std::uint32_t after_colon(std::string_view text, std::uint32_t key_begin, std::string_view key) {
  std::size_t at = skip_yaml_properties(text, key_begin, true);
  if (yaml_style(text, static_cast<std::uint32_t>(at)) == ScalarStyle::plain) {
    at = std::min(at + key.size(), text.size());
  } else {
    at = std::max<std::size_t>(quoted_end(text, static_cast<std::uint32_t>(at)), at);
  }
  const std::size_t colon = text.find_first_not_of(" \t", at);
  return static_cast<std::uint32_t>(colon != npos && text[colon] == ':' ? colon + 1 : at);
}

std::uint32_t after_dash(std::string_view text, std::uint32_t next) {
  std::size_t line_end = next;
  while (true) {
    const std::size_t newline = line_end == 0 ? npos : text.rfind('\n', line_end - 1);
    const std::size_t line_begin = newline == npos ? 0 : newline + 1;
    const std::string_view line = without_comment(text.substr(line_begin, line_end - line_begin));
    if (!line.empty()) {
      return line.back() == '-' ? static_cast<std::uint32_t>(line_begin + line.size()) : next;
    }
    if (newline == npos) return next;
    line_end = newline;
  }
}

}  // namespace oomlint
