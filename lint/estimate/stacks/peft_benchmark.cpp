#include "lint/estimate/stacks/profiles.h"

namespace oomlint {

// The loop of peft's method comparison (method_comparison/MetaMathQA/run.py, 5d602fd): the Trainer's model,
// but the outputs live through backward, AMP is off unless asked for, batches come sorted by length from the
// longest and the cache is emptied every ten steps, which leaves 2.4 to 3.6 % of growth (replayed traces).
void apply_peft_benchmark(const Answers& answers, Concrete& concrete) {
  apply_hf_trainer(answers, concrete);
  ConcretePlan& plan = concrete.plan;
  Stack& stack = concrete.stack;
  stack.name = "peft_benchmark";
  stack.logits.held = 2;
  plan.autocast = answers.flag(Field::autocast).value_or(false);
  const End end = answers.runtime();
  stack.varying_growth = end == End::low ? Ratio{1, 1} : end == End::high ? Ratio{108, 100} : Ratio{103, 100};
  stack.constant_growth = stack.varying_growth;
  stack.static_growth = Ratio{1, 1};
  if (plan.task == Task::diffusion) {
    // The image benchmark encodes prompts and images first and moves both encoders off the device.
    plan.diffusion.cached = true;
    set_diffusion_growth(answers, plan, stack);
  }
}

}  // namespace oomlint
