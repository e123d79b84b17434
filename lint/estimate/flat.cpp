#include "lint/estimate/flat.h"

#include "lint/estimate/formulas.h"
#include "lint/estimate/terms.h"

namespace oomlint {

namespace {

/// What is summed: totals given flatly, or counted from an inline shape.
struct Sums {
  std::uint64_t base = 0;
  std::uint64_t adapters = 0;
  std::uint64_t trained = 0;
};

Sums sums_of(const ConcretePlan& plan, const FlatSums& flat) {
  Sums sums;
  sums.base = flat.parameters > 0 ? flat.parameters : count_parameters(plan.model).total;
  const bool adapts = plan.method == Method::lora || plan.method == Method::qlora ||
                      plan.method == Method::dora || plan.method == Method::adapter;
  if (adapts) {
    sums.adapters = flat.adapter_parameters > 0 || !plan.model.complete
                        ? flat.adapter_parameters
                        : count_adapter(plan.model, plan.adapter).total();
  }
  sums.trained = adapts ? sums.adapters : sums.base;
  return sums;
}

constexpr std::uint64_t adapter_bytes = 4;

}  // namespace

std::vector<PhaseEstimate> flat_phases(const ConcretePlan& plan, Explain explain) {
  std::vector<PhaseEstimate> phases;
  const FlatSums flat = plan.flat.value_or(FlatSums{});
  const Sums sums = sums_of(plan, flat);
  PhaseBuilder step(Phase::optimizer_step, explain);
  step.add(TermKind::weights, Bytes(sums.base) * flat.weight_bytes, plan.weight_dtype, [&] {
    return grouped(sums.base) + " × " + std::to_string(flat.weight_bytes.numerator) +
           (flat.weight_bytes.denominator > 1 ? "/" + std::to_string(flat.weight_bytes.denominator) : "") +
           " B";
  });
  step.add(TermKind::adapter_weights, Bytes(sums.adapters) * adapter_bytes, Dtype::fp32,
           [&] { return times({sums.adapters}, adapter_bytes); });
  step.add(TermKind::master_weights, Bytes(sums.trained) * flat.master_bytes, Dtype::fp32,
           [&] { return times({sums.trained}, flat.master_bytes); });
  step.add(TermKind::gradients, Bytes(sums.trained) * flat.gradient_bytes, plan.gradient_dtype,
           [&] { return times({sums.trained}, flat.gradient_bytes); });
  step.add(TermKind::optimizer_state, Bytes(sums.trained) * flat.moment_bytes, Dtype::fp32,
           [&] { return times({sums.trained}, flat.moment_bytes); });
  step.add(TermKind::given_activations, flat.activation_bytes, plan.compute_dtype,
           [&] { return std::string("as given"); });
  phases.push_back(std::move(step).take());
  if (plan.generation) {
    const Generation& cache = *plan.generation;
    PhaseBuilder generation(Phase::generation, explain);
    generation.add(TermKind::weights, Bytes(sums.base) * flat.weight_bytes, plan.weight_dtype,
                   [&] { return grouped(sums.base) + " parameters"; });
    generation.add(
        TermKind::kv_cache,
        product({2, cache.layers, cache.kv_width, cache.tokens, cache.requests, cache.bytes_per_element}),
        Dtype::bf16, [&] {
          return times({2, cache.layers, cache.kv_width, cache.tokens, cache.requests},
                       cache.bytes_per_element);
        });
    phases.push_back(std::move(generation).take());
  }
  return phases;
}

}  // namespace oomlint
