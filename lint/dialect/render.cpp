#include "lint/dialect/edit.h"

#include <array>
#include <charconv>

namespace oomlint {

namespace {

std::string escaped(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        result += "\\\"";
        break;
      case '\\':
        result += "\\\\";
        break;
      case '\n':
        result += "\\n";
        break;
      case '\t':
        result += "\\t";
        break;
      case '\r':
        result += "\\r";
        break;
      default:
        result += c;
    }
  }
  return result + '"';
}

std::string single_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("''") : std::string(1, c);
  return result + '\'';
}

/// Whether `text` without quotes would be read as this very text.
bool is_safe_plain(std::string_view text, ScalarSchema schema, bool in_flow) {
  if (text.empty() || text.front() == ' ' || text.back() == ' ' || text.back() == ':') return false;
  if (std::string_view("-?:,[]{}#&*!|>'\"%@`").find(text.front()) != std::string_view::npos) return false;
  if (text.find(": ") != std::string_view::npos || text.find(" #") != std::string_view::npos) return false;
  if (text.find_first_of(in_flow ? "\n\t\r,[]{}" : "\n\t\r") != std::string_view::npos) return false;
  return std::holds_alternative<std::string>(plain_scalar(text, schema));
}

std::string text_in(std::string_view text, Syntax syntax, ScalarSchema schema, char quote, bool in_flow) {
  if (syntax != Syntax::yaml) {
    const bool literal =
        quote == '\'' && syntax == Syntax::toml && text.find_first_of("'\n") == std::string_view::npos;
    return literal ? "'" + std::string(text) + "'" : escaped(text);
  }
  if (quote == '\'' && text.find('\n') == std::string_view::npos) return single_quoted(text);
  return quote == 0 && is_safe_plain(text, schema, in_flow) ? std::string(text) : escaped(text);
}

/// The shortest digits that read back as the number, with the decimal point that YAML 1.1 asks of an
/// exponent.
std::string number_in(double value) {
  std::array<char, 40> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  std::string digits(buffer.data(), end);
  const std::size_t exponent = digits.find('e');
  if (exponent == std::string::npos || digits.find('.') != std::string::npos) return digits;
  return digits.insert(exponent, ".0");
}

}  // namespace

std::string render(const Scalar& value, Syntax syntax, ScalarSchema schema, char quote, bool in_flow) {
  if (const auto* text = std::get_if<std::string>(&value))
    return text_in(*text, syntax, schema, quote, in_flow);
  if (const auto* number = std::get_if<double>(&value)) return number_in(*number);
  if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
    std::string items;
    for (const std::string& item : *list) {
      if (!items.empty()) items += ", ";
      items += text_in(item, syntax, schema, quote, true);
    }
    return "[" + items + "]";
  }
  return is_known(value) ? to_string(value) : "null";
}

}  // namespace oomlint
