#pragma once

#include "lint/estimate/estimate.h"

namespace oomlint {

/// Pools of the allocator that the rules of a single stream do not describe.
struct Pools {
  Bytes apart;                   ///< of the streams that gather weights and reduce gradients
  Bytes hole;                    ///< of the main stream, left behind by the logits
  bool gradients_apart = false;  ///< gradient shards are in `apart`
};

/// The phase that needs most, and what the allocator makes of all of them: fills the sums of `result` from
/// its phases.
void total_up(Estimate& result, const ConcretePlan& plan, const Stack& stack, const Pools& pools);

}  // namespace oomlint
