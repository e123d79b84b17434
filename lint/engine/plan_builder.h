#pragma once

#include "lint/engine/loaded_run.h"
#include "lint/engine/settings.h"
#include "lint/plan/training_plan.h"

#include <optional>

namespace oomlint {

/// Stacks the layers of a run in the order of precedence, then the user's assumptions, the target, the
/// defaults of the dialects and what follows from all of these.
[[nodiscard]] TrainingPlan build_plan(const LoadedRun& run, const Settings& settings);

/// The model behind the plan: inline shapes, a local config.json of the run, the user's catalogue, the
/// built-in one. Fills what the model's name says about storage and length into the plan.
[[nodiscard]] ResolvedModel resolve_model(TrainingPlan& plan, const LoadedRun& run, const Settings& settings);

/// The card of the settings or of the plan; nothing when none is named. An unknown name gives none and fills
/// `why`.
[[nodiscard]] std::optional<Card> resolve_card(const TrainingPlan& plan, const Settings& settings,
                                               std::string& why);

}  // namespace oomlint
