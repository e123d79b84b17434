#include "lint/estimate/formulas.h"
#include "lint/estimate/stacks/profiles.h"

#include <cmath>

namespace oomlint {

namespace {

constexpr std::uint64_t parts = 1'000'000;  // a fraction of a byte is exact to this

Ratio as_ratio(double bytes) {
  if (bytes == std::floor(bytes)) return {static_cast<std::uint64_t>(bytes), 1};
  if (bytes == 0.5) return {1, 2};
  return {static_cast<std::uint64_t>(std::llround(bytes * static_cast<double>(parts))), parts};
}

bool four_bits(Quantisation format) {
  return format != Quantisation::none && format != Quantisation::int8 && format != Quantisation::fp8;
}

Ratio idealised(const ConcretePlan& plan) {
  if (four_bits(plan.quantisation) || plan.weight_dtype == Dtype::four_bit) return {1, 2};
  if (plan.quantisation != Quantisation::none) return {1, 1};
  return {bytes_of(plan.weight_dtype), 1};
}

std::uint32_t whole(std::optional<double> given, std::uint32_t otherwise) {
  return given ? static_cast<std::uint32_t>(std::llround(*given)) : otherwise;
}

/// Two fp32 moments where no optimizer is named; a named one keeps what its implementation keeps.
std::uint32_t moments(const Answers& answers, const ConcretePlan& plan) {
  if (!answers.known(Field::optimizer)) return 8;
  const OptimizerInfo& info = optimizer_info(plan.optimizer);
  const std::uint32_t element = info.state_bytes > 0 ? info.state_bytes : bytes_of(plan.weight_dtype);
  return info.states * (info.blockwise ? 1 : element);
}

}  // namespace

void apply_textbook(const Answers& answers, Concrete& concrete) {
  ConcretePlan& plan = concrete.plan;
  concrete.stack = Stack{};
  concrete.stack.name = "textbook";
  concrete.stack.flat_sums = true;
  plan.weight_dtype = answers.word<Dtype>(Field::weight_dtype).value_or(Dtype::bf16);
  plan.gradient_dtype = answers.word<Dtype>(Field::gradient_dtype).value_or(plan.weight_dtype);
  const bool adapters = trains_adapters(plan.method);
  FlatSums flat;
  flat.parameters =
      answers.count(Field::parameters).value_or(plan.model.complete ? 0 : plan.model.total_parameters);
  flat.adapter_parameters = answers.count(Field::adapter_parameters).value_or(0);
  flat.weight_bytes = idealised(plan);
  if (const auto given = answers.number(Field::weight_bytes)) flat.weight_bytes = as_ratio(*given);
  flat.gradient_bytes =
      whole(answers.number(Field::gradient_bytes), adapters ? 4 : bytes_of(plan.gradient_dtype));
  flat.moment_bytes = whole(answers.number(Field::moment_bytes), adapters ? 8 : moments(answers, plan));
  flat.master_bytes =
      whole(answers.number(Field::master_bytes), answers.flag(Field::master_weights).value_or(false) ? 4 : 0);
  flat.activation_bytes = Bytes(answers.count(Field::activation_bytes).value_or(0));
  plan.flat = flat;
}

}  // namespace oomlint
