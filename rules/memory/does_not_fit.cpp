#include "lint/catalog/catalog.h"
#include "lint/engine/rule.h"
#include "rules/support.h"

namespace oomlint {

namespace {

using namespace rules;

void check(Context& context) {
  const Evaluation& evaluation = context.evaluation();
  if (!evaluation.estimated) return;
  const bool too_large_for_all = !context.run().card && evaluation.need.low > largest_capacity();
  if (evaluation.verdict != Verdict::over && !too_large_for_all) return;

  Diagnostic finding;
  finding.severity = Severity::error;
  finding.certainty = evaluation.certainty;
  finding.primary = context.costliest_place();
  const std::string needs = evaluation.certainty == Certainty::low ? "probably needs " : "needs ";
  finding.message = needs + to_string(evaluation.need.likely) + " " + on_the_gpus(context) + ", ";
  finding.message += context.run().card ? card_in_words(context)
                                        : "the largest accelerator has " + to_string(largest_capacity());
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
there is. Where the model's size is only guessed from its name the finding is a warning, never an error.
)",
    .check = check,
};

}  // namespace oomlint
