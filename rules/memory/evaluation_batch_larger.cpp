#include "lint/engine/rule.h"
#include "rules/support.h"

#include <array>

namespace oomlint {

namespace {

using namespace rules;

Bytes largest_outside_evaluation(const Estimate& estimate) {
  Bytes largest;
  for (const PhaseEstimate& phase : estimate.phases) {
    if (phase.phase != Phase::evaluation) largest = std::max(largest, phase.total());
  }
  return largest;
}

void check(Context& context) {
  const Evaluation& evaluation = context.evaluation();
  if (!short_of_memory(context) || evaluation.certainty == Certainty::low) return;
  if (evaluation.likely.peak().phase != Phase::evaluation) return;
  const auto micro = context.plan().count(Field::micro_batch);
  const auto batch = context.plan().count(Field::evaluation_batch);
  if (!micro || !batch || *batch <= *micro) return;

  const std::array same{PlanEdit{Field::evaluation_batch, *micro}};
  const Evaluation after = context.evaluate(same);
  if (after.need.likely >= evaluation.need.likely) return;
  Diagnostic finding;
  finding.severity = Severity::warning;
  finding.certainty = evaluation.certainty;
  finding.primary = place_of(context, {Field::evaluation_batch, Field::evaluation, Field::micro_batch});
  finding.message = "evaluation in batches of " + std::to_string(*batch) + " takes " +
                    to_string(evaluation.likely.allocated) + ", training with micro batch " +
                    std::to_string(*micro) + " only " +
                    to_string(largest_outside_evaluation(evaluation.likely));
  if (!context.plan()[Field::evaluation_batch].given()) {
    finding.notes.push_back("no file sets the evaluation batch: the framework takes " +
                            std::to_string(*batch));
  }
  finding.table = context.byte_table();
  Fix fix{"evaluation batch " + std::to_string(*batch) + " → " + std::to_string(*micro),
          Applicability::display,
          {},
          "slower evaluation",
          after.need.likely.count()};
  if (auto edits = context.spell(same)) {
    fix.edits = *std::move(edits);
    fix.applicability = Applicability::safe;
  }
  finding.fixes.push_back(std::move(fix));
  context.report(std::move(finding));
}

}  // namespace

extern constinit const Rule evaluation_batch_larger{
    .code = "OOM1004",
    .name = "evaluation-batch-larger",
    .severity = Severity::warning,
    .summary = "the peak of a run that does not fit is in its evaluation",
    .doc = R"(## What it does
Speaks when a run is short of memory, its peak lies in the evaluation, and the evaluation batch is larger than the micro
batch.

## Why it matters
The run trains for hours and fails at its first evaluation. Lowering the training batch does not help: the evaluation
has a batch of its own, which stays at the framework's default when only the other is changed.

## Example
```yaml config.yml --gpu 24GB fires
model_name_or_path: Qwen/Qwen2.5-0.5B
dataset_name: trl-lib/Capybara
dtype: bfloat16
bf16: true
max_length: 2048
packing: true
attn_implementation: flash_attention_2
per_device_train_batch_size: 1
gradient_accumulation_steps: 16
per_device_eval_batch_size: 512  # <-
eval_strategy: steps
eval_steps: 100
gradient_checkpointing: true
learning_rate: 0.00002
output_dir: out
```

## Instead
```yaml config.yml --gpu 24GB silent
model_name_or_path: Qwen/Qwen2.5-0.5B
dataset_name: trl-lib/Capybara
dtype: bfloat16
bf16: true
max_length: 2048
packing: true
attn_implementation: flash_attention_2
per_device_train_batch_size: 1
gradient_accumulation_steps: 16
per_device_eval_batch_size: 1
eval_strategy: steps
eval_steps: 100
gradient_checkpointing: true
learning_rate: 0.00002
output_dir: out
```

## Numbers and sources
`per_device_eval_batch_size` is 8 in transformers unless it is set. The logits of one evaluation step are evaluation
batch × sequence × vocabulary.

## Limits
Silent when the run fits and without a GPU. Metrics that keep the logits of all steps are counted only where the config
shows that they are kept.
)",
    .check = check,
};

}  // namespace oomlint
