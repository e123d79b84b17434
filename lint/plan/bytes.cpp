#include "lint/plan/bytes.h"

#include <array>
#include <cstdio>

namespace oomlint {

Bytes operator*(Bytes bytes, Ratio ratio) {
  __extension__ using Wide = unsigned __int128;
  const auto product = static_cast<Wide>(bytes.count()) * ratio.numerator;
  const auto quotient = (product + ratio.denominator - 1) / ratio.denominator;
  return quotient > Bytes::saturated().count() ? Bytes::saturated()
                                               : Bytes(static_cast<std::uint64_t>(quotient));
}

std::string to_string(Bytes bytes) {
  constexpr double kib = 1024.0;
  const auto count = static_cast<double>(bytes.count());
  std::array<char, 48> text{};
  if (bytes.overflowed()) return "more than 16 EiB";
  if (count >= kib * kib * kib) {
    std::snprintf(text.data(), text.size(), "%.1f GiB", count / (kib * kib * kib));
  } else if (count >= kib * kib) {
    std::snprintf(text.data(), text.size(), "%.1f MiB", count / (kib * kib));
  } else {
    return grouped(bytes.count()) + " B";
  }
  return text.data();
}

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
    text.insert(static_cast<std::size_t>(at), ",");
  return text;
}

}  // namespace oomlint
