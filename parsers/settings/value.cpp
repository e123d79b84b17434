#include "lint/text/nearest.h"
#include "parsers/settings/tables.h"

#include <array>
#include <charconv>
#include <cmath>

namespace oomlint {

namespace {

struct Unit {
  std::string_view name;
  double bytes;
};
constexpr std::array<Unit, 9> units{{{"KiB", 1024.0},
                                     {"MiB", 1048576.0},
                                     {"GiB", 1073741824.0},
                                     {"TiB", 1099511627776.0},
                                     {"kB", 1e3},
                                     {"MB", 1e6},
                                     {"GB", 1e9},
                                     {"TB", 1e12},
                                     {"B", 1.0}}};

std::optional<double> parse_number(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (c != '_') digits += c;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size() || !std::isfinite(value) || value < 0)
    return std::nullopt;
  return value;
}

std::string_view without_trailing_blanks(std::string_view text) {
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

bool SettingsValue::is_table() const {
  return document_.at(node_).kind == NodeKind::mapping;
}
bool SettingsValue::is_array() const {
  return document_.at(node_).kind == NodeKind::sequence;
}

bool SettingsValue::is_literal() const {
  const Node& node = document_.at(node_);
  return node.kind == NodeKind::scalar &&
         (node.style == ScalarStyle::literal || node.style == ScalarStyle::plain);
}

std::optional<std::string> SettingsValue::text() const {
  const Node& node = document_.at(node_);
  if (node.kind != NodeKind::scalar || is_literal()) return std::nullopt;
  return std::string(node.text);
}

std::optional<std::string> SettingsValue::plain() const {
  const Node& node = document_.at(node_);
  return node.kind == NodeKind::scalar ? std::optional(std::string(node.text)) : std::nullopt;
}

std::optional<bool> SettingsValue::flag() const {
  const std::string_view word = document_.at(node_).text;
  if (!is_literal() || (word != "true" && word != "false")) return std::nullopt;
  return word == "true";
}

std::optional<double> SettingsValue::number() const {
  return is_literal() ? parse_number(document_.at(node_).text) : std::nullopt;
}

std::optional<std::int64_t> SettingsValue::count() const {
  const auto value = number();
  if (!value || *value < 1 || *value > 1e15 || std::floor(*value) != *value) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

std::optional<Bytes> SettingsValue::bytes() const {
  if (const auto whole = number()) {
    return std::floor(*whole) == *whole && *whole < 1e18
               ? std::optional(Bytes(static_cast<std::uint64_t>(*whole)))
               : std::nullopt;
  }
  const auto words = text();
  if (!words) return std::nullopt;
  for (const Unit& unit : units) {
    if (!words->ends_with(unit.name)) continue;
    std::string_view digits = *words;
    digits.remove_suffix(unit.name.size());
    const auto value = parse_number(without_trailing_blanks(digits));
    if (!value || *value * unit.bytes > 1e18) return std::nullopt;
    return Bytes(static_cast<std::uint64_t>(std::llround(*value * unit.bytes)));
  }
  return std::nullopt;
}

std::optional<Ratio> SettingsValue::share() const {
  auto value = number();
  if (!value) {
    const auto words = text();
    if (!words || !words->ends_with('%')) return std::nullopt;
    value = parse_number(without_trailing_blanks(std::string_view(*words).substr(0, words->size() - 1)));
    if (value) *value /= 100.0;
  }
  if (!value || *value >= 1.0) return std::nullopt;
  return Ratio{static_cast<std::uint64_t>(std::llround(*value * 10000.0)), 10000};
}

std::optional<std::vector<std::string>> SettingsValue::texts() const {
  if (const auto one = text()) return std::vector{*one};
  if (!is_array()) return std::nullopt;
  std::vector<std::string> found;
  for (NodeId item = document_.at(node_).first_child; item != no_node; item = document_.at(item).next) {
    auto each = SettingsValue(document_, item).text();
    if (!each) return std::nullopt;
    found.push_back(std::move(*each));
  }
  return found;
}

void add_problem(const SettingsValue& value, std::string message, std::string help,
                 const SectionContext& context) {
  const Document& document = value.document();
  const Node& node = document.at(value.node());
  const SourceFile& source = document.source();
  context.problems.push_back({source.path(), source.position(node.has_key ? node.key_begin : node.begin),
                              std::move(message), std::move(help)});
}

void add_reference(SettingsReference::Kind kind, std::string name, const SettingsValue& value,
                   const SectionContext& context) {
  const Document& document = value.document();
  const Node& node = document.at(value.node());
  const SourceFile& source = document.source();
  context.references.push_back(
      {kind, std::move(name), source.path(), source.position(node.has_key ? node.key_begin : node.begin)});
}

void report_unknown_key(const SettingsValue& value, std::string_view key,
                        std::span<const std::string_view> known, std::string_view what,
                        const SectionContext& context) {
  const std::string_view near = nearest(key, known);
  std::string help;
  if (!near.empty()) {
    help = "did you mean `" + std::string(near) + "`?";
  } else if (known.size() <= 16) {
    for (const std::string_view each : known)
      help += (help.empty() ? "known are " : ", ") + std::string(each);
  }
  add_problem(value, "unknown " + std::string(what) + " `" + std::string(key) + "`", std::move(help),
              context);
}

}  // namespace oomlint
