#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

enum class ReadError : std::uint8_t {
  none,
  missing,
  no_permission,
  not_regular,
  too_large,
  outside_root,
  io
};
[[nodiscard]] const char* to_string(ReadError error);

struct FileContent {
  std::string bytes;
  ReadError error = ReadError::none;
};

/// The only way to any file: the disk, editor buffers over it, a git revision, or memory in tests. Paths are
/// relative to the root with forward slashes; nothing outside the root is opened. Files over 1 MiB are
/// refused.
class Files {
 public:
  virtual ~Files() = default;
  [[nodiscard]] virtual FileContent read(std::string_view path) = 0;
  [[nodiscard]] virtual bool exists(std::string_view path) = 0;
  /// Names of the entries of a directory, sorted, directories with a trailing slash.
  [[nodiscard]] virtual std::vector<std::string> list(std::string_view directory) = 0;
};

/// `a/b/../c` → `a/c`; nothing when the path leaves the root.
[[nodiscard]] std::optional<std::string> normalise(std::string_view path);
/// The path `relative` means when written in `from_file`.
[[nodiscard]] std::optional<std::string> resolve_beside(std::string_view from_file,
                                                        std::string_view relative);

inline constexpr std::size_t max_file_bytes = std::size_t{1} << 20;

}  // namespace oomlint
