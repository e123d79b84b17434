#pragma once

#include "lint/document/document.h"

#include <optional>
#include <string>
#include <string_view>

namespace oomlint {

/// What is wrong with a text before any grammar looks at it, and the same number of bytes without it.
struct Repair {
  std::optional<SyntaxProblem> problem;  ///< the first one; nothing: the text is fine and `text` is empty
  std::string text;                      ///< offending bytes replaced by `?`
};

/// Finds bytes that are not UTF-8 and control characters, NUL included, that no syntax of ours allows.
[[nodiscard]] Repair repair_bytes(std::string_view bytes);

/// The size of the byte order mark `bytes` starts with: 0 or 3.
[[nodiscard]] std::uint32_t bom_size(std::string_view bytes);

/// The span to underline for a problem at `offset`: from there to the end of what is written on the line, at
/// least one character where there is one.
[[nodiscard]] Span rest_of_line(std::string_view bytes, std::size_t offset);

}  // namespace oomlint
