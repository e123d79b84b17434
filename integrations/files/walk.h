#pragma once

#include "lint/engine/files.h"

#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

/// The config files below a directory ("" is the root) in the order of their paths: *.yaml, *.yml, *.toml,
/// *.json that git would not ignore and no exclude pattern means. Folders that hold other people's or
/// generated files (`.git`, `node_modules`, virtual environments …) are not entered; a folder that was asked
/// for is, even when git ignores it.
[[nodiscard]] std::vector<std::string> walk(Files& files, std::string_view directory,
                                            const std::vector<std::string>& excludes);

/// Whether an exclude pattern means this path.
[[nodiscard]] bool is_excluded(std::string_view path, const std::vector<std::string>& excludes);

}  // namespace oomlint
