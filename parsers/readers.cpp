#include "parsers/readers.h"

#include <array>
#include <utility>

namespace oomlint {
namespace {

bool claims_yaml(std::string_view path) {
  return path.ends_with(".yaml") || path.ends_with(".yml");
}

bool claims_toml(std::string_view path) {
  return path.ends_with(".toml");
}
bool claims_json(std::string_view path) {
  return path.ends_with(".json");
}

constexpr std::array readers{
    Reader{Syntax::yaml, claims_yaml, read_yaml},
    Reader{Syntax::toml, claims_toml, read_toml},
    Reader{Syntax::json, claims_json, read_json},
};

}  // namespace

std::span<const Reader> all_readers() {
  return readers;
}

const Reader* reader_for(std::string_view path) {
  for (const Reader& reader : readers) {
    if (reader.claims_path(path)) return &reader;
  }
  return nullptr;
}

}  // namespace oomlint
