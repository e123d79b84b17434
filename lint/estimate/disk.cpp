#include "lint/estimate/disk.h"

#include "lint/estimate/concretise.h"
#include "lint/estimate/estimate.h"
#include "lint/estimate/stacks/profiles.h"

#include <algorithm>
#include <optional>
#include <string>

namespace oomlint {

namespace {

/// How many checkpoints lie on the disk at the end; nothing when the config does not say.
std::optional<std::uint64_t> kept(const TrainingPlan& plan) {
  const auto limit = plan.count(Field::save_limit);
  const auto steps = plan.count(Field::max_steps);
  const auto every = plan.count(Field::save_steps);
  const bool counted = steps && every && *steps > 0 && *every > 0;
  const bool limited = limit && *limit > 0;
  if (!counted && !limited) return std::nullopt;
  const std::int64_t saves = counted ? (*steps + *every - 1) / *every : *limit;
  return static_cast<std::uint64_t>(limited ? std::min(saves, *limit) : saves);
}

/// The same run on one device that holds everything: what is divided in memory is whole on the disk.
TrainingPlan undivided(TrainingPlan plan) {
  const Origin origin{OriginKind::derived, no_file, {}, {}, "checkpoint"};
  for (const Field field : {Field::world, Field::nodes, Field::tensor_parallel, Field::pipeline_parallel,
                            Field::context_parallel, Field::expert_parallel}) {
    plan.set(field, std::int64_t{1}, origin);
  }
  plan.set(Field::sharding, std::string("none"), origin);
  for (const Field field : {Field::offload_optimizer, Field::offload_parameters})
    plan.set(field, false, origin);
  return plan;
}

}  // namespace

Bytes kept_checkpoints(const TrainingPlan& plan, const ResolvedModel& model, const Scenario& scenario) {
  const auto count = kept(plan);
  if (!count) return {};
  const Concrete whole = concretise(undivided(plan), model, scenario);
  const bool adapter = trains_adapters(whole.plan.method);
  const Estimate estimated = estimate(whole.plan, whole.stack, Explain::no);
  const auto step =
      std::find_if(estimated.phases.begin(), estimated.phases.end(),
                   [](const PhaseEstimate& phase) { return phase.phase == Phase::optimizer_step; });
  if (step == estimated.phases.end()) return {};
  Bytes one;
  for (const Term& term : step->terms) {
    const bool saved = term.kind == (adapter ? TermKind::adapter_weights : TermKind::weights) ||
                       term.kind == TermKind::master_weights || term.kind == TermKind::optimizer_state;
    if (saved) one += term.bytes;
  }
  return one * *count;
}

}  // namespace oomlint
