#include "parsers/settings/tables.h"

namespace oomlint {

namespace {

constexpr std::array<KeyRow<Card>, 8> card_rows{{
    {"name", "a string",
     [](Card& c, const SettingsValue& v, const SectionContext&) { return store(c.name, v.text()); }},
    {"memory", a_size,
     [](Card& c, const SettingsValue& v, const SectionContext&) { return store(c.capacity, v.bytes()); }},
    {"bf16", "true or false",
     [](Card& c, const SettingsValue& v, const SectionContext&) { return store(c.has_bf16, v.flag()); }},
    {"fp8", "true or false",
     [](Card& c, const SettingsValue& v, const SectionContext&) { return store(c.has_fp8, v.flag()); }},
    {"flash", "true or false",
     [](Card& c, const SettingsValue& v, const SectionContext&) { return store(c.has_flash, v.flag()); }},
    {"flops", "FLOP/s of dense 16-bit matrix products",
     [](Card& c, const SettingsValue& v, const SectionContext&) {
       return store(c.peak_flops_16bit, v.number());
     }},
    {"bandwidth", "bytes per second",
     [](Card& c, const SettingsValue& v, const SectionContext&) {
       return store(c.memory_bandwidth, v.number());
     }},
    {"power", "watts",
     [](Card& c, const SettingsValue& v, const SectionContext&) { return store(c.power_watts, v.number()); }},
}};

/// A size of a user's model; the names are those of the plan's fields.
struct ShapeRow {
  std::string_view key;
  std::uint32_t ModelShape::* size;
};
constexpr std::array<ShapeRow, 8> shape_rows{{{"layers", &ModelShape::layers},
                                              {"hidden-size", &ModelShape::hidden_size},
                                              {"intermediate-size", &ModelShape::intermediate_size},
                                              {"heads", &ModelShape::heads},
                                              {"kv-heads", &ModelShape::kv_heads},
                                              {"head-dim", &ModelShape::head_dim},
                                              {"vocabulary", &ModelShape::vocabulary},
                                              {"max-positions", &ModelShape::max_positions}}};

void read_shape_key(ModelShape& shape, std::string_view key, const SettingsValue& value,
                    const SectionContext& context) {
  const auto row = std::find_if(shape_rows.begin(), shape_rows.end(),
                                [&](const ShapeRow& each) { return each.key == key; });
  bool accepted = false;
  if (row != shape_rows.end()) {
    const auto size = value.count();
    accepted = size && *size < 1'000'000'000;
    if (accepted) shape.*(row->size) = static_cast<std::uint32_t>(*size);
  } else if (key == "parameters") {
    const auto count = value.count();
    accepted = count.has_value();
    if (accepted) shape.total_parameters = static_cast<std::uint64_t>(*count);
  } else if (key == "model-type") {
    accepted = store(shape.model_type, value.text());
  } else if (key == "tied-embeddings") {
    accepted = store(shape.tied_embeddings, value.flag());
  } else {
    std::vector<std::string_view> known{"parameters", "model-type", "tied-embeddings"};
    for (const ShapeRow& each : shape_rows) known.push_back(each.key);
    report_unknown_key(value, key, known, "dimension", context);
    return;
  }
  if (!accepted) add_problem(value, "`" + std::string(key) + "` does not accept this value", {}, context);
}

}  // namespace

bool read_cards(SettingsFile& file, const SettingsValue& value, const SectionContext& context) {
  if (!value.is_table()) return false;
  each_entry(value, [&](std::string_view key, const SettingsValue& each) {
    Card card;
    card.key = key;
    card.name = key;
    if (each.is_table()) read_table(each, card_rows, card, context);
    if (card.capacity == Bytes()) {
      add_problem(each, "the card `" + std::string(key) + "` needs `memory`, the bytes its driver reports",
                  {}, context);
    }
    file.catalogue.cards.push_back(std::move(card));
  });
  return true;
}

bool read_models(SettingsFile& file, const SettingsValue& value, const SectionContext& context) {
  if (!value.is_table()) return false;
  each_entry(value, [&](std::string_view id, const SettingsValue& each) {
    Overlay::Model model{std::string(id), {}};
    ModelShape& shape = model.shape;
    shape.model_type = "llama";
    if (each.is_table()) {
      each_entry(each, [&](std::string_view key, const SettingsValue& size) {
        read_shape_key(shape, with_dashes(key), size, context);
      });
    }
    if (shape.kv_heads == 0) shape.kv_heads = shape.heads;
    if (shape.head_dim == 0 && shape.heads > 0) shape.head_dim = shape.hidden_size / shape.heads;
    shape.complete = shape.layers > 0 && shape.hidden_size > 0 && shape.intermediate_size > 0 &&
                     shape.heads > 0 && shape.vocabulary > 0;
    if (!shape.complete && shape.total_parameters == 0) {
      add_problem(each, "the model `" + std::string(id) + "` needs its dimensions or at least `parameters`",
                  "the dimensions are layers, hidden-size, intermediate-size, heads, kv-heads, vocabulary",
                  context);
    }
    file.catalogue.models.push_back(std::move(model));
  });
  return true;
}

}  // namespace oomlint
