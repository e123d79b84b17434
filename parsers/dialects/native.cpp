#include "lint/dialect/dialect.h"

#include <algorithm>
#include <array>

namespace oomlint {

namespace {

constexpr std::array<std::string_view, 1> all_of{"oomlint=1"};
constexpr std::array<std::string_view, 1> bytes{"oomlint"};
constexpr std::array<KnownKey, 1> known{{{"oomlint"}}};
constexpr std::array<KeySpec, 5> generation{{
    {.path = "generation.layers", .field = Field::generation_layers},
    {.path = "generation.kv_width", .field = Field::generation_kv_width},
    {.path = "generation.tokens", .field = Field::generation_tokens},
    {.path = "generation.requests", .field = Field::generation_requests},
    {.path = "generation.bytes_per_element", .field = Field::generation_bytes_per_element},
}};

/// Every field of the plan under its own name; those of a generation may stand in a mapping of their own.
constexpr std::array<KeySpec, generation.size() + field_count> all_keys() {
  std::array<KeySpec, generation.size() + field_count> rows{};
  std::copy(generation.begin(), generation.end(), rows.begin());
  for (std::size_t i = 0; i < field_count; ++i) rows[generation.size() + i].field = static_cast<Field>(i);
  return rows;
}
constexpr auto keys = all_keys();

constexpr std::array<Companion, 1> companions{
    {{.path = "model", .dialect = "model_config", .directory_config = true}}};

bool is_fragment(const Document& document) {
  const auto has = [&](std::string_view path) { return document.find(path) != no_node; };
  return !has("model") && !has("parameters") && !has("layers") && !has("generation");
}

}  // namespace

extern constinit const Dialect native{
    .name = "native",
    .title = "oomlint",
    .package = "",
    .stack = "hf_trainer",
    .recognise = {.all_of = all_of, .bytes = bytes},
    .scalars = ScalarSchema::yaml12_core,
    .keys = keys,
    .known = known,
    .unknown_keys = UnknownKeys::unread,
    .companions = companions,
    .is_fragment = is_fragment,
};

}  // namespace oomlint
