#include "lint/document/scalars.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>
#include <system_error>

namespace oomlint {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_digit_or_underscore(char c) {
  return is_digit(c) || c == '_';
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

/// Takes what matches from the front of a text: the patterns of the loaders, spelled out.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  [[nodiscard]] bool done() const { return text_.empty(); }
  bool take(char c) {
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool take_sign() { return take('-') || take('+'); }
  bool take_word(std::string_view word) {
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  /// Takes the longest run of `accepts`; how long it was.
  template <typename Accepts>
  std::size_t take_while(Accepts accepts) {
    std::size_t count = 0;
    while (count < text_.size() && accepts(text_[count])) ++count;
    text_.remove_prefix(count);
    return count;
  }
  /// A digit, then digits and underscores.
  bool take_digits() {
    return !text_.empty() && is_digit(text_.front()) && take_while(is_digit_or_underscore) > 0;
  }

  enum class ExponentSign : std::uint8_t { required, optional };
  /// An exponent if one starts here; false when something that is none does.
  bool take_exponent(ExponentSign sign) {
    if (!take('e') && !take('E')) return true;
    if (!take_sign() && sign == ExponentSign::required) return false;
    return take_while(is_digit) > 0;
  }
  /// `:dd` groups of a sexagesimal number; how many.
  std::size_t take_sexagesimal_groups() {
    std::size_t groups = 0;
    while (text_.size() >= 2 && text_[0] == ':' && is_digit(text_[1])) {
      const bool two = text_.size() >= 3 && is_digit(text_[2]);
      if (two && text_[1] > '5') break;
      text_.remove_prefix(two ? 3 : 2);
      ++groups;
    }
    return groups;
  }

 private:
  std::string_view text_;
};

using ExponentSign = Cursor::ExponentSign;

std::string without_underscores(std::string_view text) {
  std::string digits(text);
  std::erase(digits, '_');
  return digits;
}

/// A number from its digits, without sign; a double where 64 bits do not hold it; nothing without digits.
std::optional<ScalarValue> integer_from(std::string_view digits, int base, bool negative) {
  std::uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, base);
  if (digits.empty() || end != digits.data() + digits.size()) return std::nullopt;
  constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (error == std::errc() && magnitude <= largest) {
    const auto value = static_cast<std::int64_t>(magnitude);
    return ScalarValue(negative ? -value : value);
  }
  if (error == std::errc() && negative && magnitude == largest + 1) {
    return ScalarValue(std::numeric_limits<std::int64_t>::min());
  }
  double value = 0;
  for (const char c : digits) value = value * base + (is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
  return ScalarValue(negative ? -value : value);
}

double double_from(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec == std::errc::result_out_of_range) {
    // As Python reads it: too large is infinite, too small is nothing.
    const std::size_t exponent = text.find_first_of("eE");
    const bool tiny = exponent != std::string_view::npos && text.substr(exponent + 1).starts_with('-');
    value = tiny ? 0.0 : std::numeric_limits<double>::infinity();
    if (text.starts_with('-')) value = -value;
  }
  return value;
}

/// `1:30:00` in base 60.
double sexagesimal(std::string_view text) {
  double value = 0;
  while (true) {
    const std::size_t colon = text.find(':');
    value = value * 60 + double_from(text.substr(0, colon));
    if (colon == std::string_view::npos) return value;
    text.remove_prefix(colon + 1);
  }
}

/// `[-+]?digits[.digits][e[sign]digits]` with underscores among the digits.
bool is_decimal(std::string_view text, bool needs_point, ExponentSign sign) {
  Cursor at(text);
  at.take_sign();
  if (!at.take_digits()) return false;
  const bool point = at.take('.');
  if (!point && needs_point) return false;
  if (point) at.take_while(is_digit_or_underscore);
  return at.take_exponent(sign) && at.done();
}

/// `.digits[e[sign]digits]`.
bool is_fraction(std::string_view text, bool signed_allowed, ExponentSign sign) {
  Cursor at(text);
  if (signed_allowed) at.take_sign();
  return at.take('.') && at.take_digits() && at.take_exponent(sign) && at.done();
}

std::optional<ScalarValue> special_float(std::string_view text) {
  const bool negative = text.starts_with('-');
  std::string_view unsigned_text = text;
  if (negative || text.starts_with('+')) unsigned_text.remove_prefix(1);
  if (is_one_of(unsigned_text, {".inf", ".Inf", ".INF"})) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return ScalarValue(negative ? -infinity : infinity);
  }
  if (is_one_of(text, {".nan", ".NaN", ".NAN"})) return ScalarValue(std::numeric_limits<double>::quiet_NaN());
  return std::nullopt;
}

/// A number with a base prefix or a leading zero, or plain decimal digits.
struct IntegerForms {
  bool leading_zero_is_octal = true;
  bool octal_letter = false;  ///< 0o17
  bool underscores = true;
};

std::optional<ScalarValue> based_integer(std::string_view text, IntegerForms forms) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || !is_digit(text.front())) return std::nullopt;
  if (!forms.underscores && text.find('_') != std::string_view::npos) return std::nullopt;
  const std::string digits = without_underscores(text);
  const std::string_view view = digits;
  if (view.starts_with("0b")) return integer_from(view.substr(2), 2, negative);
  if (view.starts_with("0x")) return integer_from(view.substr(2), 16, negative);
  if (forms.octal_letter && view.starts_with("0o")) return integer_from(view.substr(2), 8, negative);
  if (forms.leading_zero_is_octal && view.size() > 1 && view.front() == '0')
    return integer_from(view, 8, negative);
  return integer_from(view, 10, negative);
}

std::optional<bool> yaml11_boolean(std::string_view text) {
  if (is_one_of(text, {"yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"})) return true;
  if (is_one_of(text, {"no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"})) return false;
  return std::nullopt;
}

std::optional<bool> yaml12_boolean(std::string_view text) {
  if (is_one_of(text, {"true", "True", "TRUE"})) return true;
  if (is_one_of(text, {"false", "False", "FALSE"})) return false;
  return std::nullopt;
}

std::optional<ScalarValue> sexagesimal_number(std::string_view text) {
  Cursor at(text);
  at.take_sign();
  if (!at.take_digits() || at.take_sexagesimal_groups() == 0) return std::nullopt;
  const bool fraction = at.take('.');
  if (fraction) at.take_while(is_digit_or_underscore);
  if (!at.done()) return std::nullopt;
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (!fraction && text.starts_with('0')) return std::nullopt;
  const double value = sexagesimal(without_underscores(text)) * (negative ? -1 : 1);
  if (fraction) return ScalarValue(value);
  return ScalarValue(static_cast<std::int64_t>(value));
}

/// PyYAML's resolvers (yaml/resolver.py); OmegaConf replaces the one for floats (omegaconf/_utils.py).
ScalarValue yaml11(std::string_view text, bool omegaconf) {
  if (text.empty() || is_one_of(text, {"~", "null", "Null", "NULL"})) return Null{};
  if (const auto boolean = yaml11_boolean(text)) return *boolean;
  if (!is_digit(text.front()) && text.find_first_of("-+.") != 0) return std::string(text);
  if (const auto value = special_float(text)) return *value;
  if (const auto value = sexagesimal_number(text)) return *value;
  const ExponentSign sign = omegaconf ? ExponentSign::optional : ExponentSign::required;
  const auto integer = based_integer(text, {});
  if (integer) return *integer;
  const bool exponent_alone = omegaconf && text.find_first_of("eE") != std::string_view::npos;
  if (is_decimal(text, !exponent_alone, sign) || is_fraction(text, false, ExponentSign::required)) {
    return double_from(without_underscores(text));
  }
  return std::string(text);
}

/// ruamel.yaml's resolvers for YAML 1.2.
ScalarValue yaml12(std::string_view text) {
  if (text.empty() || is_one_of(text, {"~", "null", "Null", "NULL"})) return Null{};
  if (const auto boolean = yaml12_boolean(text)) return *boolean;
  if (const auto value = special_float(text)) return *value;
  if (const auto value = based_integer(text, {.leading_zero_is_octal = false, .octal_letter = true}))
    return *value;
  if (is_decimal(text, false, ExponentSign::optional) || is_fraction(text, true, ExponentSign::required)) {
    return double_from(without_underscores(text));
  }
  return std::string(text);
}

ScalarValue toml(std::string_view text) {
  if (text == "true" || text == "false") return text == "true";
  const bool negative = text.starts_with('-');
  const std::string_view magnitude = text.substr(negative || text.starts_with('+') ? 1 : 0);
  if (magnitude == "inf") return (negative ? -1 : 1) * std::numeric_limits<double>::infinity();
  if (magnitude == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (const auto value = based_integer(text, {.leading_zero_is_octal = false, .octal_letter = true}))
    return *value;
  if (is_decimal(text, false, ExponentSign::optional)) return double_from(without_underscores(text));
  return std::string(text);
}

/// RFC 8259 numbers.
std::optional<ScalarValue> json_number(std::string_view text) {
  Cursor at(text);
  const bool negative = at.take('-');
  if (!at.take('0') && at.take_while(is_digit) == 0) return std::nullopt;
  if (at.done()) return integer_from(text.substr(negative ? 1 : 0), 10, negative);
  if (at.take('.') && at.take_while(is_digit) == 0) return std::nullopt;
  if (!at.take_exponent(ExponentSign::optional) || !at.done()) return std::nullopt;
  return ScalarValue(double_from(text));
}

ScalarValue json(std::string_view text, bool python) {
  if (text == "null") return Null{};
  if (text == "true" || text == "false") return text == "true";
  if (python) {
    if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (text == "Infinity") return std::numeric_limits<double>::infinity();
    if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
  }
  if (const auto number = json_number(text)) return *number;
  return std::string(text);
}

/// int(), float() and the words that every trainer takes for booleans.
ScalarValue command_line(std::string_view text) {
  if (const auto boolean = yaml12_boolean(text)) return *boolean;
  if (const auto value = based_integer(text, {.leading_zero_is_octal = false, .octal_letter = false}))
    return *value;
  if (is_decimal(text, false, ExponentSign::optional) || is_fraction(text, true, ExponentSign::optional)) {
    return double_from(without_underscores(text));
  }
  return std::string(text);
}

}  // namespace

ScalarValue plain_scalar(std::string_view text, ScalarSchema schema) {
  switch (schema) {
    case ScalarSchema::yaml11_pyyaml:
      return yaml11(text, false);
    case ScalarSchema::omegaconf:
      return yaml11(text, true);
    case ScalarSchema::yaml12_core:
      return yaml12(text);
    case ScalarSchema::toml:
      return toml(text);
    case ScalarSchema::json:
    case ScalarSchema::hjson:
      return json(text, false);
    case ScalarSchema::python_json:
      return json(text, true);
    case ScalarSchema::command_line:
      return command_line(text);
  }
  return std::string(text);
}

ScalarValue scalar_value(const Node& node, ScalarSchema schema) {
  if (node.kind == NodeKind::null) return Null{};
  if (node.tag == "!!str") return std::string(node.text);
  if (node.tag == "!!float" || node.tag == "!!int" || node.tag == "!!bool" || node.tag == "!!null") {
    // An explicit tag decides, also for quoted text and for what the schema alone reads as text.
    ScalarValue value = plain_scalar(node.text, ScalarSchema::omegaconf);
    if (node.tag == "!!float" && std::holds_alternative<std::int64_t>(value)) {
      return static_cast<double>(std::get<std::int64_t>(value));
    }
    return value;
  }
  if (node.style != ScalarStyle::plain && node.style != ScalarStyle::literal) return std::string(node.text);
  return plain_scalar(node.text, schema);
}

bool is_number_read_as_text(const Node& node, ScalarSchema schema) {
  if (node.kind != NodeKind::scalar || node.style != ScalarStyle::plain || !node.tag.empty()) return false;
  if (!std::holds_alternative<std::string>(plain_scalar(node.text, schema))) return false;
  return is_decimal(node.text, false, ExponentSign::optional) ||
         is_fraction(node.text, true, ExponentSign::optional);
}

}  // namespace oomlint
