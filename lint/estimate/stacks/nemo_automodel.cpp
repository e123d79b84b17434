#include "lint/estimate/sizes.h"
#include "lint/estimate/stacks/profiles.h"

namespace oomlint {

// NeMo AutoModel: FSDP 2 with a 16-bit gather and fp32 reduction over weights in the checkpoint's dtype,
// whose moments torch keeps in that dtype too. Gradients stay whole in fp32 until the last micro batch unless
// told otherwise, and the model's outputs live through backward (commit 36044ad3d).
void apply_nemo_automodel(const Answers& answers, Concrete& concrete) {
  apply_hf_trainer(answers, concrete);
  ConcretePlan& plan = concrete.plan;
  Stack& stack = concrete.stack;
  stack.name = "nemo_automodel";
  stack.logits.held = 2;
  stack.logits.kernel = 8;  // a loss over 16-bit logits: log-softmax, its gradient and the logits held
  stack.step_loop = StepLoop::foreach;
  stack.unsharded_accumulation = answers.flag(Field::deferred_reduction).value_or(true);
  plan.autocast = false;
  plan.weight_dtype =
      answers.word<Dtype>(Field::weight_dtype).value_or(answers.checkpoint_dtype().value_or(Dtype::bf16));
  plan.compute_dtype = answers.word<Dtype>(Field::compute_dtype).value_or(Dtype::bf16);
  const bool half = bytes_of(plan.weight_dtype) <= 2;
  plan.master_weights = !half && plan.sharding != Sharding::none && plan.sharding != Sharding::ddp;
  const bool defers = stack.unsharded_accumulation && plan.accumulation > 1;
  plan.gradient_dtype = defers ? Dtype::fp32 : plan.weight_dtype;
  if (plan.master_weights) plan.weight_dtype = plan.compute_dtype;
  if (trains_adapters(plan.method))
    plan.adapter.dtype = answers.word<Dtype>(Field::adapter_dtype).value_or(plan.weight_dtype);
}

}  // namespace oomlint
