#pragma once

#include "lint/estimate/evaluate.h"
#include "lint/estimate/scenario.h"

#include <optional>
#include <vector>

namespace oomlint {

/// One thing nobody said, with the values it takes in the low, the likely and the high scenario. A field of
/// the plan, or a property of the runtime (`apply` sets it).
struct OpenQuestion {
  std::string name;
  std::optional<Field> field;
  Scalar low, likely, high;
  void (*apply)(Scenario& scenario, const Scalar& value) = nullptr;  ///< for what is not a field
};

/// What the plan leaves open and the bytes depend on.
[[nodiscard]] std::vector<OpenQuestion> open_questions(const TrainingPlan& plan, const ResolvedModel& model);

void answer(Scenario& scenario, const OpenQuestion& question, End end);

}  // namespace oomlint
