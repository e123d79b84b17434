#pragma once

#include "lint/estimate/estimate.h"

#include <vector>

namespace oomlint {

/// The four buckets as a flat sum (textbook profile): idealised storage, adapters of 4 + 4 + 8 bytes a
/// parameter, given activations; no logits, transients, allocator or context.
[[nodiscard]] std::vector<PhaseEstimate> flat_phases(const ConcretePlan& plan, Explain explain);

}  // namespace oomlint
