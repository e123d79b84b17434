#include "lint/catalog/names.h"

#include <algorithm>
#include <array>

namespace oomlint::catalog {

namespace {
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_alphanumeric(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z');
}

bool matches_at(std::string_view text, std::size_t at, std::string_view pattern) {
  const bool open = pattern.ends_with('*');
  if (open) pattern.remove_suffix(1);
  const std::size_t rest = text.size() - at;
  if (open ? rest < pattern.size() : rest != pattern.size()) return false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = text[at + i];
    if (pattern[i] == '#' ? !is_digit(c) : pattern[i] != c) return false;
  }
  return true;
}

/// Where the longest matching suffix starts; the text's size if none matches. A name never becomes empty.
std::size_t suffix_start(std::string_view text, std::span<const Suffix> suffixes,
                         Quantisation& quantisation) {
  for (std::size_t at = text.find('-', 1); at != std::string_view::npos; at = text.find('-', at + 1)) {
    const auto found = std::find_if(suffixes.begin(), suffixes.end(), [&](const Suffix& suffix) {
      return matches_at(text, at, suffix.pattern);
    });
    if (found == suffixes.end()) continue;
    quantisation = found->quantisation;
    return at;
  }
  return text.size();
}

/// Drops suffixes until none is left; the first quantisation met stays.
void drop_suffixes(ReducedName& reduced, std::span<const Suffix> suffixes) {
  while (true) {
    Quantisation quantisation = Quantisation::none;
    const std::size_t start = suffix_start(reduced.name, suffixes, quantisation);
    if (start == reduced.name.size()) return;
    reduced.name.resize(start);
    if (reduced.quantisation == Quantisation::none) reduced.quantisation = quantisation;
  }
}
}  // namespace

std::string folded(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), fold);
  return result;
}

int compare_folded(std::string_view a, std::string_view b) {
  const std::size_t shared = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < shared; ++i) {
    const auto x = static_cast<unsigned char>(fold(a[i]));
    const auto y = static_cast<unsigned char>(fold(b[i]));
    if (x != y) return x < y ? -1 : 1;
  }
  if (a.size() == b.size()) return 0;
  return a.size() < b.size() ? -1 : 1;
}

std::string_view last_component(std::string_view id) {
  const std::size_t slash = id.rfind('/');
  return slash == std::string_view::npos ? id : id.substr(slash + 1);
}

ReducedName mirror_key(std::string_view id, const NameRules& rules) {
  ReducedName reduced{folded(last_component(id)), Quantisation::none};
  for (const std::string_view prefix : rules.prefixes) {
    if (reduced.name.starts_with(prefix)) reduced.name.erase(0, prefix.size());
  }
  drop_suffixes(reduced, rules.mirrors);
  return reduced;
}

std::string variant_key(std::string_view mirror_key, const NameRules& rules) {
  ReducedName reduced{std::string(mirror_key), Quantisation::none};
  std::size_t before = 0;
  do {
    before = reduced.name.size();
    drop_suffixes(reduced, rules.variants);
    drop_suffixes(reduced, rules.mirrors);
  } while (reduced.name.size() != before);
  return reduced.name;
}

namespace {
/// The words of a card's name without the makers' own ("nvidia", "geforce"), folded.
std::vector<std::string> card_words(std::string_view name) {
  constexpr std::array<std::string_view, 9> noise{"nvidia",   "tesla",  "geforce", "gpu",   "amd",
                                                  "instinct", "radeon", "intel",   "quadro"};
  std::vector<std::string> words(1);
  for (const char c : name) {
    const char lower = fold(c);
    if (is_alphanumeric(lower) || lower == '+' || lower == '.') {
      words.back() += lower;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  std::erase_if(words, [&](const std::string& word) {
    return word.empty() || std::find(noise.begin(), noise.end(), word) != noise.end();
  });
  return words;
}

/// "80gb", "80g" or "80" as a number, 0 for any other word.
std::uint32_t memory_size(std::string_view word) {
  for (const std::string_view unit : {"gb", "g"}) {
    if (word.ends_with(unit)) {
      word.remove_suffix(unit.size());
      break;
    }
  }
  if (word.empty() || word.size() > 3 || !std::all_of(word.begin(), word.end(), is_digit)) return 0;
  std::uint32_t size = 0;
  for (const char c : word) size = size * 10 + static_cast<std::uint32_t>(c - '0');
  return size;
}
}  // namespace

std::string squeezed_card(std::string_view name) {
  std::string result;
  for (const std::string& word : card_words(name)) result += word;
  return result;
}

CardBase card_base(std::string_view name) {
  CardBase base;
  for (const std::string& word : card_words(name)) {
    const std::uint32_t size = memory_size(word);
    const bool is_form = word.starts_with("sxm") || word == "pcie" || word == "nvl";
    if (size > 0 && !base.name.empty()) {
      base.label_gb = size;
    } else if (is_form && !base.name.empty()) {
      base.form = word.starts_with("sxm") ? "sxm" : word;
    } else if (!word.starts_with("hbm") && word != "mega") {
      base.name += word;
    }
  }
  return base;
}

}  // namespace oomlint::catalog
