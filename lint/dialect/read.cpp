#include "lint/dialect/convert.h"
#include "lint/dialect/dialect.h"

#include <algorithm>
#include <bitset>
#include <utility>

namespace oomlint {

namespace {

/// Whether some admissible version of the dialect's package reads the key.
bool is_read(const ReadContext& context, const KeySpec& key, std::string& why) {
  const VersionRange* range = context.stated(context.dialect.package);
  if (range == nullptr) return true;
  const auto since = parse_version(key.since);
  if (since && range->high < *since) {
    why = std::string(context.dialect.package) + " reads this key since " + std::string(key.since);
    return false;
  }
  const auto until = parse_version(key.until);
  if (until && range->low >= *until) {
    why = std::string(context.dialect.package) + " no longer reads this key since " + std::string(key.until);
    return false;
  }
  return true;
}

Difference difference_of(Effect effect) {
  switch (effect) {
    case Effect::refused:
      return Difference::refused;
    case Effect::ignored:
      return Difference::ignored;
    case Effect::overridden:
      return Difference::overridden;
    case Effect::warned:
      return Difference::none;
  }
  return Difference::none;
}

void settle_constraints(const ReadContext& context, Layer& layer) {
  for (const ConstraintFinding& finding : check_constraints(context)) {
    const Constraint& row = *finding.constraint;
    if (row.field == Field::count_ || row.effect == Effect::warned) continue;
    layer.settlements.push_back({row.field, field_value(row.field, row.effective), difference_of(row.effect),
                                 finding.hit.message, context.origin_of(finding.hit.at)});
  }
}

std::string default_note(const DefaultValue& row) {
  if (row.package.empty()) return "default";
  return "default of " + std::string(row.package) + " since " + to_string(row.since);
}

}  // namespace

Layer read(const ReadContext& context) {
  Layer layer;
  layer.source = context.document.source().path();
  std::bitset<field_count> said;
  std::vector<Settlement> unread;
  for (const KeySpec& key : context.dialect.keys) {
    const auto field = static_cast<std::size_t>(key.field);
    if (said[field]) continue;
    const NodeId node = context.find(path_of(key));
    if (node == no_node) continue;
    auto value = read_value(context, key, node);
    if (!value) continue;
    const Origin origin = context.origin_of(node);
    std::string why;
    if (!is_read(context, key, why)) {
      unread.push_back({key.field, Scalar(), Difference::ignored, std::move(why), origin});
      continue;
    }
    said.set(field);
    layer.assignments.push_back({key.field, std::move(*value), origin});
  }
  for (Settlement& settlement : unread) {
    if (!said[static_cast<std::size_t>(settlement.field)]) layer.settlements.push_back(std::move(settlement));
  }
  if (context.dialect.finish != nullptr) context.dialect.finish(context, layer);
  settle_constraints(context, layer);
  return layer;
}

void fill_defaults(const Dialect& dialect, TrainingPlan& plan) {
  for (const KeySpec& key : dialect.keys) {
    if (plan[key.field].given()) continue;  // also where what was given can't be understood
    const DefaultValue* applies = nullptr;
    for (const DefaultValue& row : key.defaults) {
      if (row.package.empty() || plan.versions.at_least(row.package, row.since)) applies = &row;
    }
    if (applies == nullptr) continue;
    const Scalar value = field_value(key.field, applies->text);
    if (!is_known(value)) continue;
    plan.fill(
        key.field, value,
        Origin{
            OriginKind::framework_default, no_file, {}, std::string(path_of(key)), default_note(*applies)});
  }
}

}  // namespace oomlint
