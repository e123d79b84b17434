#include "lint/catalog/lookup.h"

#include "lint/catalog/names.h"
#include "lint/catalog/tables.h"

#include <algorithm>
#include <cmath>

namespace oomlint::catalog {

namespace {
NameRules built_in_rules(const Tables& t) {
  NameRules rules;
  for (const Text prefix : t.prefixes) rules.prefixes.push_back(t.text(prefix));
  for (const SuffixRow& row : t.mirror_suffixes)
    rules.mirrors.push_back({t.text(row.pattern), row.quantisation});
  for (const SuffixRow& row : t.variant_suffixes)
    rules.variants.push_back({t.text(row.pattern), row.quantisation});
  return rules;
}

struct FoldedOrder {
  const Tables& t;
  bool operator()(const IdRow& row, std::string_view name) const {
    return compare_folded(t.text(row.id), name) < 0;
  }
  bool operator()(std::string_view name, const IdRow& row) const {
    return compare_folded(name, t.text(row.id)) < 0;
  }
  bool operator()(const NameRow& row, std::string_view name) const { return t.text(row.name) < name; }
  bool operator()(std::string_view name, const NameRow& row) const { return name < t.text(row.name); }
};

/// The id itself, in its own spelling or another.
std::optional<Found> by_id(const Tables& t, std::string_view name, std::size_t except) {
  const auto [first, last] = std::equal_range(t.ids.begin(), t.ids.end(), name, FoldedOrder{t});
  std::optional<Found> found;
  for (auto row = first; row != last; ++row) {
    const auto index = static_cast<std::size_t>(row - t.ids.begin());
    if (index == except) continue;
    if (t.text(row->id) == name) return Found{index, Step::exact, row->quantisation};
    if (!found) found = Found{index, Step::other_case, row->quantisation};
  }
  return found;
}

/// The best id that a folded key leads to.
std::optional<Found> by_key(const Tables& t, std::span<const NameRow> rows, std::string_view key, Step step,
                            std::size_t except) {
  const auto [first, last] = std::equal_range(rows.begin(), rows.end(), key, FoldedOrder{t});
  const auto best = std::find_if(first, last, [&](const NameRow& row) { return row.id != except; });
  if (best == last) return std::nullopt;
  return Found{best->id, step, Quantisation::none};
}

std::optional<Found> by_new_owner(const Tables& t, std::string_view name, std::size_t except) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  for (const PairRow& owner : t.owners) {
    if (compare_folded(name.substr(0, slash), t.text(owner.from)) != 0) continue;
    auto found = by_id(t, std::string(t.text(owner.to)) + std::string(name.substr(slash)), except);
    if (found) found->step = Step::renamed;
    return found;
  }
  return std::nullopt;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// A number such as "7", "1.5" or "0_6" at `at`, which moves past it.
std::optional<double> read_number(std::string_view text, std::size_t& at) {
  const std::size_t start = at;
  double value = 0;
  while (at < text.size() && is_digit(text[at])) value = value * 10 + (text[at++] - '0');
  if (at == start || at - start > 6) return std::nullopt;
  if (at + 1 < text.size() && (text[at] == '.' || text[at] == '_') && is_digit(text[at + 1])) {
    double place = 0.1;
    for (++at; at < text.size() && is_digit(text[at]); ++at, place /= 10) value += (text[at] - '0') * place;
  }
  return value;
}

double unit_at(std::string_view text, std::size_t at) {
  if (at >= text.size() || (at + 1 < text.size() && is_letter(text[at + 1]))) return 0;
  switch (fold(text[at])) {
    case 'm':
      return 1e6;
    case 'b':
      return 1e9;
    case 't':
      return 1e12;
    default:
      return 0;
  }
}
}  // namespace

std::optional<Found> find_id(std::string_view name, std::size_t except) {
  const Tables& t = tables();
  if (auto found = by_id(t, name, except)) return found;
  if (name.find('/') == std::string_view::npos) {
    if (auto found = by_key(t, t.builders, folded(name), Step::builder, except)) return found;
  }
  if (auto found = by_new_owner(t, name, except)) return found;
  const NameRules rules = built_in_rules(t);
  const ReducedName reduced = mirror_key(name, rules);
  const std::pair<std::span<const NameRow>, Step> steps[] = {
      {t.names, Step::other_owner}, {t.mirror_keys, Step::mirror}, {t.variant_keys, Step::variant}};
  for (const auto& [rows, step] : steps) {
    const std::string key = step == Step::other_owner ? folded(last_component(name))
                            : step == Step::mirror    ? reduced.name
                                                      : variant_key(reduced.name, rules);
    if (auto found = by_key(t, rows, key, step, except)) {
      found->quantisation = reduced.quantisation;
      return found;
    }
  }
  return std::nullopt;
}

std::optional<NamedSize> size_in_name(std::string_view name) {
  constexpr double expert_share = 0.82;
  std::optional<NamedSize> largest;
  for (std::size_t start = 0; start < name.size(); ++start) {
    const bool inside =
        start > 0 && (is_digit(name[start - 1]) || is_letter(name[start - 1]) || name[start - 1] == '.');
    if (inside || !is_digit(name[start])) continue;
    std::size_t at = start;
    auto value = read_number(name, at);
    if (value && at + 1 < name.size() && fold(name[at]) == 'x' && is_digit(name[at + 1])) {
      ++at;
      const auto each = read_number(name, at);
      value = each ? std::optional(*value * *each * expert_share) : std::nullopt;
    }
    const double unit = unit_at(name, at);
    const std::size_t token = start;
    start = at - 1;
    if (!value || unit == 0) continue;
    const auto parameters = static_cast<std::uint64_t>(std::llround(std::min(*value * unit, 1e15)));
    if (parameters == 0 || (largest && largest->parameters >= parameters)) continue;
    largest = NamedSize{parameters, std::string(name.substr(token, at + 1 - token))};
  }
  return largest;
}

}  // namespace oomlint::catalog
