#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace oomlint {

/// How many single-character insertions, deletions, replacements and swaps of neighbours turn `a` into `b`.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate someone who typed `word` most likely meant; empty when none is close (more than a third of
/// the word would have to change). Of equally near candidates the first wins.
[[nodiscard]] std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace oomlint
