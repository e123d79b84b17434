#pragma once

#include "lint/estimate/compute.h"
#include "lint/estimate/concrete_plan.h"
#include "lint/estimate/scenario.h"
#include "lint/plan/card.h"
#include "lint/plan/training_plan.h"

#include <vector>

namespace oomlint {

/// A plan with nothing left open, and the runtime it stands on.
struct Concrete {
  ConcretePlan plan;
  Stack stack;
};

/// Fills every gap of the plan: from the scenario, then from what the stack profile does at these versions.
[[nodiscard]] Concrete concretise(const TrainingPlan& plan, const ResolvedModel& model,
                                  const Scenario& scenario);

/// The fields without which no honest estimate exists and that nobody gave: the model, its batch, its length.
[[nodiscard]] std::vector<Field> deciding_unknowns(const TrainingPlan& plan, const ResolvedModel& model);

/// Work and time of the run. `card` may be null.
[[nodiscard]] ComputeEstimate compute(const Concrete& concrete, const TrainingPlan& plan, const Card* card);

}  // namespace oomlint
