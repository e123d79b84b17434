#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace oomlint {

/// One table after another, for dialects that share rows. The first row that says something wins, so rows
/// that differ from the shared ones stand before them.
template <class Row, std::size_t A, std::size_t B>
[[nodiscard]] constexpr std::array<Row, A + B> joined(const std::array<Row, A>& first,
                                                      const std::array<Row, B>& second) {
  std::array<Row, A + B> all{};
  std::copy(first.begin(), first.end(), all.begin());
  std::copy(second.begin(), second.end(), all.begin() + A);
  return all;
}

}  // namespace oomlint
