#include "lint/estimate/evaluate.h"

#include "lint/estimate/concretise.h"
#include "lint/estimate/disk.h"
#include "lint/estimate/residuals.h"
#include "lint/estimate/scenarios.h"

#include <algorithm>
#include <array>
#include <utility>

namespace oomlint {

namespace {

/// The smallest values the deciding fields can have: what does not fit with these never fits.
constexpr std::int64_t most_devices = 1024;
constexpr std::array<std::pair<Field, std::int64_t>, 3> floors{
    {{Field::micro_batch, 1}, {Field::sequence_length, 1}, {Field::world, most_devices}}};

Estimate estimate_in(const TrainingPlan& plan, const ResolvedModel& model, const Scenario& scenario,
                     Explain explain) {
  const Concrete concrete = concretise(plan, model, scenario);
  return estimate(concrete.plan, concrete.stack, explain);
}

Scenario at_end(const std::vector<OpenQuestion>& open, End end) {
  Scenario scenario;
  scenario.runtime = end;
  for (const OpenQuestion& question : open) answer(scenario, question, end);
  return scenario;
}

/// Orders three readings of one quantity: an unknown may move the peak against its usual direction.
Interval ordered(Bytes low, Bytes likely, Bytes high) {
  return {std::min(low, likely), likely, std::max(high, likely)};
}

void widen(Interval& interval, const ResidualBand& band) {
  interval.low = std::min(interval.low * band.low, interval.likely);
  interval.high = std::max(interval.high * band.high, interval.likely);
}

/// What the allocator reserves is never less than what is allocated, nor what the device holds less than what
/// is reserved: the bands are of different width, the order of the quantities stands.
void keep_above(Interval& outer, const Interval& inner) {
  outer.low = std::max(outer.low, inner.low);
  outer.likely = std::max(outer.likely, inner.likely);
  outer.high = std::max(outer.high, inner.high);
}

/// A phase that only the likely scenario has is empty in the others.
std::vector<Interval> phase_intervals(const Estimate& least, const Estimate& likely, const Estimate& most,
                                      const ResidualBand& band) {
  const auto total_in = [](const Estimate& estimate, Phase wanted) {
    const auto found = std::find_if(estimate.phases.begin(), estimate.phases.end(),
                                    [&](const PhaseEstimate& phase) { return phase.phase == wanted; });
    return found == estimate.phases.end() ? Bytes() : found->total();
  };
  std::vector<Interval> intervals;
  for (const PhaseEstimate& phase : likely.phases) {
    intervals.push_back(ordered(total_in(least, phase.phase), phase.total(), total_in(most, phase.phase)));
    widen(intervals.back(), band);
  }
  return intervals;
}

/// One at a time: how far each unknown alone moves the device peak, as a share of all their movements.
void attribute(const TrainingPlan& plan, const ResolvedModel& model, const std::vector<OpenQuestion>& open,
               std::vector<Unknown>& unknowns) {
  std::vector<double> widths;
  double total = 0;
  for (const OpenQuestion& swung : open) {
    std::array<Bytes, 2> ends;
    for (const End end : {End::low, End::high}) {
      Scenario scenario;
      for (const OpenQuestion& question : open)
        answer(scenario, question, &question == &swung ? end : End::likely);
      ends[end == End::high ? 1 : 0] = estimate_in(plan, model, scenario, Explain::no).device;
    }
    const double width =
        static_cast<double>((std::max(ends[0], ends[1]) - std::min(ends[0], ends[1])).count());
    widths.push_back(width);
    total += width;
  }
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (widths[i] <= 0) continue;
    unknowns.push_back({open[i].name, open[i].field, to_string(open[i].low), to_string(open[i].likely),
                        to_string(open[i].high), widths[i] / total});
  }
  std::stable_sort(unknowns.begin(), unknowns.end(),
                   [](const Unknown& a, const Unknown& b) { return a.share > b.share; });
}

Verdict judge(const Interval& need, Bytes usable, const HeadroomPolicy& policy) {
  if (need.low > usable) return Verdict::over;
  const Ratio keep{policy.required.denominator - policy.required.numerator, policy.required.denominator};
  if (need.likely > usable * keep || need.high > usable) return Verdict::tight;
  return Verdict::fits;
}

/// What no division over devices brings down. A launcher may divide a run whose own files say nothing of it.
Bytes least_when_divided(const TrainingPlan& plan, const ResolvedModel& model, Scenario low,
                         const ResidualBand& band) {
  low.assumed.emplace_back(Field::sharding, std::string("fsdp"));
  low.assumed.emplace_back(Field::world, most_devices);
  const Estimate least = estimate_in(plan, model, low, Explain::no);
  return least.allocated * band.low + least.context;
}

Certainty certainty_of(const TrainingPlan& plan, const ResolvedModel& model, const Estimate& likely) {
  Certainty certainty = likely.rough ? std::min(model.certainty, Certainty::low) : model.certainty;
  for (const Term& term : likely.peak().terms) {
    for (const Field field : term.inputs) {
      if (plan[field].effective_origin.kind == OriginKind::inferred)
        certainty = std::min(certainty, Certainty::medium);
    }
  }
  return certainty;
}

}  // namespace

Evaluation evaluate(const TrainingPlan& plan, const ResolvedModel& model, const Card* card,
                    const HeadroomPolicy& policy, Explain explain) {
  Evaluation result;
  result.missing = deciding_unknowns(plan, model);
  result.usable = card != nullptr ? card->capacity - policy.other_processes : Bytes();
  if (std::find(result.missing.begin(), result.missing.end(), Field::model) != result.missing.end())
    return result;

  const std::string_view stack = plan.text(Field::stack).value_or("");
  const Bytes limit = card != nullptr ? result.usable : policy.largest_accelerator;
  const std::vector<OpenQuestion> open = open_questions(plan, model);
  Scenario low = at_end(open, End::low);
  result.estimated = true;
  if (!result.missing.empty()) {
    // The rest of the run is unknown; whether its state alone is too large is not.
    for (const auto& [field, floor] : floors) {
      const bool decides =
          std::find(result.missing.begin(), result.missing.end(), field) != result.missing.end();
      if (decides && !plan[field].known()) low.assumed.emplace_back(field, floor);
    }
    result.likely = estimate_in(plan, model, low, explain);
    result.allocated = {result.likely.allocated, result.likely.allocated, result.likely.allocated};
    result.reserved = {result.likely.reserved, result.likely.reserved, result.likely.reserved};
    result.device = {result.likely.device, result.likely.device, result.likely.device};
    for (const PhaseEstimate& phase : result.likely.phases)
      result.phases.push_back({phase.total(), phase.total(), phase.total()});
    const Bytes at_least =
        result.likely.allocated * residual_band(stack, Metric::allocated).low + result.likely.context;
    result.need = {at_least, result.likely.required + result.likely.context,
                   result.likely.required + result.likely.context};
    result.certainty = certainty_of(plan, model, result.likely);
    if (limit.count() > 0 && result.need.low > limit) result.verdict = Verdict::over;
    if (explain == Explain::yes) {
      result.compute = compute(concretise(plan, model, low), plan, card);
      result.disk = kept_checkpoints(plan, model, low);
    }
    return result;
  }

  const Scenario likely = at_end(open, End::likely);
  const Estimate least = estimate_in(plan, model, low, Explain::no);
  const Estimate most = estimate_in(plan, model, at_end(open, End::high), Explain::no);
  result.likely = estimate_in(plan, model, likely, explain);
  result.allocated = ordered(least.allocated, result.likely.allocated, most.allocated);
  result.reserved = ordered(least.reserved, result.likely.reserved, most.reserved);
  result.device = ordered(least.device, result.likely.device, most.device);
  widen(result.allocated, residual_band(stack, Metric::allocated));
  result.phases = phase_intervals(least, result.likely, most, residual_band(stack, Metric::allocated));
  widen(result.reserved, residual_band(stack, Metric::reserved));
  widen(result.device, residual_band(stack, Metric::device));
  keep_above(result.reserved, result.allocated);
  keep_above(result.device, result.reserved);
  const Bytes required_high =
      std::max(most.required, result.likely.required) * residual_band(stack, Metric::allocated).high;
  result.need = {result.allocated.low + least.context, result.likely.required + result.likely.context,
                 required_high + most.context};
  result.certainty = certainty_of(plan, model, result.likely);
  result.evidence = evidence(stack);

  if (card == nullptr) {
    const bool settled = plan[Field::sharding].known() || plan[Field::world].known();
    const bool over =
        limit.count() > 0 && result.need.low > limit &&
        (settled || least_when_divided(plan, model, low, residual_band(stack, Metric::allocated)) > limit);
    if (over) result.verdict = Verdict::over;
  } else {
    result.verdict = judge(result.need, result.usable, policy);
    if (result.usable.count() > 0) {
      result.free_fraction = 1.0 - static_cast<double>(result.device.likely.count()) /
                                       static_cast<double>(result.usable.count());
    }
  }
  if (explain == Explain::yes || result.verdict == Verdict::tight)
    attribute(plan, model, open, result.unknowns);
  if (explain == Explain::yes) {
    result.compute = compute(concretise(plan, model, likely), plan, card);
    result.disk = kept_checkpoints(plan, model, likely);
  }
  return result;
}

}  // namespace oomlint
