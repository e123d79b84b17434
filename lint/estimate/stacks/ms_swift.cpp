#include "lint/estimate/stacks/profiles.h"

namespace oomlint {

// ms-swift loads 16 bits and trains under the Trainer's autocast; k-bit bases are not prepared, so that norms
// and embeddings keep the compute dtype (swift/llm/tuner.py 2.0, swift/arguments 4.5).
void apply_ms_swift(const Answers& answers, Concrete& concrete) {
  apply_hf_trainer(answers, concrete);
  ConcretePlan& plan = concrete.plan;
  concrete.stack.name = "ms_swift";
  if (plan.sharding != Sharding::none && plan.sharding != Sharding::ddp) return;
  if (!answers.known(Field::weight_dtype))
    plan.weight_dtype = answers.checkpoint_dtype().value_or(Dtype::bf16);
  if (plan.weight_dtype == Dtype::fp32) return;
  if (!answers.known(Field::compute_dtype)) plan.compute_dtype = plan.weight_dtype;
  if (!answers.known(Field::autocast)) plan.autocast = true;
  if (!answers.known(Field::gradient_dtype)) plan.gradient_dtype = plan.weight_dtype;
}

}  // namespace oomlint
