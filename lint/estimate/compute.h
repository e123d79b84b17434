#pragma once

#include <cstdint>
#include <optional>

namespace oomlint {

/// Work and time of a run. FLOPs are doubles: they pass 2^64.
struct ComputeEstimate {
  std::optional<double> tokens_presented;  ///< over the whole run
  std::optional<double> tokens_supervised;
  std::optional<double> tokens_padded;
  std::optional<double> flops;           ///< of the whole run, the recomputation of checkpointing included
  double flops_per_parameter_token = 0;  ///< 6, 8, 4 or 6: the convention applied
  std::optional<double> seconds_low, seconds_likely, seconds_high;
  std::optional<double> energy_kwh;
  std::optional<double> cost;
};

}  // namespace oomlint
