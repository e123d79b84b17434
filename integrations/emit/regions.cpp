#include "integrations/emit/regions.h"

#include <algorithm>

namespace oomlint {

Region exact_region(const SourceFile& source, Span span) {
  const auto size = static_cast<std::uint32_t>(source.bytes().size());
  const Span clamped{std::min(span.begin, size), std::clamp(span.end, std::min(span.begin, size), size)};
  const Position begin = source.position(clamped.begin);
  const Position end = source.position(clamped.end);
  return {begin.line + 1, begin.utf16_column + 1, end.line + 1, end.utf16_column + 1, clamped};
}

Region one_line_region(const SourceFile& source, Span span) {
  const auto size = static_cast<std::uint32_t>(source.bytes().size());
  std::uint32_t line = source.line_of(std::min(span.begin, size));
  const auto line_end = [&] {
    return source.line_start(line) + static_cast<std::uint32_t>(source.line(line).size());
  };
  Span kept{std::min(span.begin, line_end()), std::min(std::max(span.end, span.begin), line_end())};
  if (kept.empty()) {
    // Nothing to show at the end of a line: take the line, or the nearest one above that has text.
    while (line > 0 && source.line(line).empty()) --line;
    kept = {source.line_start(line), line_end()};
  }
  return exact_region(source, kept);
}

}  // namespace oomlint
