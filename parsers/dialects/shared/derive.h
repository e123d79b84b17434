#pragma once

#include "lint/dialect/dialect.h"

#include <string>
#include <string_view>

namespace oomlint {

/// Adds a value that follows from the key at `path`, or from its absence, to the layer; `note` says how.
void derive(const ReadContext& context, Layer& layer, Field field, Scalar value, std::string_view path,
            std::string note);

/// The number at the front of a text with a unit ("24800ba", "1ep") where the unit is this one.
[[nodiscard]] std::optional<std::int64_t> count_with_unit(std::string_view text, std::string_view unit);

}  // namespace oomlint
