#pragma once

#include "lint/estimate/residuals.h"

namespace oomlint {

// Written by scripts/residuals.py from published runs with a config; see there for what the columns are.
// clang-format off
inline constexpr ResidualBand measured_bands[] = {
    {"axolotl", Metric::reserved, {916, 1000}, {2209, 1000}, 9, 10},
    {"cogvideox_factory", Metric::reserved, {873, 1000}, {1132, 1000}, 25, 2},
    {"litgpt", Metric::allocated, {961, 1000}, {1034, 1000}, 40, 0},
    {"megatron", Metric::allocated, {815, 1000}, {2267, 1000}, 13, 0},
    {"ms_swift", Metric::reserved, {820, 1000}, {1659, 1000}, 60, 10},
    {"peft_benchmark", Metric::reserved, {1000, 1000}, {1149, 1000}, 42, 4},
    {"torchtitan", Metric::reserved, {685, 1000}, {1901, 1000}, 31, 3},
    {"torchtune", Metric::allocated, {682, 1000}, {1040, 1000}, 15, 1},
};
// clang-format on

}  // namespace oomlint
