#pragma once

#include "lint/plan/training_plan.h"

#include <string>
#include <vector>

namespace oomlint {

/// One source's say on one field.
struct Assignment {
  Field field;
  Scalar value;
  Origin origin;
};

/// A verdict of a framework's own validation about a field, found by a dialect's constraints.
struct Settlement {
  Field field;
  Scalar effective;  ///< unknown keeps the value and only records the difference
  Difference difference;
  std::string because;
  Origin origin;
};

/// What one source (a file, a command line, the settings) says about the run.
struct Layer {
  std::string source;  ///< shown path, "command line", "settings"
  std::vector<Assignment> assignments;
  std::vector<Settlement> settlements;
};

/// Stacks a layer over the plan: what it gives wins over what is there; a given value that loses is kept as
/// requested with Difference::overridden. A default never wins over a given value, and `assumed` wins over
/// everything.
void stack(TrainingPlan& plan, const Layer& layer);

}  // namespace oomlint
