#include "lint/catalog/catalog.h"
#include "lint/engine/rule.h"
#include "rules/support.h"

#include <algorithm>
#include <array>
#include <optional>

namespace oomlint {

namespace {

using namespace rules;

/// What the run would take with everything divided over its devices, where a launcher or recipe that no file
/// speaks of may do so and it would fit then; nothing otherwise.
std::optional<Bytes> need_when_divided(Context& context) {
  const Value& sharding = context.plan()[Field::sharding];
  const bool guessed = sharding.effective_origin.kind == OriginKind::inferred &&
                       context.plan().word<Sharding>(Field::sharding) == Sharding::ddp;
  if (!guessed || !context.dialect_of(0).divided_elsewhere) return std::nullopt;
  const std::array divided{PlanEdit{Field::sharding, std::string("fsdp")}};
  const Evaluation after = context.evaluate(divided);
  return after.verdict == Verdict::over ? std::nullopt : std::optional(after.need.likely);
}

void check(Context& context) {
  const Evaluation& evaluation = context.evaluation();
  if (!evaluation.estimated) return;
  if (evaluation.verdict != Verdict::over) return;
  // Too large for every card there is: not a claim to rest on a guessed shape.
  if (!context.run().card && evaluation.certainty == Certainty::low) return;

  Diagnostic finding;
  finding.severity = Severity::error;
  finding.certainty = evaluation.certainty;
  finding.primary = context.costliest_place();
  std::string needs = evaluation.certainty == Certainty::low ? "probably needs " : "needs ";
  if (!evaluation.missing.empty()) needs += "at least ";
  finding.message = needs + to_string(evaluation.need.likely) + " " + on_the_gpus(context) + ", ";
  finding.message += context.run().card ? card_in_words(context)
                                        : "the largest accelerator has " + to_string(largest_capacity());
  if (const auto divided = need_when_divided(context)) {
    finding.severity = Severity::warning;
    finding.certainty = std::min(finding.certainty, Certainty::medium);
    finding.message +=
        "; divided by FSDP or ZeRO-3, which no file here says, it needs " + to_string(*divided);
  }
  explain_peak(context, finding);
  context.report(std::move(finding));
}

}  // namespace

extern constinit const Rule does_not_fit{
    .code = "OOM1001",
    .name = "does-not-fit",
    .severity = Severity::error,
    .summary = "the run needs more memory than the GPU has",
    .doc = R"(## What it does
Adds up weights, gradients, optimizer states, activations, logits and transients of every phase of the run (load,
forward, backward, optimizer step, evaluation, save) and compares the largest sum with what the driver reports for the
GPU. It speaks when even the low end of the estimate is more than the card has.

## Why it matters
The run stops with an out-of-memory error, often after the model was loaded and the data was prepared.

## Example
```yaml config.yml --gpu 24GB fires
oomlint: 1
stack: textbook
parameters: 3000000000
method: full
weight_dtype: fp32
gradient_dtype: fp32
optimizer: adamw_torch  # <-
activation_bytes: 1500000000
```

## Instead
```yaml config.yml --gpu 24GB silent
oomlint: 1
stack: textbook
parameters: 750000000
method: full
weight_dtype: fp32
gradient_dtype: fp32
optimizer: adamw_torch
activation_bytes: 1500000000
```
The finding lists the edits that bring the run under the limit, cheapest first; each was estimated again before it was
offered.

## Numbers and sources
fp32 AdamW holds 4 + 4 + 8 bytes per trainable parameter: 48 GB for 3 billion, before any activation. Capacity is the
smallest figure a driver reports for the card's name, not the number on the box.

## Limits
Needs a GPU (`--gpu`, the settings, or a comment `# oomlint: gpu=…`), unless the run is larger than any accelerator
there is. Where the model's size is only guessed from its name the finding is a warning, never an error; so it is on
several GPUs when the launcher or the recipe may divide the states, no file says whether, and divided it would fit.
)",
    .check = check,
};

}  // namespace oomlint
