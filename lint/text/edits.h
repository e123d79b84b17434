#pragma once

#include "lint/text/diagnostic.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

/// The text with the edits applied, whatever their order; they must not overlap.
[[nodiscard]] std::string apply_edits(std::string_view text, std::span<const TextEdit> edits);

/// Whether two sets of edits touch the same bytes of the same file. Two insertions at one place do, because
/// their order would be a guess.
[[nodiscard]] bool overlap(std::span<const TextEdit> a, std::span<const TextEdit> b);

/// What changed, as `diff -u` writes it (three lines of context); empty when nothing did.
[[nodiscard]] std::string unified_diff(std::string_view path, std::string_view before,
                                       std::string_view after);

}  // namespace oomlint
