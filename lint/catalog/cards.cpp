#include "lint/catalog/catalog.h"
#include "lint/catalog/names.h"
#include "lint/catalog/tables.h"
#include "lint/text/nearest.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace oomlint {

namespace {
using catalog::CardNameRow;
using catalog::CardRow;
using catalog::Tables;

Card to_card(const CardRow& row) {
  const Tables& t = catalog::tables();
  Card card;
  card.key = t.text(row.key);
  card.name = t.text(row.name);
  card.capacity = Bytes(row.capacity);
  card.peak_flops_16bit = row.peak_tflops * 1e12;
  card.measured_flops_16bit = row.measured_tflops * 1e12;
  card.memory_bandwidth = row.bandwidth_gb * 1e9;
  card.power_watts = row.watts;
  card.has_bf16 = row.has_bf16;
  card.has_fp8 = row.has_fp8;
  card.has_flash = row.has_flash;
  card.vendor = t.text(row.vendor);
  return card;
}

/// The cards of a squeezed name, smallest memory first.
std::span<const CardNameRow> cards_called(std::string_view name) {
  const Tables& t = catalog::tables();
  const auto first =
      std::lower_bound(t.card_names.begin(), t.card_names.end(), name,
                       [&](const CardNameRow& row, std::string_view n) { return t.text(row.name) < n; });
  auto last = first;
  while (last != t.card_names.end() && t.text(last->name) == name) ++last;
  return {first, last};
}

const CardRow* built_in_card(std::string_view name) {
  const Tables& t = catalog::tables();
  const auto exact = cards_called(catalog::squeezed_card(name));
  if (!exact.empty()) return &t.cards[exact.front().card];
  const catalog::CardBase base = catalog::card_base(name);
  const CardRow* best = nullptr;
  for (const CardNameRow& row : cards_called(base.name)) {
    const CardRow& card = t.cards[row.card];
    if (base.label_gb != 0 && card.label_gb != base.label_gb) continue;
    if (!base.form.empty() && catalog::squeezed_card(t.text(card.key)).find(base.form) != std::string::npos)
      return &card;
    if (best == nullptr) best = &card;
  }
  return best;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Without a count: "H100:8", "8xH100", "4090 x4" -> the name alone.
std::string_view without_count(std::string_view name) {
  std::size_t digits = 0;
  while (digits < name.size() && is_digit(name[digits])) ++digits;
  if (digits > 0 && digits + 1 < name.size() && catalog::fold(name[digits]) == 'x') {
    name.remove_prefix(digits + 1);
  } else {
    const std::size_t last = name.find_last_not_of("0123456789");
    const bool counted = last != std::string_view::npos && last > 0 && last + 1 < name.size() &&
                         (name[last] == ':' || catalog::fold(name[last]) == 'x');
    if (counted) name = name.substr(0, last);
  }
  while (name.starts_with(' ')) name.remove_prefix(1);
  while (name.ends_with(' ')) name.remove_suffix(1);
  return name;
}

struct MemorySize {
  double number = 0;
  bool binary = false;
};
/// "24GB", "24 gb", "24G", "23.5GiB"; nothing for anything else.
std::optional<MemorySize> memory_size(std::string_view text) {
  MemorySize size;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), size.number);
  if (error != std::errc() || !(size.number > 0) || size.number > 1e6) return std::nullopt;
  std::string unit = catalog::folded(text.substr(static_cast<std::size_t>(rest - text.data())));
  std::erase(unit, ' ');
  size.binary = unit == "gib";
  if (!size.binary && unit != "gb" && unit != "g") return std::nullopt;
  return size;
}

/// A size is no card: what it can compute is not known, so nothing is held against it.
Card bare_size(std::string key, std::string name, Bytes capacity) {
  Card card;
  card.key = std::move(key);
  card.name = std::move(name);
  card.capacity = capacity;
  card.has_fp8 = true;
  return card;
}

std::optional<Card> card_of_size(MemorySize size, std::string_view text, std::string& why) {
  std::string key(text);
  std::erase(key, ' ');
  if (size.binary)
    return bare_size(key, key, Bytes(static_cast<std::uint64_t>(std::llround(size.number * 1073741824.0))));
  const Tables& t = catalog::tables();
  std::set<std::uint32_t> labels;
  for (const CardRow& row : t.cards) {
    if (!row.discrete || !row.measured_memory) continue;
    if (size.number == row.label_gb) {
      return bare_size(key, key + " card (smallest: " + std::string(t.text(row.name)) + ")",
                       Bytes(row.capacity));
    }
    labels.insert(row.label_gb);
  }
  const auto above = labels.lower_bound(static_cast<std::uint32_t>(size.number));
  why = "no card is sold with " + key + "; write " + key.substr(0, key.find_first_not_of("0123456789.")) +
        "GiB for exactly that much usable memory";
  if (above != labels.end()) why += ", or the next size sold, " + std::to_string(*above) + "GB";
  return std::nullopt;
}

std::string nearest_card(std::string_view name) {
  const Tables& t = catalog::tables();
  std::vector<std::string_view> names;
  for (const CardNameRow& row : t.card_names) names.push_back(t.text(row.name));
  const std::string_view near = nearest(catalog::squeezed_card(name), names);
  if (near.empty()) return {};
  return std::string(t.text(t.cards[cards_called(near).front().card].key));
}

std::string unknown_card(std::string_view name) {
  const Tables& t = catalog::tables();
  const std::string why = "there is no card `" + std::string(name) + "`";
  std::string sizes;
  for (const CardNameRow& row : cards_called(catalog::card_base(name).name)) {
    sizes += (sizes.empty() ? "" : ", ") + std::string(t.text(t.cards[row.card].key));
  }
  if (!sizes.empty()) return why + "; of that name there are " + sizes;
  const std::string near = nearest_card(name);
  return near.empty() ? why : why + "; did you mean `" + near + "`?";
}
}  // namespace

std::optional<Card> find_card(std::string_view name, const Overlay& overlay, std::string& why) {
  why.clear();
  for (const Card& card : overlay.cards) {
    if (catalog::compare_folded(card.key, name) == 0 || catalog::compare_folded(card.name, name) == 0)
      return card;
  }
  if (const auto size = memory_size(name)) return card_of_size(*size, name, why);
  if (const CardRow* row = built_in_card(name)) return to_card(*row);
  if (const CardRow* row = built_in_card(without_count(name))) return to_card(*row);
  why = unknown_card(name);
  return std::nullopt;
}

std::vector<Card> all_cards() {
  std::vector<Card> cards;
  for (const CardRow& row : catalog::tables().cards) cards.push_back(to_card(row));
  return cards;
}

std::vector<Card> typical_cards() {
  std::vector<Card> cards;
  for (const CardRow& row : catalog::tables().cards) {
    if (row.typical) cards.push_back(to_card(row));
  }
  return cards;
}

Bytes largest_capacity() {
  std::uint64_t largest = 0;
  for (const CardRow& row : catalog::tables().cards) {
    if (row.discrete) largest = std::max(largest, row.capacity);
  }
  return Bytes(largest);
}

std::optional<Instance> find_instance(std::string_view name) {
  const Tables& t = catalog::tables();
  const auto found = std::lower_bound(t.instances.begin(), t.instances.end(), name,
                                      [&](const catalog::InstanceRow& row, std::string_view n) {
                                        return catalog::compare_folded(t.text(row.name), n) < 0;
                                      });
  if (found != t.instances.end() && catalog::compare_folded(t.text(found->name), name) == 0) {
    return Instance{to_card(t.cards[found->card]), found->count};
  }
  if (name.starts_with("ml.")) return find_instance(name.substr(3));  // SageMaker's spelling of the EC2 type
  return std::nullopt;
}

}  // namespace oomlint
