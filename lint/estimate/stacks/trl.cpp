#include "lint/estimate/sizes.h"
#include "lint/estimate/stacks/profiles.h"

namespace oomlint {

namespace {

/// bitsandbytes formats; peft leaves GPTQ, AWQ, HQQ and torchao bases as they are.
bool bitsandbytes(Quantisation format) {
  switch (format) {
    case Quantisation::nf4:
    case Quantisation::nf4_double:
    case Quantisation::fp4:
    case Quantisation::fp4_double:
    case Quantisation::int8:
      return true;
    default:
      return false;
  }
}

}  // namespace

// TRL on top of the Trainer: k-bit bases are prepared by peft (embedding, head and norms in fp32); from 0.26
// the adapters of a quantised base are cast to bf16; from 0.29 a model given by name is loaded in fp32
// (sources of TRL 0.7.4 to 1.16).
void apply_trl(const Answers& answers, Concrete& concrete) {
  apply_hf_trainer(answers, concrete);
  ConcretePlan& plan = concrete.plan;
  concrete.stack.name = "trl";
  const bool quantised = plan.quantisation != Quantisation::none;
  if (quantised) {
    if (bitsandbytes(plan.quantisation) && answers.flag(Field::kbit_prepared).value_or(true)) {
      plan.weight_dtype = Dtype::fp32;
      plan.autocast = bytes_of(plan.compute_dtype) <= 2;
    }
    if (!answers.known(Field::adapter_dtype)) {
      const auto bytes = answers.by_version<std::uint32_t>(
          "trl", [](Version v) { return v >= Version{0, 26, 0} ? 2U : 4U; });
      plan.adapter.dtype = bytes == 2 ? Dtype::bf16 : Dtype::fp32;
    }
  } else if (!answers.known(Field::weight_dtype) && plan.sharding == Sharding::none) {
    const auto bytes = answers.by_version<std::uint32_t>(
        "trl", [&](Version v) { return v >= Version{0, 29, 0} ? 4U : bytes_of(plan.weight_dtype); });
    if (bytes == 4) plan.weight_dtype = Dtype::fp32;
    if (!answers.known(Field::gradient_dtype)) plan.gradient_dtype = plan.weight_dtype;
  }
}

}  // namespace oomlint
