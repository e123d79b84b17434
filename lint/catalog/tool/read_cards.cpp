#include "lint/catalog/names.h"
#include "lint/catalog/tool/sources.h"

#include <algorithm>
#include <cmath>

namespace oomlint::catalog {

namespace {
/// The smallest total any driver or runtime reported; the label where none is known.
void read_memory(Fields& fields, CardRow& row) {
  double smallest = 0;
  const auto consider = [&](std::string_view key, double unit) {
    const Item* list = fields.find(key);
    if (list == nullptr) return;
    for (const Item& item : list->list) {
      const double bytes = item.number * unit;
      if (smallest == 0 || bytes < smallest) smallest = bytes;
    }
  };
  consider("driver_mib", 1024.0 * 1024.0);
  consider("torch_gib", 1024.0 * 1024.0 * 1024.0);
  row.measured_memory = smallest > 0;
  row.capacity = static_cast<std::uint64_t>(std::floor(row.measured_memory ? smallest : row.label_gb * 1e9));
}

void read_support(Fields& fields, CardRow& row) {
  if (const Item* compute = fields.find("compute")) {
    row.has_bf16 = row.has_flash = compute->number >= 8.0;
    row.has_fp8 = compute->number >= 8.9;
    return;
  }
  std::vector<std::string> words;
  fields.read("supports", words);
  const auto has = [&](std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  row.has_bf16 = has("bf16");
  row.has_fp8 = has("fp8");
  row.has_flash = has("flash");
}

SourceCard read_card(const Item& table, Problems& problems) {
  SourceCard card;
  Fields fields(table, problems);
  fields.require({"key", "name", "vendor", "label_gb", "class", "names", "sources"});
  fields.read("key", card.key);
  fields.read("name", card.name);
  fields.read("vendor", card.vendor);
  fields.read("label_gb", card.row.label_gb);
  read_memory(fields, card.row);
  read_support(fields, card.row);
  if (const auto kind =
          fields.word("class", {"datacenter", "workstation", "consumer", "laptop", "unified"})) {
    card.row.discrete = *kind < 3;
    card.row.consumer = *kind == 2;
  }
  if (const Item* flops = fields.find("tflops")) {
    Fields rates(*flops, problems);
    for (const std::string_view precision : {"fp32", "fp8", "fp16"})
      rates.read(precision, card.row.peak_tflops);
    if (!rates.has("fp16")) card.row.peak_tflops = 0;
    rates.read("bf16", card.row.peak_tflops);
    rates.finish();
  }
  fields.read("measured_tflops", card.row.measured_tflops);
  fields.read("bandwidth", card.row.bandwidth_gb);
  fields.read("watts", card.row.watts);
  fields.read("typical", card.row.typical);
  fields.read("names", card.names);
  std::vector<std::string> sources;
  fields.read("sources", sources);
  std::string note;
  fields.read("note", note);
  fields.finish();
  return card;
}

std::pair<std::string, std::string> pair_of(const Item& item, Problems& problems) {
  if (item.list.size() == 2) return {item.list[0].text, item.list[1].text};
  problems.add(item.file, item.line, "a pair of texts is expected");
  return {};
}

std::vector<SourceSuffix> read_suffixes(const Item* list, Problems& problems) {
  std::vector<SourceSuffix> suffixes;
  if (list == nullptr) return suffixes;
  for (const Item& item : list->list) {
    SourceSuffix suffix{item.text, Quantisation::none};
    if (item.kind == Item::Kind::list) {
      const auto [pattern, word] = pair_of(item, problems);
      suffix.pattern = pattern;
      const auto quantisation = from_word<Quantisation>(word);
      if (!quantisation && !word.empty())
        problems.add(item.file, item.line, "there is no quantisation \"" + word + "\"");
      suffix.quantisation = quantisation.value_or(Quantisation::none);
    }
    if (!suffix.pattern.starts_with('-')) problems.add(item.file, item.line, "a suffix starts with \"-\"");
    suffixes.push_back(std::move(suffix));
  }
  return suffixes;
}

void read_builders(const Item& table, SourceNames& names, Problems& problems) {
  for (const auto& [framework, builders] : table.table) {
    for (const auto& [name, id] : builders.table) {
      const auto [at, fresh] = names.builders.emplace(folded(name), id.text);
      if (!fresh && at->second != id.text) {
        problems.add(id.file, id.line, "\"" + name + "\" already means \"" + at->second + "\"");
      }
    }
  }
}

/// "2024-05-23" -> 20240523, 0 if it is no date.
std::uint32_t day_number(std::string_view date) {
  if (date.size() != 10 || date[4] != '-' || date[7] != '-') return 0;
  std::uint32_t number = 0;
  for (const char c : date) {
    if (c == '-') continue;
    if (c < '0' || c > '9') return 0;
    number = number * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return number;
}
}  // namespace

void read_names(const Item& file, Sources& sources, Problems& problems) {
  Fields fields(file, problems);
  fields.require({"owners", "prefixes", "mirrors", "variants", "builders"});
  if (const Item* owners = fields.find("owners")) {
    for (const Item& item : owners->list) sources.names.owners.push_back(pair_of(item, problems));
  }
  fields.read("prefixes", sources.names.prefixes);
  sources.names.mirrors = read_suffixes(fields.find("mirrors"), problems);
  sources.names.variants = read_suffixes(fields.find("variants"), problems);
  if (const Item* builders = fields.find("builders")) read_builders(*builders, sources.names, problems);
  fields.finish();
}

void read_cards(const Item& file, Sources& sources, Problems& problems) {
  Fields fields(file, problems);
  fields.require({"card", "instances"});
  if (const Item* cards = fields.find("card")) {
    for (const Item& table : cards->list) sources.cards.push_back(read_card(table, problems));
  }
  if (const Item* clouds = fields.find("instances")) {
    for (const auto& [cloud, instances] : clouds->table) {
      for (const auto& [name, item] : instances.table) {
        const bool is_pair = item.list.size() == 2;
        if (!is_pair) problems.add(item.file, item.line, "a card and a count are expected");
        if (is_pair) {
          sources.instances.push_back(
              {name, item.list[0].text, static_cast<std::uint16_t>(item.list[1].integer)});
        }
      }
    }
  }
  fields.finish();
}

void read_releases(const Item& file, Sources& sources, Problems& problems) {
  for (const auto& [package, versions] : file.table) {
    for (const auto& [version, date] : versions.table) {
      const std::uint32_t day = day_number(date.text);
      if (day == 0) problems.add(date.file, date.line, "a date as \"2024-05-23\" is expected");
      sources.releases.push_back({package, version, day});
    }
  }
}

}  // namespace oomlint::catalog
