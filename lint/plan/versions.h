#pragma once

#include "lint/plan/value.h"

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace oomlint {

struct Version {
  std::uint16_t major = 0;
  std::uint16_t minor = 0;
  std::uint16_t patch = 0;
  friend constexpr auto operator<=>(Version, Version) = default;
};
[[nodiscard]] std::optional<Version> parse_version(std::string_view text);
[[nodiscard]] std::string to_string(Version version);

/// The admissible versions of one package, both ends included, and who said so.
struct VersionRange {
  Version low;
  Version high;
  Origin origin;
  [[nodiscard]] bool exact() const { return low == high; }
};

/// Versions of the packages a run stands on (transformers, peft, trl, torch, bitsandbytes, deepspeed,
/// axolotl, …). Where two admissible versions differ in bytes they become the low and the high scenario.
class Versions {
 public:
  void set(std::string package, VersionRange range) {
    ranges_.insert_or_assign(std::move(package), std::move(range));
  }
  void fill(std::string package, const VersionRange& range) {
    ranges_.try_emplace(std::move(package), range);
  }
  [[nodiscard]] const VersionRange* find(std::string_view package) const;
  /// The newest admissible version, or the newest there is when nothing is known about the package.
  [[nodiscard]] Version newest(std::string_view package) const;
  [[nodiscard]] bool at_least(std::string_view package, Version version) const {
    return newest(package) >= version;
  }
  [[nodiscard]] const std::map<std::string, VersionRange, std::less<>>& all() const { return ranges_; }

 private:
  std::map<std::string, VersionRange, std::less<>> ranges_;
};

}  // namespace oomlint
