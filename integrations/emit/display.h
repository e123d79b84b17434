#pragma once

#include "lint/text/span.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

// How text looks on a terminal: columns of wide and combining characters, tabs, and nothing that could steer
// it.

struct CodePoint {
  char32_t value = 0;        ///< U+FFFD for a byte that is not UTF-8
  std::uint32_t length = 1;  ///< bytes it takes
};

/// The first code point of a text that is not empty.
[[nodiscard]] CodePoint decode(std::string_view text);
/// Columns one code point takes: 0 combining, 2 East Asian wide and emoji, else 1.
[[nodiscard]] unsigned display_width(char32_t value);
[[nodiscard]] unsigned display_width(std::string_view text);
/// The text with control characters, bidirectional overrides and stray bytes shown as U+FFFD; newlines become
/// blanks.
[[nodiscard]] std::string printable(std::string_view text);
/// Blanks appended up to `width` columns.
[[nodiscard]] std::string padded(std::string text, std::size_t width);
/// Blanks put before, up to `width` columns.
[[nodiscard]] std::string right_aligned(const std::string& text, std::size_t width);
/// Words wrapped to `width` columns, lines after the first indented. A word that is longer stays whole.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

/// A source line as it is printed: tabs widened, and cut around `focus` (bytes within the line) where it is
/// longer than `width` columns.
class ShownLine {
 public:
  ShownLine(std::string_view line, Span focus, unsigned width);

  [[nodiscard]] const std::string& text() const { return text_; }
  /// The printed column of a byte of the line; bytes that were cut away give the nearest end.
  [[nodiscard]] unsigned column(std::uint32_t byte) const;

 private:
  void append(std::string_view part);

  std::string text_;
  std::uint32_t first_byte_ = 0;
  std::vector<unsigned> columns_;  ///< of the bytes from first_byte_ on, and of the end
};

}  // namespace oomlint
