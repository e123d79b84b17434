#pragma once

#include "lint/dialect/dialect.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace oomlint {

/// One table after another.
template <class Row, std::size_t A, std::size_t B>
[[nodiscard]] constexpr std::array<Row, A + B> joined(const std::array<Row, A>& first,
                                                      const std::array<Row, B>& second) {
  std::array<Row, A + B> all{};
  std::copy(first.begin(), first.end(), all.begin());
  std::copy(second.begin(), second.end(), all.begin() + A);
  return all;
}

/// A dialect's own rows, then those of a shared table that they don't replace: a row for the same path and
/// field stands once.
template <const auto& Own, const auto& Shared>
[[nodiscard]] consteval auto specialised() {
  constexpr auto replaced = [](const KeySpec& row) {
    return std::any_of(Own.begin(), Own.end(),
                       [&](const KeySpec& own) { return own.path == row.path && own.field == row.field; });
  };
  constexpr auto kept = static_cast<std::size_t>(
      std::count_if(Shared.begin(), Shared.end(), [&](const KeySpec& row) { return !replaced(row); }));
  std::array<KeySpec, Own.size() + kept> all{};
  const auto next = std::copy(Own.begin(), Own.end(), all.begin());
  std::copy_if(Shared.begin(), Shared.end(), next, [&](const KeySpec& row) { return !replaced(row); });
  return all;
}

}  // namespace oomlint
