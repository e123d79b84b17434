#pragma once

#include "lint/plan/bytes.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace oomlint {

enum class Metric : std::uint8_t { allocated, reserved, device };

/// How far published readings of a stack lay from the likely estimate: the 5th and 95th percentile of
/// reading/estimate, the number of independent runs and their median absolute error in percent. `runs == 0`:
/// generic figures.
struct ResidualBand {
  std::string_view stack;
  Metric metric;
  Ratio low, high;
  std::uint32_t runs = 0;
  std::uint32_t median_error_percent = 0;
};

/// The band of a stack, or the generic one where no run of it was published.
[[nodiscard]] const ResidualBand& residual_band(std::string_view stack, Metric metric);

/// "34 published runs of this stack, median error 5 %" or "no published run of this stack".
[[nodiscard]] std::string evidence(std::string_view stack, Metric metric);

}  // namespace oomlint
