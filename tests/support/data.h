#pragma once

#include "tests/support/paths.h"

#include <cstdio>
#include <filesystem>
#include <optional>
#include <string_view>

namespace oomlint::test {

/// A file or folder of the reference data; without it the calling test prints SKIPPED (ctest then counts it
/// as such) and should return.
inline std::optional<std::filesystem::path> data(std::string_view relative) {
  const std::filesystem::path path = data_dir() / relative;
  if (std::filesystem::exists(path)) return path;
  std::printf("SKIPPED: reference data not present (%s)\n", std::filesystem::path(relative).c_str());
  return std::nullopt;
}

}  // namespace oomlint::test
