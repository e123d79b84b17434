#pragma once

#include <string_view>

namespace oomlint {

/// Whether a path matches a pattern as git understands it: `*` and `?` stop at `/`, `**` does not, `[a-z]` is
/// a class
/// (`[!a-z]` its complement), `\` takes the next character as it is.
[[nodiscard]] bool glob_match(std::string_view pattern, std::string_view path);

/// Whether a pattern of the settings or of `--exclude` means a path: a pattern without a slash matches a name
/// at any depth, one that names a folder matches everything below it.
[[nodiscard]] bool path_matches(std::string_view pattern, std::string_view path);

}  // namespace oomlint
