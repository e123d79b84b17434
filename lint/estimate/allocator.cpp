#include "lint/estimate/formulas.h"

namespace oomlint {

namespace {
/// Segments that grow leave little behind: replays of the allocator give 3 to 6 %.
constexpr Ratio expandable_growth{106, 100};
}  // namespace

// torch's caching allocator keeps what it once had. With constant shapes its blocks are reused and reserved
// memory exceeds the live peak by rounding and holes; with varying lengths every micro batch longer than all
// before allocates its large blocks afresh, so reserved memory grows by records.
Bytes reserved_bytes(const ConcretePlan& plan, const Stack& stack, Bytes constant, Bytes varying) {
  if (stack.flat_sums) return constant + varying;
  const Ratio growth = plan.expandable_segments ? expandable_growth
                       : plan.varying_lengths   ? stack.varying_growth
                                                : stack.constant_growth;
  return constant * stack.static_growth + varying * growth;
}

// A request that fails frees the cached blocks first, so what grew by records is not needed: one micro batch
// of the longest shape is.
Bytes required_bytes(const ConcretePlan& plan, const Stack& stack, Bytes constant, Bytes varying) {
  if (stack.flat_sums) return constant + varying;
  const Ratio growth = plan.expandable_segments ? expandable_growth : stack.constant_growth;
  return constant * stack.static_growth + varying * growth;
}

}  // namespace oomlint
