#include "lint/plan/versions.h"

#include <array>
#include <charconv>

namespace oomlint {

std::optional<Version> parse_version(std::string_view text) {
  std::array<std::uint16_t, 3> parts{};
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  if (at != end && *at == 'v') ++at;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto [next, error] = std::from_chars(at, end, parts[i]);
    if (error != std::errc{})
      return i == 0 ? std::nullopt : std::optional(Version{parts[0], parts[1], parts[2]});
    at = next;
    if (at == end || *at != '.') break;
    ++at;
  }
  return Version{parts[0], parts[1], parts[2]};
}

std::string to_string(Version version) {
  return std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
         std::to_string(version.patch);
}

const VersionRange* Versions::find(std::string_view package) const {
  const auto found = ranges_.find(package);
  return found == ranges_.end() ? nullptr : &found->second;
}

Version Versions::newest(std::string_view package) const {
  const VersionRange* range = find(package);
  return range != nullptr ? range->high : Version{65535, 0, 0};
}

}  // namespace oomlint
