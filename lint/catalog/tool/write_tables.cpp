#include "lint/catalog/names.h"
#include "lint/catalog/tool/card_names.h"
#include "lint/catalog/tool/pool.h"
#include "lint/catalog/tool/sources.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <tuple>

namespace oomlint::catalog {

namespace {
using std::to_string;

/// One designated initializer list; fields at their default are left out, which keeps the file small.
class RowWriter {
 public:
  template <class Number>
  RowWriter& number(const char* name, Number value, Number standard = {}) {
    if (value != standard) add(name, to_string(value));
    return *this;
  }
  RowWriter& flag(const char* name, bool value, bool standard = false) {
    if (value != standard) add(name, value ? "true" : "false");
    return *this;
  }
  RowWriter& text(const char* name, Text value) {
    return add(name, "{" + to_string(value.offset) + ", " + to_string(value.size) + "}");
  }
  template <class Enum>
  RowWriter& word(const char* name, const char* type, Enum value) {
    if (static_cast<int>(value) == 0) return *this;
    return add(name, std::string(type) + "{" + to_string(static_cast<int>(value)) + "}");
  }
  RowWriter& add(const char* name, const std::string& value) {
    if (!row_.empty()) row_ += ", ";
    row_ += std::string(".") + name + " = " + value;
    return *this;
  }
  [[nodiscard]] std::string braced() const { return "{" + row_ + "}"; }
  [[nodiscard]] std::string line() const { return "    " + braced() + ",\n"; }

 private:
  std::string row_;
};

std::string bias_row(const ModelBias& bias) {
  return RowWriter()
      .flag("q", bias.q)
      .flag("k", bias.k)
      .flag("v", bias.v)
      .flag("o", bias.o)
      .flag("mlp", bias.mlp)
      .flag("head", bias.head)
      .braced();
}

std::string experts_row(const ModelExperts& moe) {
  return RowWriter()
      .number("experts", moe.experts)
      .number("per_token", moe.per_token)
      .number("intermediate_size", moe.intermediate_size)
      .number("shared_intermediate_size", moe.shared_intermediate_size)
      .number("dense_layers", moe.dense_layers)
      .flag("router_bias", moe.router_bias)
      .flag("expert_bias", moe.expert_bias)
      .flag("shared_gate", moe.shared_gate)
      .braced();
}

std::string latent_row(const ModelLatentAttention& mla) {
  return RowWriter()
      .number("q_lora", mla.q_lora)
      .number("kv_lora", mla.kv_lora)
      .number("nope", mla.nope)
      .number("rope", mla.rope)
      .number("v", mla.v)
      .braced();
}

std::string model_row(const ModelRow& row, Text name, Text family) {
  RowWriter out;
  out.number("total_parameters", row.total_parameters).number("tower_parameters", row.tower_parameters);
  out.text("name", name).text("family", family).number("since", row.since, std::uint16_t{0});
  out.flag("complete", row.complete).flag("dtype_known", row.dtype_known).word("dtype", "Dtype", row.dtype);
  out.word("checked", "Checked", row.checked)
      .number("layers", row.layers)
      .number("hidden_size", row.hidden_size);
  out.number("intermediate_size", row.intermediate_size)
      .number("heads", row.heads)
      .number("kv_heads", row.kv_heads);
  out.number("head_dim", row.head_dim).number("vocabulary", row.vocabulary);
  out.number("learned_positions", row.learned_positions).number("embedding_size", row.embedding_size);
  out.number("sliding_window", row.sliding_window).flag("tied_embeddings", row.tied_embeddings);
  out.flag("gated_mlp", row.gated_mlp, true).flag("attention_sinks", row.attention_sinks);
  out.flag("extra_attention_scalars", row.extra_attention_scalars).word("norm", "NormKind", row.norm);
  out.flag("norm_has_bias", row.norm_has_bias).flag("norm_after_embedding", row.norm_after_embedding);
  out.number("norms_per_layer", row.norms_per_layer, std::uint8_t{2});
  out.number("final_norms", row.final_norms, std::uint8_t{1}).word("qk_norm", "QkNorm", row.qk_norm);
  const ModelBias& bias = row.bias;
  if (bias.q || bias.k || bias.v || bias.o || bias.mlp || bias.head) out.add("bias", bias_row(bias));
  out.number("attention_softcap", row.attention_softcap).number("final_softcap", row.final_softcap);
  if (row.moe.experts > 0) out.add("moe", experts_row(row.moe));
  if (row.mla.kv_lora > 0) out.add("mla", latent_row(row.mla));
  return out.line();
}

std::string name_row(Text name, std::size_t index) {
  return "    {{" + to_string(name.offset) + ", " + to_string(name.size) + "}, " + to_string(index) + "},\n";
}

/// Ids in the order of the table, and the look-up keys that lead to them.
class IdTables {
 public:
  IdTables(const Sources& sources, Pool& pool) : sources_(sources), pool_(pool), order_(sources.ids.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      const int order = compare_folded(sources.ids[a].id, sources.ids[b].id);
      return order != 0 ? order < 0 : sources.ids[a].id < sources.ids[b].id;
    });
    const SourceNames& names = sources.names;
    rules_.prefixes.assign(names.prefixes.begin(), names.prefixes.end());
    for (const SourceSuffix& suffix : names.mirrors)
      rules_.mirrors.push_back({suffix.pattern, suffix.quantisation});
    for (const SourceSuffix& suffix : names.variants)
      rules_.variants.push_back({suffix.pattern, suffix.quantisation});
    spread_positions();
  }

  std::string id_rows() {
    std::string out;
    for (const std::size_t index : order_) {
      const SourceId& id = sources_.ids[index];
      const Quantisation named = mirror_key(id.id, rules_).quantisation;
      const Quantisation quantisation =
          id.row.quantisation == Quantisation::none ? named : id.row.quantisation;
      out += RowWriter()
                 .text("id", pool_.add(id.id))
                 .number("model", id.model)
                 .word("tie", "Tie", id.row.tie)
                 .flag("dtype_known", id.row.dtype_known)
                 .word("dtype", "Dtype", id.row.dtype)
                 .word("quantisation", "Quantisation", quantisation)
                 .number("positions", positions_[index])
                 .line();
    }
    return out;
  }

  /// Rows sorted by the key that `key_of` gives an id; among equals the ids whose own figures are surest come
  /// first.
  template <class KeyOf>
  std::string key_rows(KeyOf key_of) {
    struct Row {
      std::string key;
      std::size_t position;
    };
    std::vector<Row> rows;
    rows.reserve(order_.size());
    for (std::size_t position = 0; position < order_.size(); ++position) {
      rows.push_back({key_of(sources_.ids[order_[position]].id), position});
    }
    const auto rank = [&](const Row& row) {
      const SourceId& id = sources_.ids[order_[row.position]];
      return std::pair(!sources_.models[id.model].row.complete, static_cast<int>(id.row.tie));
    };
    std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
      const int order = a.key.compare(b.key);
      return order != 0 ? order < 0 : rank(a) < rank(b);
    });
    std::string out;
    for (const Row& row : rows) out += name_row(pool_.add(row.key), row.position);
    return out;
  }

  [[nodiscard]] std::size_t position_of(const std::string& id) const {
    const auto found =
        std::find_if(order_.begin(), order_.end(), [&](std::size_t i) { return sources_.ids[i].id == id; });
    return static_cast<std::size_t>(found - order_.begin());
  }
  [[nodiscard]] const NameRules& rules() const { return rules_; }

 private:
  /// A copy that only stores the weights otherwise was made for the same length as the original.
  void spread_positions() {
    std::map<std::pair<std::size_t, std::string>, std::uint32_t> known;
    for (const SourceId& id : sources_.ids) {
      if (id.row.positions > 0) known[{id.model, mirror_key(id.id, rules_).name}] = id.row.positions;
    }
    for (const SourceId& id : sources_.ids) {
      const auto same = known.find({id.model, mirror_key(id.id, rules_).name});
      positions_.push_back(id.row.positions > 0 || same == known.end() ? id.row.positions : same->second);
    }
  }

  const Sources& sources_;
  Pool& pool_;
  std::vector<std::size_t> order_;
  std::vector<std::uint32_t> positions_;
  NameRules rules_;
};

std::string card_rows(const std::vector<SourceCard>& cards, Pool& pool) {
  std::string out;
  for (const SourceCard& card : cards) {
    const CardRow& row = card.row;
    RowWriter line;
    line.text("key", pool.add(card.key))
        .text("name", pool.add(card.name))
        .text("vendor", pool.add(card.vendor));
    line.number("capacity", row.capacity)
        .number("label_gb", row.label_gb)
        .number("peak_tflops", row.peak_tflops);
    line.number("measured_tflops", row.measured_tflops).number("bandwidth_gb", row.bandwidth_gb);
    line.number("watts", row.watts).flag("has_bf16", row.has_bf16).flag("has_fp8", row.has_fp8);
    line.flag("has_flash", row.has_flash)
        .flag("measured_memory", row.measured_memory)
        .flag("discrete", row.discrete);
    out += line.flag("consumer", row.consumer).flag("typical", row.typical).line();
  }
  return out;
}

/// A card's own name comes before the cards whose name it becomes only without size and form.
std::string card_name_rows(const std::vector<SourceCard>& cards, Pool& pool) {
  std::vector<std::tuple<std::string, bool, std::size_t>> names;
  for (std::size_t card = 0; card < cards.size(); ++card) {
    const CardNames of_card = names_of(cards[card]);
    for (const std::string& name : of_card.own) names.emplace_back(name, false, card);
    for (const std::string& name : of_card.derived) names.emplace_back(name, true, card);
  }
  std::sort(names.begin(), names.end());
  std::string out;
  for (const auto& [name, is_derived, card] : names) out += name_row(pool.add(name), card);
  return out;
}

std::string instance_rows(std::vector<SourceInstance> instances, const std::vector<SourceCard>& cards,
                          Pool& pool) {
  std::sort(instances.begin(), instances.end(), [](const SourceInstance& a, const SourceInstance& b) {
    return compare_folded(a.name, b.name) < 0;
  });
  std::string out;
  for (const SourceInstance& instance : instances) {
    const auto card =
        std::find_if(cards.begin(), cards.end(), [&](const SourceCard& c) { return c.key == instance.card; });
    out += RowWriter()
               .text("name", pool.add(instance.name))
               .number("card", card - cards.begin())
               .number("count", instance.count, std::uint16_t{0})
               .line();
  }
  return out;
}

std::string suffix_rows(const std::vector<SourceSuffix>& suffixes, Pool& pool) {
  std::string out;
  for (const SourceSuffix& suffix : suffixes) {
    out += RowWriter()
               .text("pattern", pool.add(suffix.pattern))
               .word("quantisation", "Quantisation", suffix.quantisation)
               .line();
  }
  return out;
}

/// The numbers of a version: "4.40.1" -> {4, 40, 1}.
std::vector<unsigned long> version_numbers(const std::string& version) {
  std::vector<unsigned long> numbers;
  for (const char* at = version.c_str(); *at != '\0';) {
    char* end = nullptr;
    numbers.push_back(std::strtoul(at, &end, 10));
    at = *end == '.' ? end + 1 : "";
  }
  return numbers;
}

std::string release_rows(std::vector<SourceRelease> releases, Pool& pool) {
  std::sort(releases.begin(), releases.end(), [](const SourceRelease& a, const SourceRelease& b) {
    if (std::tie(a.package, a.day) != std::tie(b.package, b.day))
      return std::tie(a.package, a.day) < std::tie(b.package, b.day);
    return version_numbers(a.version) < version_numbers(b.version);
  });
  std::string out;
  for (const SourceRelease& release : releases) {
    out += RowWriter()
               .text("package", pool.add(release.package))
               .text("version", pool.add(release.version))
               .number("day", release.day)
               .line();
  }
  return out;
}
}  // namespace

std::string write_tables(const Sources& sources) {
  Pool pool;
  IdTables ids(sources, pool);
  std::string body;
  std::string spans;
  const auto table = [&](const char* type, const char* name, const std::string& rows) {
    spans += "    ." + std::string(name) + " = ";
    if (rows.empty()) {
      spans += "{},\n";
      return;
    }
    spans += std::string(name) + "_table,\n";
    body += "constexpr " + std::string(type) + " " + name + "_table[] = {\n" + rows + "};\n\n";
  };

  std::vector<SourceFamily> families = sources.families;
  std::sort(families.begin(), families.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  std::string rows;
  for (const SourceFamily& family : families) rows += model_row(family.facts, {}, pool.add(family.name));
  table("ModelRow", "families", rows);
  rows.clear();
  for (const SourceModel& model : sources.models) {
    rows += model_row(model.row, pool.add(model.name), pool.add(model.family));
  }
  table("ModelRow", "models", rows);
  table("IdRow", "ids", ids.id_rows());
  table("NameRow", "names", ids.key_rows([](std::string_view id) { return folded(last_component(id)); }));
  table("NameRow", "mirror_keys",
        ids.key_rows([&](std::string_view id) { return mirror_key(id, ids.rules()).name; }));
  table("NameRow", "variant_keys", ids.key_rows([&](std::string_view id) {
    return variant_key(mirror_key(id, ids.rules()).name, ids.rules());
  }));
  rows.clear();
  for (const auto& [name, id] : sources.names.builders) rows += name_row(pool.add(name), ids.position_of(id));
  table("NameRow", "builders", rows);
  rows.clear();
  for (const auto& [from, to] : sources.names.owners) {
    rows += RowWriter().text("from", pool.add(from)).text("to", pool.add(to)).line();
  }
  table("PairRow", "owners", rows);
  rows.clear();
  for (const std::string& prefix : sources.names.prefixes) {
    const Text text = pool.add(prefix);
    rows += "    {" + to_string(text.offset) + ", " + to_string(text.size) + "},\n";
  }
  table("Text", "prefixes", rows);
  table("SuffixRow", "mirror_suffixes", suffix_rows(sources.names.mirrors, pool));
  table("SuffixRow", "variant_suffixes", suffix_rows(sources.names.variants, pool));
  std::vector<SourceCard> cards = sources.cards;
  std::sort(cards.begin(), cards.end(), [](const SourceCard& a, const SourceCard& b) {
    return std::tie(a.row.capacity, a.name) < std::tie(b.row.capacity, b.name);
  });
  table("CardRow", "cards", card_rows(cards, pool));
  table("CardNameRow", "card_names", card_name_rows(cards, pool));
  table("InstanceRow", "instances", instance_rows(sources.instances, cards, pool));
  table("ReleaseRow", "releases", release_rows(sources.releases, pool));

  return "// Generated by catalog_tool from lint/catalog/*.toml.\n#include \"lint/catalog/tables.h\"\n\n"
         "#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n\nnamespace oomlint::catalog "
         "{\n\nnamespace {\n"
         "constexpr char pool_text[] =\n" +
         pool.literal() + ";\n\n" + body +
         "constexpr Tables built_in{\n    .pool = {pool_text, sizeof pool_text - 1},\n" + spans +
         "};\n}  // namespace\n\nconst Tables& tables() { return built_in; }\n\n}  // namespace "
         "oomlint::catalog\n";
}

}  // namespace oomlint::catalog
