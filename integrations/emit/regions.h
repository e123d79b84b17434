#pragma once

#include "lint/text/source_file.h"

#include <cstdint>

namespace oomlint {

/// A range as SARIF and code hosts count it: lines and UTF-16 columns from 1, the end column exclusive.
struct Region {
  std::uint32_t start_line = 1;
  std::uint32_t start_column = 1;
  std::uint32_t end_line = 1;
  std::uint32_t end_column = 1;
  Span bytes;  ///< what it covers
};

/// The range of a span as it is; empty spans are insertion points.
[[nodiscard]] Region exact_region(const SourceFile& source, Span span);

/// The part of the span on its first line, widened to something visible where it is empty. Code hosts show a
/// finding on a change only if every line of its region was changed, so regions stay on one line.
[[nodiscard]] Region one_line_region(const SourceFile& source, Span span);

}  // namespace oomlint
