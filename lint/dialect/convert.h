#pragma once

#include "lint/dialect/dialect.h"

#include <optional>
#include <string>
#include <vector>

namespace oomlint {

// One value between the framework's words and the plan's.

/// How scalars of the document are typed: as the dialect's loader does, or as argparse does on a command
/// line.
[[nodiscard]] ScalarSchema schema_of(const ReadContext& context);

/// The value of a scalar or null node under the document's schema; Null for absent nodes and containers.
[[nodiscard]] ScalarValue typed(const ReadContext& context, NodeId node);

// Nothing where the loader would not take the value for one of that type.
[[nodiscard]] std::optional<bool> as_flag(const ReadContext& context, const ScalarValue& value);
[[nodiscard]] std::optional<std::int64_t> as_count(const ReadContext& context, const ScalarValue& value);
[[nodiscard]] std::optional<double> as_number(const ReadContext& context, const ScalarValue& value);

/// The scalar texts of a sequence, or the text of a scalar alone.
[[nodiscard]] std::vector<std::string> items(const Document& document, NodeId node);

/// What the node says about the row's field: nothing when it leaves it to others (a null, a flag that is
/// off), unknown (monostate) when it says something that can't be understood.
[[nodiscard]] std::optional<Scalar> read_value(const ReadContext& context, const KeySpec& key, NodeId node);

/// The value to write under the row's key so that it reads as `value`; nothing when the row can't say it.
/// Text is typed as it looks: "true" is a flag, "8" a number.
[[nodiscard]] std::optional<Scalar> write_value(const KeySpec& key, const Scalar& value);

/// `text` as the value of the field; unknown for "?" and for what the field does not take.
[[nodiscard]] Scalar field_value(Field field, std::string_view text);

}  // namespace oomlint
