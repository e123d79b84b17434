#pragma once

#include "lint/plan/fields.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace oomlint {

/// Which end of an unknown a scenario takes: the one with the smallest peak, the likely one, the one with the
/// largest.
enum class End : std::uint8_t { low, likely, high };

/// One way the open questions of a plan may be answered.
struct Scenario {
  std::vector<std::pair<Field, Scalar>> assumed;  ///< values of fields the plan leaves open
  End runtime = End::likely;   ///< of what no field holds: CUDA context, growth of reserved memory,
                               ///< communication buffers
  End versions = End::likely;  ///< of packages with several admissible versions
};

}  // namespace oomlint
