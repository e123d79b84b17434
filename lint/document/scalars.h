#pragma once

#include "lint/document/document.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace oomlint {

/// Whose rules decide what a plain scalar means.
/// yaml11_pyyaml: PyYAML's SafeLoader (`5e-5` is text, `500_000` an integer, `on` a boolean, `010` octal,
/// `1:30` sexagesimal). omegaconf: PyYAML's with a float resolver of its own (`5e-5` is a number, `on` still
/// a boolean). yaml12_core: ruamel.yaml (`5e-5` is a number, `on` is text, `010` is ten). python_json:
/// json.loads (NaN, Infinity). hjson: DeepSpeed's reader (unquoted strings, comments). command_line: an
/// argument of argparse, typed by what it looks like (quotes are the shell's, there is no null).
enum class ScalarSchema : std::uint8_t {
  yaml11_pyyaml,
  omegaconf,
  yaml12_core,
  toml,
  json,
  python_json,
  hjson,
  command_line
};

struct Null {
  friend bool operator==(Null, Null) { return true; }
};
using ScalarValue = std::variant<Null, bool, std::int64_t, double, std::string>;

/// The value of a null or scalar node as `schema` types it. Integers outside 64 bits become doubles.
[[nodiscard]] ScalarValue scalar_value(const Node& node, ScalarSchema schema);
[[nodiscard]] ScalarValue plain_scalar(std::string_view text, ScalarSchema schema);

/// True for a plain scalar that a person means as a number and the schema reads as text (`5e-5` under
/// PyYAML).
[[nodiscard]] bool is_number_read_as_text(const Node& node, ScalarSchema schema);

}  // namespace oomlint
