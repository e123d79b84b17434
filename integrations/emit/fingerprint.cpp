#include "integrations/emit/fingerprint.h"

#include "integrations/emit/display.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <unordered_map>

namespace oomlint {

namespace {

constexpr std::size_t window = 100;
constexpr std::uint64_t base = 37;

constexpr std::uint64_t power_of_base() {
  std::uint64_t power = 1;
  for (std::size_t i = 0; i < window; ++i) power *= base;
  return power;
}

std::string hex(std::uint64_t number) {
  std::array<char, 20> text{};
  std::snprintf(text.data(), text.size(), "%llx", static_cast<unsigned long long>(number));
  return text.data();
}

/// Fed with UTF-16 units, remembers for each line the hash of the window that starts with it.
class LineHasher {
 public:
  LineHasher() { line_at_.fill(no_line); }

  void feed(std::uint16_t unit) {
    const bool line_feed_of_crlf = after_return_ && unit == '\n';
    after_return_ = unit == '\r';
    if (unit == ' ' || unit == '\t' || line_feed_of_crlf) return;
    if (unit == '\r') unit = '\n';
    record();
    if (at_line_start_) {
      line_at_[index_] = hashes_.size();
      hashes_.emplace_back();
    }
    at_line_start_ = unit == '\n';
    push(unit);
  }

  [[nodiscard]] std::vector<std::string> finish() {
    feed(0xFFFF);
    for (std::size_t i = 0; i < window; ++i) {
      record();
      push(0);
    }
    return std::move(hashes_);
  }

 private:
  static constexpr std::size_t no_line = ~std::size_t{0};

  void push(std::uint16_t unit) {
    hash_ = base * hash_ + unit - power_of_base() * units_[index_];
    units_[index_] = unit;
    index_ = (index_ + 1) % window;
  }

  /// The slot about to be overwritten holds the oldest unit: where a line began there, its window is
  /// complete.
  void record() {
    if (line_at_[index_] == no_line) return;
    const std::string text = hex(hash_);
    hashes_[line_at_[index_]] = text + ':' + std::to_string(++seen_[text]);
    line_at_[index_] = no_line;
  }

  std::array<std::uint16_t, window> units_{};
  std::array<std::size_t, window> line_at_{};
  std::size_t index_ = 0;
  std::uint64_t hash_ = 0;
  bool at_line_start_ = true;
  bool after_return_ = false;
  std::vector<std::string> hashes_;
  std::unordered_map<std::string, unsigned> seen_;
};

}  // namespace

std::vector<std::string> line_hashes(std::string_view bytes) {
  LineHasher hasher;
  while (!bytes.empty()) {
    const CodePoint next = decode(bytes);
    if (next.value >= 0x10000) {
      const auto above = static_cast<std::uint32_t>(next.value) - 0x10000U;
      hasher.feed(static_cast<std::uint16_t>(0xD800U + (above >> 10)));
      hasher.feed(static_cast<std::uint16_t>(0xDC00U + (above & 0x3FFU)));
    } else {
      hasher.feed(static_cast<std::uint16_t>(next.value));
    }
    bytes.remove_prefix(next.length);
  }
  return hasher.finish();
}

std::string stable_fingerprint(std::string_view rule, std::string_view path, std::string_view place) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const std::string_view part : {rule, path, place}) {
    for (const char c : part) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    hash *= 0x100000001B3ULL;  // a zero byte between the parts
  }
  return hex(hash);
}

}  // namespace oomlint
