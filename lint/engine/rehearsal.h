#pragma once

#include "lint/engine/loaded_run.h"
#include "lint/plan/training_plan.h"

#include <span>

namespace oomlint {

/// A run read again with text edits applied in memory, to see whether they say what they were made to say.
struct Rehearsal {
  LoadedRun run;
  TrainingPlan plan;
  bool readable = false;  ///< no file lost its syntax
};

/// Files that only the edited text names are not opened: a fix may not depend on them.
[[nodiscard]] Rehearsal rehearse(const LoadedRun& run, std::span<const TextEdit> edits,
                                 const Settings& settings, const Parts& parts);

/// Whether `after` runs into a check of the framework's that refuses, and that `before` passes.
[[nodiscard]] bool newly_refused(const LoadedRun& before, const TrainingPlan& plan_before,
                                 const Rehearsal& after);

}  // namespace oomlint
