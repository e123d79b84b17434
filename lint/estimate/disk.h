#pragma once

#include "lint/estimate/scenario.h"
#include "lint/plan/bytes.h"
#include "lint/plan/model_shape.h"
#include "lint/plan/training_plan.h"

namespace oomlint {

/// Bytes of all checkpoints that a run keeps: the trained weights (of an adapter its own), fp32 copies of
/// them and the optimizer states, undivided, times the number kept. 0 where that number is not known.
[[nodiscard]] Bytes kept_checkpoints(const TrainingPlan& plan, const ResolvedModel& model,
                                     const Scenario& scenario);

}  // namespace oomlint
