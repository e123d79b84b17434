#pragma once

#include "lint/estimate/evaluate.h"
#include "lint/estimate/scenario.h"

#include <optional>
#include <vector>

namespace oomlint {

/// One thing nobody said, with the values it takes in the low, the likely and the high scenario. A field of
/// the plan, or the version of a package.
struct OpenQuestion {
  std::string name;
  std::optional<Field> field;
  Scalar low, likely, high;
  std::string package;  ///< where it is a version that is not known
};

/// What the plan leaves open and the bytes depend on.
[[nodiscard]] std::vector<OpenQuestion> open_questions(const TrainingPlan& plan, const ResolvedModel& model);

void answer(Scenario& scenario, const OpenQuestion& question, End end);

}  // namespace oomlint
