#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace oomlint {

/// A number of bytes. Arithmetic saturates at the largest value instead of wrapping, and `overflowed()` tells
/// so: a sum that saturated is larger than any memory there is, which is all a verdict needs to know.
class Bytes {
 public:
  constexpr Bytes() = default;
  constexpr explicit Bytes(std::uint64_t count) : count_(count) {}

  [[nodiscard]] constexpr std::uint64_t count() const { return count_; }
  [[nodiscard]] constexpr bool overflowed() const {
    return count_ == std::numeric_limits<std::uint64_t>::max();
  }
  [[nodiscard]] double gib() const { return static_cast<double>(count_) / 1073741824.0; }

  friend constexpr Bytes operator+(Bytes a, Bytes b) {
    std::uint64_t sum = 0;
    return __builtin_add_overflow(a.count_, b.count_, &sum) ? saturated() : Bytes(sum);
  }
  /// Differences stop at zero.
  friend constexpr Bytes operator-(Bytes a, Bytes b) {
    return a.count_ > b.count_ ? Bytes(a.count_ - b.count_) : Bytes();
  }
  friend constexpr Bytes operator*(Bytes a, std::uint64_t factor) {
    std::uint64_t product = 0;
    return __builtin_mul_overflow(a.count_, factor, &product) ? saturated() : Bytes(product);
  }
  friend constexpr Bytes operator*(std::uint64_t factor, Bytes a) { return a * factor; }
  /// Rounded up.
  friend constexpr Bytes operator/(Bytes a, std::uint64_t divisor) {
    return Bytes(a.count_ / divisor + (a.count_ % divisor != 0 ? 1 : 0));
  }
  constexpr Bytes& operator+=(Bytes other) { return *this = *this + other; }
  friend constexpr auto operator<=>(Bytes, Bytes) = default;

  static constexpr Bytes saturated() { return Bytes(std::numeric_limits<std::uint64_t>::max()); }

 private:
  std::uint64_t count_ = 0;
};

/// An exact factor such as 1.12 = 112/100. Applied to bytes it rounds up.
struct Ratio {
  std::uint64_t numerator = 1;
  std::uint64_t denominator = 1;
  friend constexpr bool operator==(Ratio, Ratio) = default;
};
[[nodiscard]] Bytes operator*(Bytes bytes, Ratio ratio);

/// "79.1 GiB", "512.0 MiB", "36,864 B": the unit is always there.
[[nodiscard]] std::string to_string(Bytes bytes);
/// "8,030,261,248"
[[nodiscard]] std::string grouped(std::uint64_t number);

}  // namespace oomlint
