#include "lint/dialect/dialect.h"

#include <utility>

namespace oomlint {

std::vector<ConstraintFinding> check_constraints(const ReadContext& context) {
  std::vector<ConstraintFinding> findings;
  for (const Constraint& row : context.dialect.constraints) {
    bool every_version = true;
    if (!row.package.empty()) {
      const VersionRange* range = context.stated(row.package);
      const Version newest = context.versions.newest(row.package);
      if (newest < row.since || newest >= row.until) continue;
      every_version = range != nullptr ? range->low >= row.since : row.since == Version{};
    }
    auto hit = row.when(context);
    if (!hit) continue;
    if (hit->message.empty()) hit->message = row.message;
    findings.push_back({&row, std::move(*hit), every_version});
  }
  return findings;
}

}  // namespace oomlint
