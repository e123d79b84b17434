#include "lint/estimate/compute.h"

#include "lint/estimate/concretise.h"
#include "lint/estimate/stacks/profiles.h"

#include <algorithm>

namespace oomlint {

namespace {

/// Share of a card's dense 16-bit peak that training runs reach.
constexpr double utilisation_low = 0.30, utilisation_likely = 0.40, utilisation_high = 0.50;
constexpr double seconds_per_hour = 3600;

/// 2 for the forward, 4 for the backward (2 where the base is frozen), 2 more where the forward runs twice.
double flops_per_parameter_token(const ConcretePlan& plan) {
  const double base = trains_adapters(plan.method) || plan.method == Method::head ? 4 : 6;
  return base + (plan.checkpointing == Checkpointing::none ? 0 : 2);
}

std::optional<double> presented_tokens(const Concrete& concrete, const TrainingPlan& plan) {
  const ConcretePlan& run = concrete.plan;
  const double length = static_cast<double>(
      plan.count(Field::sequence_length).value_or(static_cast<std::int64_t>(run.sequence_length)));
  if (const auto steps = plan.count(Field::max_steps); steps && *steps > 0 && length > 0) {
    const double replicas = static_cast<double>(std::max<std::uint64_t>(
        1, run.world / std::max<std::uint64_t>(
                           1, run.tensor_parallel * run.pipeline_parallel * run.context_parallel)));
    return static_cast<double>(*steps) * static_cast<double>(run.micro_batch) *
           static_cast<double>(run.accumulation) * replicas * length;
  }
  const double epochs = plan.number(Field::epochs).value_or(1);
  if (const auto tokens = plan.number(Field::tokens)) return *tokens * epochs;
  if (const auto examples = plan.number(Field::examples); examples && length > 0)
    return *examples * length * epochs;
  return std::nullopt;
}

double parameters_used(const ConcretePlan& plan) {
  if (plan.flat && plan.flat->parameters > 0) return static_cast<double>(plan.flat->parameters);
  const ParameterCounts counts = count_parameters(plan.model);
  return static_cast<double>(counts.active > 0 ? counts.active : counts.total);
}

}  // namespace

ComputeEstimate compute(const Concrete& concrete, const TrainingPlan& plan, const Card* card) {
  const ConcretePlan& run = concrete.plan;
  ComputeEstimate result;
  result.flops_per_parameter_token = flops_per_parameter_token(run);
  result.tokens_presented = presented_tokens(concrete, plan);
  if (!result.tokens_presented) return result;
  const double tokens = *result.tokens_presented;
  const double parameters = parameters_used(run);
  if (parameters > 0) result.flops = result.flops_per_parameter_token * parameters * tokens;
  if (const auto rate = plan.number(Field::tokens_per_second); rate && *rate > 0) {
    result.seconds_low = result.seconds_likely = result.seconds_high = tokens / *rate;
  } else if (card != nullptr && card->peak_flops_16bit > 0 && result.flops) {
    const double peak = card->peak_flops_16bit * static_cast<double>(run.world);
    result.seconds_low = *result.flops / (peak * utilisation_high);
    result.seconds_likely = *result.flops / (peak * utilisation_likely);
    result.seconds_high = *result.flops / (peak * utilisation_low);
  }
  if (card != nullptr && card->power_watts > 0 && result.seconds_likely) {
    result.energy_kwh =
        card->power_watts / 1000 * static_cast<double>(run.world) * *result.seconds_likely / seconds_per_hour;
  }
  return result;
}

}  // namespace oomlint
