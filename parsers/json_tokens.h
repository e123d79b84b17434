#pragma once

#include "lint/document/document.h"

#include <cstddef>
#include <string_view>

namespace oomlint {

/// Steps over the tokens of JSON in step with a strict reader that has no places of its own. Commas, colons,
/// blanks and comments are stepped over. On text the reader would refuse the tokens are guesses.
class JsonTokens {
 public:
  explicit JsonTokens(std::string_view text, std::size_t at = 0) : text_(text), at_(at) {}

  /// The next token; empty at the end of the text.
  Span next();
  [[nodiscard]] std::size_t offset() const { return at_; }

 private:
  std::string_view text_;
  std::size_t at_;
};

/// The first byte at or after `at` that is neither blank nor inside a comment.
[[nodiscard]] std::size_t skip_json_blanks(std::string_view text, std::size_t at);

/// One past the closing quote of the string at `at`; its line's end when it is not closed there.
[[nodiscard]] std::size_t json_string_end(std::string_view text, std::size_t at);

}  // namespace oomlint
