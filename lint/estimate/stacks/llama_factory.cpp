#include "lint/estimate/sizes.h"
#include "lint/estimate/stacks/profiles.h"

namespace oomlint {

// LLaMA-Factory loads the compute dtype and casts every trainable parameter to fp32 unless training is pure
// 16-bit or ZeRO-3 runs on an unquantised model (model/adapter.py, commit ff6d4d1).
void apply_llama_factory(const Answers& answers, Concrete& concrete) {
  apply_hf_trainer(answers, concrete);
  ConcretePlan& plan = concrete.plan;
  concrete.stack.name = "llama_factory";
  if (plan.sharding != Sharding::none && plan.sharding != Sharding::ddp) return;
  const bool full = !trains_adapters(plan.method);
  if (!answers.known(Field::weight_dtype) && plan.quantisation == Quantisation::none)
    plan.weight_dtype = full && plan.autocast ? Dtype::fp32 : plan.compute_dtype;
  if (!answers.known(Field::gradient_dtype)) plan.gradient_dtype = plan.weight_dtype;
  if (!full && !answers.known(Field::adapter_dtype))
    plan.adapter.dtype = plan.autocast ? Dtype::fp32 : plan.weight_dtype;
}

}  // namespace oomlint
