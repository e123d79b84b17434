#pragma once

#include "lint/estimate/compute.h"
#include "lint/estimate/estimate.h"
#include "lint/plan/card.h"
#include "lint/plan/model_shape.h"
#include "lint/plan/training_plan.h"
#include "lint/text/diagnostic.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace oomlint {

struct Interval {
  Bytes low, likely, high;
};

/// One thing nobody said: what it was taken to be and which share of the interval's width it causes.
struct Unknown {
  std::string name;  ///< a field's name, or "version of peft"
  std::optional<Field> field;
  std::string low, likely, high;
  double share = 0;  ///< of the width of the device interval, 0 to 1
};

enum class Verdict : std::uint8_t { fits, tight, over, unknown };
[[nodiscard]] const char* to_string(Verdict verdict);

/// How much of a card a run may use.
struct HeadroomPolicy {
  Ratio required{10, 100};     ///< less free than this is tight
  Ratio recommended{20, 100};  ///< shown in the table
  Bytes other_processes;       ///< held by others, subtracted from the capacity
  Bytes largest_accelerator;   ///< without a card, more than this is over all the same; 0: do not judge
};

/// A plan judged: the estimate of the likely scenario, the intervals over all scenarios and the verdict of
/// the headroom policy on what must fit: need.low = allocated.low + context; need.likely and need.high =
/// required + context, which leaves out cached blocks that the allocator frees before it fails.
struct Evaluation {
  bool estimated = false;  ///< there are terms; with `missing` they are the part that is known, a lower bound
  std::vector<Field> missing;  ///< the fields that decide and are unknown
  Estimate likely;
  Interval allocated, reserved, device;
  std::vector<Interval> phases;  ///< allocated in each phase of `likely`
  Interval need;
  Verdict verdict = Verdict::unknown;
  std::optional<double> free_fraction;  ///< 1 − device.likely/usable; nothing without a card
  Bytes usable;                         ///< 0 without a card
  Certainty certainty = Certainty::low;
  std::vector<Unknown> unknowns;  ///< largest share first
  ComputeEstimate compute;
  Bytes disk;            ///< of all kept checkpoints; 0 unknown
  std::string evidence;  ///< "34 published runs of this stack, median error 5 %" or "no published run"
};

/// Evaluates a plan: builds the concrete scenarios (every unknown at low, likely and high; each admissible
/// version), estimates each, and judges. Pure. `card` may be null.
[[nodiscard]] Evaluation evaluate(const TrainingPlan& plan, const ResolvedModel& model, const Card* card,
                                  const HeadroomPolicy& policy, Explain explain = Explain::no);

}  // namespace oomlint
