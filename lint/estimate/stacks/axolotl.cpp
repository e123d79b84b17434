#include "lint/estimate/stacks/profiles.h"

namespace oomlint {

// axolotl loads the 16-bit dtype it trains in, and casts norms and embeddings back to it after the k-bit
// preparation whenever adapters train (loaders/model.py, commit 067b021).
void apply_axolotl(const Answers& answers, Concrete& concrete) {
  apply_hf_trainer(answers, concrete);
  ConcretePlan& plan = concrete.plan;
  concrete.stack.name = "axolotl";
  if (plan.sharding != Sharding::none && plan.sharding != Sharding::ddp) return;
  const Dtype compute = answers.word<Dtype>(Field::compute_dtype).value_or(Dtype::bf16);
  if (!answers.known(Field::weight_dtype)) plan.weight_dtype = compute;
  if (plan.quantisation != Quantisation::none && !answers.flag(Field::kbit_prepared).value_or(false))
    plan.weight_dtype = compute;
  if (!answers.known(Field::gradient_dtype)) plan.gradient_dtype = plan.weight_dtype;
}

}  // namespace oomlint
