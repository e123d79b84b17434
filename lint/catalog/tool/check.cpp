#include "lint/catalog/names.h"
#include "lint/catalog/tool/sources.h"

#include <map>
#include <set>
#include <string>

namespace oomlint::catalog {

namespace {
void check_counts(const Sources& sources, Problems& problems) {
  for (const SourceModel& model : sources.models) {
    if (!model.row.complete) continue;
    const std::uint64_t counted = count_parameters(to_shape(model.row, model.family)).total;
    if (counted == model.row.total_parameters) continue;
    problems.add("models", 0,
                 "\"" + model.name + "\" states " + std::to_string(model.row.total_parameters) +
                     " parameters, its dimensions give " + std::to_string(counted));
  }
}

std::set<std::string> check_ids(const Sources& sources, Problems& problems) {
  std::set<std::string> ids;
  for (const SourceId& id : sources.ids) {
    if (!ids.insert(id.id).second) problems.add(id.file, id.line, "\"" + id.id + "\" is listed twice");
  }
  return ids;
}

void check_cards(const Sources& sources, Problems& problems) {
  std::set<std::string> keys;
  for (const SourceCard& card : sources.cards) {
    if (!keys.insert(card.key).second)
      problems.add("gpus.toml", 0, "card \"" + card.key + "\" is listed twice");
    if (card.row.capacity == 0) problems.add("gpus.toml", 0, "card \"" + card.key + "\" has no memory");
  }
  for (const SourceInstance& instance : sources.instances) {
    if (keys.contains(instance.card) && instance.count > 0) continue;
    problems.add("gpus.toml", 0, "instance \"" + instance.name + "\" needs a card of this file and a count");
  }
}

std::string unknown_builder(const std::string& name, const std::string& id) {
  return "builder \"" + name + "\" means an unknown id \"" + id + "\"";
}

}  // namespace

void check_sources(const Sources& sources, Problems& problems) {
  check_counts(sources, problems);
  const std::set<std::string> ids = check_ids(sources, problems);
  for (const auto& [name, id] : sources.names.builders) {
    if (!ids.contains(id)) problems.add("names.toml", 0, unknown_builder(name, id));
  }
  check_cards(sources, problems);
}

}  // namespace oomlint::catalog
