#pragma once

#include "lint/document/document.h"

#include <cstdint>
#include <string_view>

namespace oomlint {

// What YAML events do not say and the bytes do. Offsets are into the text; all functions accept any offset.

[[nodiscard]] bool is_yaml_null_word(std::string_view word);

/// The first byte after the anchor and tag at `at`, and after line breaks and comments that follow them if
/// `across_lines`.
[[nodiscard]] std::uint32_t skip_yaml_properties(std::string_view text, std::uint32_t at, bool across_lines);

/// The plain word (letters or `~`) that starts at `at`.
[[nodiscard]] std::string_view yaml_word(std::string_view text, std::uint32_t at);

[[nodiscard]] ScalarStyle yaml_style(std::string_view text, std::uint32_t at);

/// One past the closing quote of the quoted scalar at `at`; 0 when it is never closed.
[[nodiscard]] std::uint32_t quoted_end(std::string_view text, std::uint32_t at);

/// Where a value missing after the key at `key_begin` would be written: after its colon.
[[nodiscard]] std::uint32_t after_colon(std::string_view text, std::uint32_t key_begin, std::string_view key);

/// Where the value of the empty list item before `next` would be written: after its dash.
[[nodiscard]] std::uint32_t after_dash(std::string_view text, std::uint32_t next);

}  // namespace oomlint
