#include "lint/estimate/totals.h"

#include "lint/estimate/formulas.h"
#include "lint/estimate/terms.h"

#include <algorithm>

namespace oomlint {

namespace {

/// Reserved memory where every stream has a pool: the main stream's phase with what the logits leave behind,
/// or with 5 % of holes elsewhere (mean of the replays), and the pools of the other streams.
Bytes pooled(const PhaseEstimate& phase, Bytes total, const Pools& pools) {
  constexpr Ratio holes{105, 100};
  const Bytes pages(205ULL << 20U);  // rounding of blocks to pages in three pools: 0.1 to 0.4 GiB
  if (pools.gradients_apart) {
    for (const Term& term : phase.terms) {
      if (term.kind == TermKind::gradients) total = total - term.bytes;
    }
  }
  const bool of_loss = phase.phase == Phase::loss || phase.phase == Phase::forward;
  return (of_loss ? total + pools.hole : total * holes) + pools.apart + pages;
}

}  // namespace

void total_up(Estimate& result, const ConcretePlan& plan, const Stack& stack, const Pools& pools) {
  for (std::size_t i = 0; i < result.phases.size(); ++i) {
    const PhaseEstimate& phase = result.phases[i];
    Bytes constant;
    Bytes varying;
    for (const Term& term : phase.terms) (grows_with_tokens(term.kind) ? varying : constant) += term.bytes;
    const Bytes total = constant + varying;
    if (total > result.allocated) {
      result.allocated = total;
      result.peak_index = i;
    }
    if (pools.apart.count() > 0) {
      result.reserved = std::max(result.reserved, pooled(phase, total, pools));
      result.required = std::max(result.required, total * stack.static_growth);
      continue;
    }
    result.reserved = std::max(result.reserved, reserved_bytes(plan, stack, constant, varying));
    result.required = std::max(result.required, required_bytes(plan, stack, constant, varying));
  }
  result.context = stack.context;
  result.device = result.reserved + result.context;
}

}  // namespace oomlint
