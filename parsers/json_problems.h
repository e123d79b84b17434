#pragma once

#include "parsers/recovery.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace oomlint {

/// Where the strict reader stood when it gave up.
struct JsonProgress {
  std::size_t after_last = 0;      ///< one past the last token it accepted
  std::uint32_t last_key = 0;      ///< first byte of the last key
  std::uint32_t last_value = 0;    ///< first byte of the last value
  std::uint32_t open_bracket = 0;  ///< the innermost open bracket, valid with in_object or in_array
  bool in_object = false;
  bool in_array = false;
  bool after_key = false;
  bool after_value = false;
};

/// A refusal in our words.
[[nodiscard]] Refusal explain_json(std::string_view text, const JsonProgress& progress);

/// `text` with the commas before closing brackets blanked and the brackets closed that are open at its end:
/// what is left to mend after lines were blanked.
[[nodiscard]] std::string mended_json(std::string text);

}  // namespace oomlint
