#include "lint/dialect/convert.h"
#include "lint/dialect/dialect.h"

#include <utility>

namespace oomlint {

namespace {

bool holds_for(const Constraint& row, const TrainingPlan* run) {
  if (row.run_field == Field::count_) return true;
  if (run == nullptr) return false;
  const Value& value = (*run)[row.run_field];
  return value.effective_origin.kind == OriginKind::given &&
         value.effective == field_value(row.run_field, row.run_value);
}

}  // namespace

std::vector<ConstraintFinding> check_constraints(const ReadContext& context, const TrainingPlan* run) {
  std::vector<ConstraintFinding> findings;
  for (const Constraint& row : context.dialect.constraints) {
    if (!holds_for(row, run)) continue;
    bool every_version = true;
    if (!row.package.empty()) {
      const VersionRange* range = context.stated(row.package);
      const Version newest = context.versions.newest(row.package);
      if (newest < row.since || newest >= row.until) continue;
      every_version = range != nullptr ? range->low >= row.since : row.since == Version{};
    }
    // What a check concludes from a value nobody knows would be a guess.
    bool met_unknown = false;
    ReadContext watched = context;
    watched.met_unknown = &met_unknown;
    auto hit = row.when(watched);
    if (!hit || met_unknown) continue;
    if (hit->message.empty()) hit->message = row.message;
    findings.push_back({&row, std::move(*hit), every_version});
  }
  return findings;
}

}  // namespace oomlint
