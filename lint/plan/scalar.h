#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace oomlint {

/// What a plan field can hold. `monostate` is "unknown", which is a value like any other.
using Scalar =
    std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<std::string>>;

[[nodiscard]] inline bool is_known(const Scalar& value) {
  return !std::holds_alternative<std::monostate>(value);
}
/// As people write it: `true`, `8`, `0.5`, `bf16`, `q_proj, v_proj`; unknown is "?".
[[nodiscard]] std::string to_string(const Scalar& value);

}  // namespace oomlint
