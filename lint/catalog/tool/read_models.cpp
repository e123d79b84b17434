#include "lint/catalog/tool/sources.h"

#include <algorithm>
#include <array>
#include <utility>

namespace oomlint::catalog {

namespace {
void read_bias(Fields& fields, ModelBias& bias, Problems& problems) {
  const Item* list = fields.find("bias");
  if (list == nullptr) return;
  bias = {};
  const std::array<std::pair<std::string_view, bool*>, 6> flags{{{"q", &bias.q},
                                                                 {"k", &bias.k},
                                                                 {"v", &bias.v},
                                                                 {"o", &bias.o},
                                                                 {"mlp", &bias.mlp},
                                                                 {"head", &bias.head}}};
  for (const Item& item : list->list) {
    const auto* flag =
        std::find_if(flags.begin(), flags.end(), [&](const auto& f) { return f.first == item.text; });
    if (flag != flags.end()) {
      *flag->second = true;
    } else {
      problems.add(item.file, item.line, "there is no bias \"" + item.text + "\"");
    }
  }
}

void read_facts(Fields& fields, ModelRow& row, Problems& problems) {
  if (const auto norm = fields.word("norm", {"rms", "layer"})) row.norm = static_cast<NormKind>(*norm);
  fields.read("norm_bias", row.norm_has_bias);
  fields.read("norms_per_layer", row.norms_per_layer);
  fields.read("final_norms", row.final_norms);
  fields.read("embedding_norm", row.norm_after_embedding);
  fields.read("gated", row.gated_mlp);
  read_bias(fields, row.bias, problems);
  if (const auto kind = fields.word("qk_norm", {"none", "head", "full", "layer_head", "layer_head2"})) {
    row.qk_norm = static_cast<QkNorm>(*kind);
  }
  fields.read("tied", row.tied_embeddings);
  fields.read("sinks", row.attention_sinks);
  fields.read("scalars", row.extra_attention_scalars);
}

void read_experts(const Item& table, ModelExperts& moe, Problems& problems) {
  Fields fields(table, problems);
  fields.require({"experts"});
  fields.read("experts", moe.experts);
  fields.read("per_token", moe.per_token);
  fields.read("mlp", moe.intermediate_size);
  fields.read("shared", moe.shared_intermediate_size);
  fields.read("dense_layers", moe.dense_layers);
  fields.read("router_bias", moe.router_bias);
  fields.read("expert_bias", moe.expert_bias);
  fields.read("shared_gate", moe.shared_gate);
  fields.finish();
}

void read_latent(const Item& table, ModelLatentAttention& mla, Problems& problems) {
  Fields fields(table, problems);
  fields.require({"kv_lora", "rope", "v"});
  fields.read("q_lora", mla.q_lora);
  fields.read("kv_lora", mla.kv_lora);
  fields.read("nope", mla.nope);
  fields.read("rope", mla.rope);
  fields.read("v", mla.v);
  fields.finish();
}

void read_shape(const Item& table, ModelRow& row, Problems& problems) {
  Fields fields(table, problems);
  fields.read("layers", row.layers);
  fields.read("hidden", row.hidden_size);
  fields.read("mlp", row.intermediate_size);
  fields.read("heads", row.heads);
  row.kv_heads = row.heads;
  fields.read("kv_heads", row.kv_heads);
  row.head_dim = row.heads > 0 ? row.hidden_size / row.heads : 0;
  fields.read("head_dim", row.head_dim);
  fields.read("vocabulary", row.vocabulary);
  fields.read("positions_learned", row.learned_positions);
  fields.read("embedding", row.embedding_size);
  fields.read("window", row.sliding_window);
  fields.read("attention_softcap", row.attention_softcap);
  fields.read("final_softcap", row.final_softcap);
  read_facts(fields, row, problems);
  if (const Item* moe = fields.find("moe")) read_experts(*moe, row.moe, problems);
  if (const Item* mla = fields.find("mla")) read_latent(*mla, row.mla, problems);
  if (row.complete) fields.require({"layers", "hidden", "mlp", "heads", "vocabulary"});
  fields.finish();
}

template <class Row>
void read_dtype(Fields& fields, Row& row) {
  if (const auto dtype = fields.word("dtype", {"fp32", "fp16", "bf16", "fp8"})) {
    row.dtype = static_cast<Dtype>(*dtype);
    row.dtype_known = true;
  }
}

Checked read_checked(Fields& fields, const Item& table, Problems& problems) {
  std::vector<std::string> checks;
  fields.read("checked", checks);
  const auto has = [&](std::string_view word) {
    return std::find(checks.begin(), checks.end(), word) != checks.end();
  };
  for (const std::string& check : checks) {
    constexpr std::array<std::string_view, 6> known{"stated", "formula",      "published",
                                                    "litgpt", "transformers", "diffusers"};
    if (std::find(known.begin(), known.end(), check) == known.end()) {
      problems.add(table.file, table.line, "there is no check \"" + check + "\"");
    }
  }
  if (has("transformers") || has("diffusers")) return Checked::built;
  if (has("published")) return Checked::published;
  return has("formula") ? Checked::formula : Checked::stated;
}

void read_ids(const Item* list, Tie tie, std::size_t model, Sources& sources, Problems& problems) {
  if (list == nullptr) return;
  for (const Item& item : list->list) {
    SourceId id{item.text, model, {}, std::string(item.file), item.line};
    id.row.tie = tie;
    if (item.kind == Item::Kind::table) {
      Fields fields(item, problems);
      fields.require({"id"});
      fields.read("id", id.id);
      read_dtype(fields, id.row);
      std::string quantisation;
      fields.read("quantisation", quantisation);
      if (const auto word = from_word<Quantisation>(quantisation)) {
        id.row.quantisation = *word;
      } else if (!quantisation.empty()) {
        problems.add(item.file, item.line, "there is no quantisation \"" + quantisation + "\"");
      }
      fields.finish();
    }
    sources.ids.push_back(std::move(id));
  }
}

/// [[2048, "id", …], …]: the longest sequence these ids were made for.
void read_positions(const Item* rows, std::size_t first_id, Sources& sources, Problems& problems) {
  if (rows == nullptr) return;
  for (const Item& row : rows->list) {
    for (const Item& item : row.list) {
      if (&item == &row.list.front()) continue;
      const auto id =
          std::find_if(sources.ids.begin() + static_cast<std::ptrdiff_t>(first_id), sources.ids.end(),
                       [&](const SourceId& known) { return known.id == item.text; });
      if (id == sources.ids.end()) {
        problems.add(item.file, item.line, "\"" + item.text + "\" is no id of this model");
      } else {
        id->row.positions = static_cast<std::uint32_t>(row.list.front().integer);
      }
    }
  }
}
}  // namespace

void read_families(const Item& file, Sources& sources, Problems& problems) {
  for (const auto& [name, table] : file.table) {
    SourceFamily family{name, {}};
    Fields fields(table, problems);
    fields.require({"since"});
    fields.read("since", family.facts.since);
    read_facts(fields, family.facts, problems);
    fields.finish();
    sources.families.push_back(std::move(family));
  }
}

void read_models(const Item& file, Sources& sources, Problems& problems) {
  for (const auto& [family, models] : file.table) {
    const auto known = std::find_if(sources.families.begin(), sources.families.end(),
                                    [&, &name = family](const SourceFamily& f) { return f.name == name; });
    for (const Item& table : models.list) {
      SourceModel model{{}, family, known == sources.families.end() ? ModelRow{} : known->facts};
      Fields fields(table, problems);
      fields.require({"name", "total", "source", "checked"});
      fields.read("name", model.name);
      bool partial = false;
      fields.read("partial", partial);
      model.row.complete = !partial;
      if (model.row.complete && known == sources.families.end()) {
        problems.add(table.file, table.line, "families.toml has no \"" + family + "\"");
      }
      if (const Item* shape = fields.find("shape")) read_shape(*shape, model.row, problems);
      fields.read("total", model.row.total_parameters);
      fields.read("beside", model.row.tower_parameters);
      read_dtype(fields, model.row);
      std::string source;
      fields.read("source", source);
      model.row.checked = read_checked(fields, table, problems);
      const std::size_t first_id = sources.ids.size();
      read_ids(fields.find("ids"), Tie::config, sources.models.size(), sources, problems);
      read_ids(fields.find("counted"), Tie::counted, sources.models.size(), sources, problems);
      read_ids(fields.find("mirrors"), Tie::rule, sources.models.size(), sources, problems);
      read_positions(fields.find("positions"), first_id, sources, problems);
      fields.finish();
      sources.models.push_back(std::move(model));
    }
  }
}

}  // namespace oomlint::catalog
