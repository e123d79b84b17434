#pragma once

#include "lint/text/span.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

/// A place as people and editors count it: both 0-based. `byte_column` counts bytes, `utf16_column` counts
/// UTF-16 code units, `code_point_column` counts Unicode scalar values.
struct Position {
  std::uint32_t line = 0;
  std::uint32_t byte_column = 0;
  std::uint32_t utf16_column = 0;
  std::uint32_t code_point_column = 0;
};

/// The bytes of one file and an index of its lines. The path is the one to show: relative to the root of the
/// run, with forward slashes. Lines end at LF, CRLF or a lone CR.
class SourceFile {
 public:
  SourceFile() = default;
  SourceFile(std::string path, std::string bytes);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string_view bytes() const { return bytes_; }
  [[nodiscard]] std::string_view text(Span span) const;

  [[nodiscard]] std::uint32_t line_count() const { return static_cast<std::uint32_t>(line_starts_.size()); }
  [[nodiscard]] std::uint32_t line_of(std::uint32_t offset) const;
  /// The bytes of a line (0-based) without its line ending.
  [[nodiscard]] std::string_view line(std::uint32_t index) const;
  [[nodiscard]] std::uint32_t line_start(std::uint32_t index) const { return line_starts_[index]; }
  /// Offsets beyond the end give the end.
  [[nodiscard]] Position position(std::uint32_t offset) const;
  /// The byte offset of a line and a UTF-16 column, both clamped to what exists.
  [[nodiscard]] std::uint32_t offset_at_utf16(std::uint32_t line, std::uint32_t utf16_column) const;
  /// The line ending most of the file's lines use: "\n" or "\r\n".
  [[nodiscard]] std::string_view newline() const;

 private:
  std::string path_;
  std::string bytes_;
  std::vector<std::uint32_t> line_starts_{0};
};

/// Whether `bytes` is well-formed UTF-8; `*bad_offset`, if given, receives the first offending byte.
[[nodiscard]] bool is_valid_utf8(std::string_view bytes, std::uint32_t* bad_offset = nullptr);

}  // namespace oomlint
