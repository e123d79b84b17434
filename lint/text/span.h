#pragma once

#include <compare>
#include <cstdint>

namespace oomlint {

/// A half-open range of bytes `[begin, end)` in one source file. Offsets count from the first byte of the
/// file, a byte order mark included. Files are at most 1 MiB, so 32 bits are plenty.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  [[nodiscard]] constexpr std::uint32_t size() const { return end - begin; }
  [[nodiscard]] constexpr bool empty() const { return begin == end; }
  [[nodiscard]] constexpr bool contains(std::uint32_t offset) const {
    return begin <= offset && offset < end;
  }
  friend constexpr bool operator==(const Span&, const Span&) = default;
  friend constexpr auto operator<=>(const Span&, const Span&) = default;
};

}  // namespace oomlint
