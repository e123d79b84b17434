#pragma once

#include "parsers/recovery.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace oomlint {

/// How far the events had come when the library gave up.
struct YamlProgress {
  std::uint32_t last_event = 0;  ///< first byte of the last value or key
  std::uint32_t open_flow = 0;   ///< the innermost `[` or `{` that was open, valid with in_flow
  bool in_flow = false;
};

/// A refusal of the library at `offset` in our words.
[[nodiscard]] Refusal explain_yaml(std::string_view text, std::uint32_t offset,
                                   const std::string& library_message, const YamlProgress& progress);

}  // namespace oomlint
