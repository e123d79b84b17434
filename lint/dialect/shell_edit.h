#pragma once

#include "lint/dialect/dialect.h"

#include <optional>
#include <span>
#include <string_view>

namespace oomlint {

// Changes to a command line: one word is replaced, one option added or taken out, everything else of the
// script stays as it is.

/// Makes an option say `value`; an option that is on by being there goes when the value is false. Nothing for
/// a word that stands in no one place.
[[nodiscard]] std::optional<TextEdit> replace_option(const ReadContext& context, NodeId node,
                                                     const Scalar& value);

/// Adds an option behind `sibling`, on a line of its own where that one has one.
[[nodiscard]] std::optional<TextEdit> insert_option(const ReadContext& context, NodeId sibling,
                                                    std::string_view name, const Scalar& value);

/// Takes an option out with its values and the line continuation before it.
[[nodiscard]] std::optional<TextEdit> remove_option(const ReadContext& context, NodeId node);

}  // namespace oomlint
