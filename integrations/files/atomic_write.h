#pragma once

#include <string>
#include <string_view>

namespace oomlint {

/// Replaces (or creates) a file in one step: a reader sees the old bytes or the new ones, never half of them.
/// The mode of an existing file is kept. Returns what went wrong, or nothing.
[[nodiscard]] std::string write_atomically(const std::string& path, std::string_view bytes);

/// Creates a file that must not exist yet. Returns what went wrong, or nothing.
[[nodiscard]] std::string create_file(const std::string& path, std::string_view bytes);

}  // namespace oomlint
