#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

// Dotted key paths as text.

/// `datasets[3].path` → `datasets[].path`.
[[nodiscard]] std::string without_indices(std::string_view path);
/// `a.b.c` → `a.b`; empty for a path of one part.
[[nodiscard]] std::string_view parent_of(std::string_view path);
[[nodiscard]] std::vector<std::string_view> parts_of(std::string_view path);

}  // namespace oomlint
