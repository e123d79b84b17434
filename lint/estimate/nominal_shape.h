#pragma once

#include "lint/plan/model_shape.h"

#include <cstdint>

namespace oomlint {

/// Dimensions that a model of so many parameters usually has, for models known by their size alone; what
/// `hint` knows (vocabulary, layers, hidden size) is kept. The total is exact, the activations are those of
/// the nearest size.
[[nodiscard]] ModelShape nominal_shape(std::uint64_t parameters, const ModelShape& hint);

}  // namespace oomlint
