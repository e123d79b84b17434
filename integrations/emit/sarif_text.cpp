#include "integrations/emit/sarif_text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace oomlint {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_alphanumeric(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

constexpr std::string_view trailing_marks = ",;:.)!?";
constexpr std::array<std::string_view, 9> units{"B", "KiB", "MiB", "GiB", "TiB", "GB", "TB", "%", "W"};

/// Length of a quoted piece at the start of `text`, quotes included; 0 if there is none. An apostrophe within
/// a word is no quote: only a closing one that ends a word counts.
std::size_t quoted_length(std::string_view text) {
  const char quote = text[0];
  if (quote != '\'' && quote != '`' && quote != '"') return 0;
  for (std::size_t end = text.find(quote, 1); end != std::string_view::npos;
       end = text.find(quote, end + 1)) {
    if (end > 1 && (end + 1 == text.size() || !is_alphanumeric(text[end + 1]))) return end + 1;
  }
  return 0;
}

/// Length of a dynamic word at the start of `text`, its unit included; 0 if the word is a plain one.
std::size_t dynamic_length(std::string_view text) {
  if (text[0] == '(') return 0;
  std::size_t end = std::min(text.find(' '), text.size());
  while (end > 0 && trailing_marks.find(text[end - 1]) != std::string_view::npos) --end;
  const std::string_view word = text.substr(0, end);
  if (std::none_of(word.begin(), word.end(), is_digit)) return 0;
  if (end < text.size() && text[end] == ' ') {
    const std::string_view rest = text.substr(end + 1);
    std::size_t next = std::min(rest.find(' '), rest.size());
    while (next > 0 && trailing_marks.find(rest[next - 1]) != std::string_view::npos) --next;
    if (std::find(units.begin(), units.end(), rest.substr(0, next)) != units.end()) return end + 1 + next;
  }
  return end;
}

}  // namespace

std::string path_to_uri(std::string_view path) {
  constexpr std::string_view kept = "-._~/!$&'()*+,;=@";
  constexpr std::string_view hex = "0123456789ABCDEF";
  while (path.starts_with("./")) path.remove_prefix(2);
  if (path.empty()) return ".";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    if (is_alphanumeric(c) || kept.find(c) != std::string_view::npos) {
      uri += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    uri += '%';
    uri += hex[byte >> 4];
    uri += hex[byte & 0xFU];
  }
  return uri;
}

void MessageParts::add(std::string_view constant) {
  text += constant;
  for (const char c : constant) {
    if (c == '{' || c == '}') pattern += c;  // doubled: a brace that is no placeholder
    pattern += c;
  }
}

void MessageParts::add_argument(std::string_view argument) {
  text.append("'").append(argument).append("'");
  pattern += "'{" + std::to_string(arguments.size()) + "}'";
  arguments.emplace_back(argument);
}

MessageParts take_apart(std::string_view message) {
  MessageParts parts;
  bool word_start = true;
  while (!message.empty()) {
    if (word_start) {
      if (const std::size_t length = quoted_length(message)) {
        parts.add_argument(message.substr(1, length - 2));
        message.remove_prefix(length);
        word_start = false;
        continue;
      }
      if (const std::size_t length = dynamic_length(message)) {
        parts.add_argument(message.substr(0, length));
        message.remove_prefix(length);
        word_start = false;
        continue;
      }
    }
    parts.add(message.substr(0, 1));
    word_start = message[0] == ' ' || message[0] == '(';
    message.remove_prefix(1);
  }
  return parts;
}

std::string pascal_case(std::string_view name) {
  std::string result;
  bool upper = true;
  for (const char c : name) {
    if (!is_alphanumeric(c)) {
      upper = true;
      continue;
    }
    result += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    upper = false;
  }
  return result;
}

std::string first_paragraph(std::string_view markdown, std::string_view fallback) {
  constexpr std::size_t limit = 1000;
  std::string paragraph;
  while (!markdown.empty()) {
    const std::size_t end = std::min(markdown.find('\n'), markdown.size());
    const std::string_view line = markdown.substr(0, end);
    markdown.remove_prefix(std::min(end + 1, markdown.size()));
    if (line.empty() && !paragraph.empty()) break;
    if (line.empty() || line.starts_with('#')) continue;
    if (!paragraph.empty()) paragraph += ' ';
    paragraph += line;
  }
  if (paragraph.empty() || paragraph.size() > limit) return std::string(fallback);
  return paragraph;
}

}  // namespace oomlint
