#pragma once

#include "parsers/recovery.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace oomlint {

/// Refuses what would overflow the library's recursive tables: more than 64 dotted parts in a key, more than
/// 200 levels of brackets and parts in all. Refuses what is not ASCII outside strings and comments too: TOML
/// has no use for it there, and toml++ 3.3 runs into an "unreachable" place on some of it.
[[nodiscard]] std::optional<Refusal> guard_toml(std::string_view text);

/// A refusal of the library at `offset` in our words; `redefined` when it is about a key or table that exists
/// already.
[[nodiscard]] Refusal explain_toml(std::string_view text, std::uint32_t offset, bool redefined);

}  // namespace oomlint
