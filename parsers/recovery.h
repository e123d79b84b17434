#pragma once

#include "lint/document/document.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace oomlint {

/// What has to go for the rest to be readable.
enum class Extent : unsigned char {
  block,    ///< the line of the problem and what belongs to it
  between,  ///< that and all lines before the one where the reader stopped: an open bracket took them in
  rest,     ///< everything from the problem on
};

/// Why a strict reader stopped. `noticed` is where it did, at or behind the problem.
struct Refusal {
  SyntaxProblem problem;
  std::uint32_t noticed = 0;
  Extent extent = Extent::block;
};

/// Error recovery for syntaxes people write in lines: the lines that the strict reader refuses are
/// overwritten with blanks and the rest is read again, so that whatever is left means exactly what it says.
/// Gives up after some tries or bytes, first on the rest of the text, then on all of it. (The trees of
/// tree-sitter were no alternative: after an error in YAML they drop the rest of the file, and lines that do
/// not fit become part of the value above.)
class Recovery {
 public:
  /// What goes with a refused line.
  enum class Unit : unsigned char {
    indented_block,   ///< the lines below that are indented deeper
    bracketed_block,  ///< those and the line that closes the bracket opened in the first
    table,            ///< for a header all lines up to the next header
  };

  Recovery(std::string text, Unit unit) : text_(std::move(text)), unit_(unit) {}

  [[nodiscard]] const std::string& text() const { return text_; }

  /// Blanks what was refused; false when there is nothing left to read.
  [[nodiscard]] bool blank(const Refusal& refusal);

 private:
  [[nodiscard]] std::size_t block_end(std::size_t begin) const;

  std::string text_;
  Unit unit_;
  std::size_t tries_ = 0;
  std::size_t bytes_read_ = 0;
};

}  // namespace oomlint
