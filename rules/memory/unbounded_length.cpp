#include "lint/engine/rule.h"
#include "rules/support.h"

#include <algorithm>
#include <array>

namespace oomlint {

namespace {

using namespace rules;

bool dialect_bounds_length(const Dialect& dialect) {
  return std::any_of(dialect.keys.begin(), dialect.keys.end(),
                     [](const KeySpec& key) { return key.field == Field::sequence_length; });
}

void check(Context& context) {
  const TrainingPlan& plan = context.plan();
  if (context.run().fragment || context.partial(0) || !context.run().card) return;
  if (context.evaluation().verdict == Verdict::over) return;  // too large at any length
  if (plan[Field::sequence_length].known() || plan[Field::longest_example].known()) return;
  if (!dialect_bounds_length(context.dialect_of(0))) return;
  const auto longest = plan.count(Field::max_positions);
  if (!longest || *longest <= 0) return;

  const std::array at_most{PlanEdit{Field::sequence_length, *longest}};
  const Evaluation after = context.evaluate(at_most);
  if (!after.estimated || after.verdict != Verdict::over || after.certainty == Certainty::low) return;
  Diagnostic finding;
  finding.severity = Severity::warning;
  finding.certainty = Certainty::medium;
  finding.primary = place_of(context, {Field::sequence_length, Field::micro_batch, Field::model});
  finding.message = "nothing bounds the length of an example: one of " +
                    grouped(static_cast<std::uint64_t>(*longest)) +
                    " tokens, the most the model takes, needs " + to_string(after.need.likely) + ", " +
                    card_in_words(context);
  finding.help = "set the longest length that the data needs; the longest example decides, not the average";
  context.report(std::move(finding));
}

}  // namespace

extern constinit const Rule unbounded_length{
    .code = "OOM1006",
    .name = "unbounded-length",
    .severity = Severity::warning,
    .summary = "no maximum length is set and a long example would not fit",
    .doc = R"(## What it does
Speaks when the config has no maximum sequence length, or switches it off, and one example as long as the model allows
would not fit.

## Why it matters
The longest example decides whether a run fits, not the average. Without a bound the run fails at the first long
example, in some step of some epoch.

## Example
```yaml config.yml --gpu 24GB fires
model_name_or_path: Qwen/Qwen2.5-1.5B
dataset_name: trl-lib/Capybara
dtype: bfloat16
bf16: true
max_length: null  # <-
per_device_train_batch_size: 8
gradient_accumulation_steps: 2
gradient_checkpointing: true
learning_rate: 0.00002
output_dir: out
```

## Instead
```yaml config.yml --gpu 80GB silent
model_name_or_path: Qwen/Qwen2.5-1.5B
dataset_name: trl-lib/Capybara
dtype: bfloat16
bf16: true
max_length: 2048
per_device_train_batch_size: 1
gradient_accumulation_steps: 16
gradient_checkpointing: true
learning_rate: 0.00002
output_dir: out
```

## Numbers and sources
The maximum is the model's `max_position_embeddings`. TRL truncates to 1,024 tokens unless `max_length` is set, and not
at all with `max_length: null`.

## Limits
Silent without a GPU, for dialects whose files never carry a length (the script sets it), on files that do not parse,
and when the longest example of the data is known.
)",
    .check = check,
};

}  // namespace oomlint
