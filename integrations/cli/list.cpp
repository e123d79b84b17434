#include "integrations/cli/commands.h"
#include "integrations/cli/output.h"
#include "lint/catalog/tables.h"
#include "lint/estimate/stacks/profiles.h"
#include "lint/text/nearest.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <set>

namespace oomlint {

namespace {

using Row = std::vector<std::string>;

/// Columns as wide as their widest cell; the last one runs free.
void print_table(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line += std::string(widths[i] - row[i].size() + 2, ' ');
    }
    std::cout << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
  }
}

std::vector<Row> rule_rows(const Parts& parts) {
  std::vector<Row> rows;
  for (const Rule* rule : parts.rules) {
    rows.push_back({std::string(rule->code), std::string(rule->name), to_string(rule->severity),
                    std::string(rule->summary)});
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::vector<Row> dialect_rows(const Parts& parts) {
  std::vector<Row> rows;
  for (const Dialect* dialect : parts.dialects) {
    rows.push_back({std::string(dialect->name), std::string(dialect->title), std::string(dialect->package)});
  }
  return rows;
}

std::vector<Row> gpu_rows(const Parts& /*parts*/) {
  std::vector<Row> rows;
  for (const Card& card : all_cards()) rows.push_back({card.key, card.name, to_string(card.capacity)});
  return rows;
}

std::vector<Row> model_rows(const Parts& /*parts*/) {
  const catalog::Tables& tables = catalog::tables();
  std::vector<Row> rows;
  for (const catalog::IdRow& row : tables.ids) {
    const std::string id(tables.text(row.id));
    const ModelShape shape = find_model(id).model.shape;
    rows.push_back({id, shape.model_type, grouped(shape.total_parameters) + " parameters"});
  }
  return rows;
}

std::vector<Row> field_rows(const Parts& /*parts*/) {
  std::vector<Row> rows;
  for (const FieldInfo& field : all_fields()) {
    std::string doc(field.doc);
    if (field.words != nullptr) {
      std::string words;
      for (const std::string_view word : field.words())
        words += (words.empty() ? "" : " | ") + std::string(word);
      doc += ": " + words;
    }
    rows.push_back({std::string(field.name), std::string(field.unit), doc});
  }
  return rows;
}

std::vector<Row> stack_rows(const Parts& parts) {
  std::set<std::string_view> names;
  for (const Profile& profile : all_profiles()) names.insert(profile.name);
  for (const Dialect* dialect : parts.dialects) {
    if (!dialect->stack.empty()) names.insert(dialect->stack);
  }
  std::vector<Row> rows;
  rows.reserve(names.size());
  for (const std::string_view name : names) rows.push_back({std::string(name)});
  return rows;
}

struct Listing {
  std::string_view name;
  std::vector<Row> (*rows)(const Parts& parts);
};
constexpr std::array<Listing, 6> listings{{{"rules", rule_rows},
                                           {"dialects", dialect_rows},
                                           {"gpus", gpu_rows},
                                           {"models", model_rows},
                                           {"fields", field_rows},
                                           {"stacks", stack_rows}}};

}  // namespace

ExitCode run_list(const Options& options, const Parts& parts) {
  std::vector<std::string_view> names;
  names.reserve(listings.size());
  for (const Listing& listing : listings) names.push_back(listing.name);
  const std::string word = options.arguments.size() == 1 ? options.arguments.front() : "";
  const auto listing =
      std::find_if(listings.begin(), listings.end(), [&](const Listing& each) { return each.name == word; });
  if (listing == listings.end()) {
    std::string known;
    for (const std::string_view name : names)
      known += (known.empty() ? "it lists " : ", ") + std::string(name);
    const std::string_view near = nearest(word, names);
    print_error(word.empty() ? "`oomlint list` expects one word" : "`oomlint list` knows no `" + word + "`",
                near.empty() ? known : "did you mean `" + std::string(near) + "`?");
    return ExitCode::usage;
  }
  print_table(listing->rows(parts));
  return ExitCode::done;
}

}  // namespace oomlint
