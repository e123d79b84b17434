#pragma once

#include "lint/plan/words.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint::catalog {

/// Names compare without case, and `_` equals `-`.
[[nodiscard]] constexpr char fold(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
  return c == '_' ? '-' : c;
}
[[nodiscard]] std::string folded(std::string_view text);
/// Negative, zero or positive, as the folded texts compare.
[[nodiscard]] int compare_folded(std::string_view a, std::string_view b);

/// What stands after the last `/`.
[[nodiscard]] std::string_view last_component(std::string_view id);

/// A suffix of a folded name: `#` stands for a digit, a final `*` for anything.
struct Suffix {
  std::string_view pattern;
  Quantisation quantisation = Quantisation::none;
};

/// How names are reduced to what decides the dimensions.
struct NameRules {
  std::vector<std::string_view> prefixes;
  std::vector<Suffix> mirrors;
  std::vector<Suffix> variants;
};

struct ReducedName {
  std::string name;
  Quantisation quantisation = Quantisation::none;  ///< of the first suffix that says so
};
/// The folded last component without prefixes and mirror suffixes ("unsloth/Llama-3-8B-bnb-4bit" ->
/// "llama-3-8b", nf4).
[[nodiscard]] ReducedName mirror_key(std::string_view id, const NameRules& rules);
/// A mirror key without variant suffixes ("llama-3-8b-instruct" -> "llama-3-8b").
[[nodiscard]] std::string variant_key(std::string_view mirror_key, const NameRules& rules);

/// The hardware part of a card's name: lower case, without makers' words, spaces and punctuation
/// ("NVIDIA GeForce RTX 4090" -> "rtx4090").
[[nodiscard]] std::string squeezed_card(std::string_view name);
/// The same without memory size and form ("A100-SXM4-80GB" -> "a100"); `label_gb` and `form` receive what was
/// left out.
struct CardBase {
  std::string name;
  std::uint32_t label_gb = 0;
  std::string form;  ///< "sxm", "pcie", "nvl" or empty
};
[[nodiscard]] CardBase card_base(std::string_view name);

}  // namespace oomlint::catalog
