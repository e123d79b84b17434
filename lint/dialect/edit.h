#pragma once

#include "lint/dialect/dialect.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

// Changes to single keys of a document as text edits that leave everything else of the file as it is:
// quoting, comments, indentation, line endings.

/// Makes the value of `node` read as `value`.
[[nodiscard]] std::optional<TextEdit> replace_value(const ReadContext& context, NodeId node,
                                                    const Scalar& value);

/// Adds a key that is not there. Missing mappings on the way are added with it.
[[nodiscard]] std::optional<TextEdit> insert_key(const ReadContext& context, std::string_view path,
                                                 const Scalar& value);

/// Takes a key out with its line, or with its comma in `{…}`. Nothing where that can't be done cleanly.
[[nodiscard]] std::optional<TextEdit> remove_key(const ReadContext& context, NodeId node,
                                                 std::span<const NodeId> going = {});

/// Whichever of the three makes the document say `value` under `path` (unknown: nothing); appends to `edits`
/// unless it already does. For the `spell` hooks of dialects. False when it can't be done.
[[nodiscard]] bool set_key(const ReadContext& context, std::string_view path, const Scalar& value,
                           std::vector<TextEdit>& edits);

/// The node of `path` if it stands in the mapping itself and not in one merged into it.
[[nodiscard]] NodeId own_key(const ReadContext& context, std::string_view path);

/// `value` as a scalar or flow list of the syntax. `quote` is the quote character to use for text, 0 for none
/// where none is needed.
[[nodiscard]] std::string render(const Scalar& value, Syntax syntax, ScalarSchema schema, char quote = 0,
                                 bool in_flow = false);

}  // namespace oomlint
