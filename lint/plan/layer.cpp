#include "lint/plan/layer.h"

#include <utility>

namespace oomlint {

namespace {

/// What may replace what: a default never displaces a given value, nothing displaces an assumption but
/// another one.
int strength(OriginKind kind) {
  switch (kind) {
    case OriginKind::unknown:
      return 0;
    case OriginKind::inferred:
      return 1;
    case OriginKind::framework_default:
      return 2;
    case OriginKind::policy:
      return 3;
    case OriginKind::derived:
    case OriginKind::given:
      return 4;
    case OriginKind::assumed:
      return 5;
  }
  return 0;
}

void assign(TrainingPlan& plan, const Layer& layer, const Assignment& incoming) {
  Value& slot = plan[incoming.field];
  if (strength(incoming.origin.kind) < strength(slot.effective_origin.kind)) return;
  // What a file's own keys add up to refines its request; it does not contradict it.
  if (incoming.origin.kind == OriginKind::derived && incoming.origin.file == slot.effective_origin.file) {
    slot.effective = incoming.value;
    slot.effective_origin = incoming.origin;
    return;
  }
  // A place that leaves the value open ("auto") asked for nothing.
  if (!slot.given() || !slot.known() || slot.effective == incoming.value) {
    const bool keep_request = incoming.origin.kind == OriginKind::assumed;
    if (keep_request) {
      plan.settle(incoming.field, incoming.value, incoming.origin, slot.difference, slot.because);
    } else {
      plan.set(incoming.field, incoming.value, incoming.origin);
    }
    return;
  }
  plan.settle(incoming.field, incoming.value, incoming.origin, Difference::overridden,
              layer.source + " decides");
}

}  // namespace

void stack(TrainingPlan& plan, const Layer& layer) {
  for (const Assignment& assignment : layer.assignments) assign(plan, layer, assignment);
  for (const Settlement& settlement : layer.settlements) {
    const Value& slot = plan[settlement.field];
    if (slot.effective_origin.kind == OriginKind::assumed) continue;
    Scalar effective = is_known(settlement.effective) ? settlement.effective : slot.effective;
    plan.settle(settlement.field, std::move(effective), settlement.origin, settlement.difference,
                settlement.because);
  }
}

}  // namespace oomlint
