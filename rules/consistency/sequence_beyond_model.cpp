#include "lint/engine/rule.h"
#include "rules/support.h"

#include <algorithm>
#include <utility>

namespace oomlint {

namespace {

using namespace rules;

/// Keys by which a config stretches the positions of its model.
bool stretches_positions(Context& context) {
  const auto& keys = context.keys();
  return std::any_of(keys.begin(), keys.end(), [](const KeyView& key) {
    return key.path.find("rope") != std::string::npos ||
           key.path.find("max_position_embeddings") != std::string::npos;
  });
}

void check(Context& context) {
  const TrainingPlan& plan = context.plan();
  const ResolvedModel& model = context.run().model;
  if (context.run().fragment || model.certainty < Certainty::high) return;
  if (!plan[Field::sequence_length].given()) return;
  const auto length = plan.count(Field::sequence_length);
  const std::int64_t positions = model.shape.max_positions;
  if (!length || positions <= 0 || *length <= positions) return;
  // Packed examples start again at position 0, so only one long example would pass the limit.
  const bool packed = plan.flag(Field::packing).value_or(false);
  const bool learned = model.shape.learned_positions > 0;
  if (packed || stretches_positions(context)) return;

  Diagnostic finding;
  finding.severity = Severity::warning;
  finding.certainty = learned ? Certainty::high : Certainty::medium;
  finding.primary = place_of(context, {Field::sequence_length});
  finding.message = "a sequence length of " + grouped(static_cast<std::uint64_t>(*length)) +
                    " is beyond the " + grouped(static_cast<std::uint64_t>(positions)) +
                    " positions the model was made for";
  finding.help =
      learned
          ? "the position table has no rows beyond: an example that long stops the run"
          : "longer examples train on positions the model has never seen, unless its positions are scaled";
  if (auto at = context.place(Field::model)) finding.related.push_back({*std::move(at), "the model"});
  context.report(std::move(finding));
}

}  // namespace

extern constinit const Rule sequence_beyond_model{
    .code = "OOM3004",
    .name = "sequence-beyond-model",
    .severity = Severity::warning,
    .summary = "the sequence length exceeds the positions the model was made for",
    .doc = R"(## What it does
Compares the sequence length with the longest sequence the model was made for.

## Why it matters
Learned position tables end there: the run stops at the first longer example. Rotary positions go on, untrained, and
memory is spent on them.

## Example
```yaml config.yml fires
oomlint: 1
model: openai-community/gpt2
method: full
micro_batch: 4
accumulation: 4
sequence_length: 4096  # <-
```

## Instead
```yaml config.yml silent
oomlint: 1
model: openai-community/gpt2
method: full
micro_batch: 4
accumulation: 4
sequence_length: 1024
```

## Numbers and sources
`max_position_embeddings` (or `n_positions`) of the model's config.json, from the catalogue.

## Limits
Silent with packing (positions start again at each example), when any key scales the rotary positions, and for models
that are known only by their size.
)",
    .check = check,
};

}  // namespace oomlint
