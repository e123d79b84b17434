#pragma once

#include "lint/estimate/residuals.h"

namespace oomlint {

// Written by scripts/residuals.py from published runs with a config; see there for what the columns are.
// clang-format off
inline constexpr ResidualBand measured_bands[] = {
    {"axolotl", Metric::reserved, {919, 1000}, {2209, 1000}, 9, 10},
    {"litgpt", Metric::allocated, {961, 1000}, {1024, 1000}, 40, 0},
    {"torchtitan", Metric::reserved, {732, 1000}, {1901, 1000}, 31, 3},
    {"torchtune", Metric::allocated, {682, 1000}, {1040, 1000}, 15, 1},
};
// clang-format on

}  // namespace oomlint
