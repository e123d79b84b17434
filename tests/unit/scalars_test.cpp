#include "lint/document/scalars.h"

#include <doctest/doctest.h>

#include <array>
#include <sstream>
#include <string>

using namespace oomlint;

namespace {

std::string shown(const ScalarValue& value) {
  std::ostringstream out;
  out << std::boolalpha;
  if (std::holds_alternative<Null>(value)) return "null";
  if (const bool* flag = std::get_if<bool>(&value)) out << *flag;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) out << "int " << *whole;
  if (const auto* real = std::get_if<double>(&value)) out << "float " << *real;
  if (const auto* text = std::get_if<std::string>(&value)) out << '"' << *text << '"';
  return out.str();
}

struct Row {
  std::string_view text, pyyaml, omegaconf, yaml12;
};

// PyYAML 6 (SafeLoader), OmegaConf 2.3 and ruamel.yaml 0.18 (YAML 1.2), asked one by one.
constexpr std::array<Row, 23> rows{{
    {"5e-5", "\"5e-5\"", "float 5e-05", "float 5e-05"},
    {"5.0e-5", "float 5e-05", "float 5e-05", "float 5e-05"},
    {"1e4", "\"1e4\"", "float 10000", "float 10000"},
    {"1.", "float 1", "float 1", "float 1"},
    {".5", "float 0.5", "float 0.5", "float 0.5"},
    {"500_000", "int 500000", "int 500000", "int 500000"},
    {"on", "true", "true", "\"on\""},
    {"Yes", "true", "true", "\"Yes\""},
    {"off", "false", "false", "\"off\""},
    {"y", "\"y\"", "\"y\"", "\"y\""},
    {"true", "true", "true", "true"},
    {"tRUE", "\"tRUE\"", "\"tRUE\"", "\"tRUE\""},
    {"010", "int 8", "int 8", "int 10"},
    {"0x1F", "int 31", "int 31", "int 31"},
    {"0o17", "\"0o17\"", "\"0o17\"", "int 15"},
    {"0b101", "int 5", "int 5", "int 5"},
    {"1:30", "int 90", "int 90", "\"1:30\""},
    {"~", "null", "null", "null"},
    {"None", "\"None\"", "\"None\"", "\"None\""},
    {"NULL", "null", "null", "null"},
    {"-.inf", "float -inf", "float -inf", "float -inf"},
    {"2e", "\"2e\"", "\"2e\"", "\"2e\""},
    {"-12", "int -12", "int -12", "int -12"},
}};

}  // namespace

TEST_CASE("scalars: each loader's own reading of a plain word") {
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(shown(plain_scalar(row.text, ScalarSchema::yaml11_pyyaml)) == row.pyyaml);
    CHECK(shown(plain_scalar(row.text, ScalarSchema::omegaconf)) == row.omegaconf);
    CHECK(shown(plain_scalar(row.text, ScalarSchema::yaml12_core)) == row.yaml12);
  }
}

TEST_CASE("scalars: an integer beyond 64 bits is a float, not another number") {
  CHECK(shown(plain_scalar("18446744073709551616", ScalarSchema::yaml11_pyyaml)) == "float 1.84467e+19");
  CHECK(shown(plain_scalar("9223372036854775807", ScalarSchema::yaml11_pyyaml)) == "int 9223372036854775807");
}
