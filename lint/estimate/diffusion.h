#pragma once

#include "lint/estimate/estimate.h"

#include <vector>

namespace oomlint {

/// The phases of a diffusion transformer's training: loading the pipeline, the blocks' backward, the step. No
/// vocabulary, and one shape for every micro batch. The plan names a known model and the size of its images.
[[nodiscard]] std::vector<PhaseEstimate> diffusion_phases(const ConcretePlan& plan, const Stack& stack,
                                                          Explain explain);

/// Tokens of one image or video in the blocks.
[[nodiscard]] std::uint64_t diffusion_tokens(const DiffusionPlan& plan);

}  // namespace oomlint
