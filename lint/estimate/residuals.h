#pragma once

#include "lint/plan/bytes.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace oomlint {

enum class Metric : std::uint8_t { allocated, reserved, device };

/// How far published readings of a stack lay outside the interval of the scenarios: the percentile 2.5 of
/// reading ÷ low and 97.5 of reading ÷ high, the number of configs behind them and the median absolute
/// error of the likely estimate in percent. `runs == 0`: generic figures.
struct ResidualBand {
  std::string_view stack;
  Metric metric;
  Ratio low, high;
  std::uint32_t runs = 0;
  std::uint32_t median_error_percent = 0;
};

/// The band of a stack: measured, or that of the Hugging Face Trainer for the stacks on it, or a wide one
/// where no run was published.
[[nodiscard]] const ResidualBand& residual_band(std::string_view stack, Metric metric);

/// "34 published runs of this stack, median error 5 %" or "no published run of this stack".
[[nodiscard]] std::string evidence(std::string_view stack);

}  // namespace oomlint
