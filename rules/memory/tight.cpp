#include "lint/engine/rule.h"
#include "rules/support.h"

namespace oomlint {

namespace {

using namespace rules;

void report_recommendation(Context& context) {
  const Evaluation& evaluation = context.evaluation();
  const Ratio recommended = context.settings().headroom.recommended;
  if (!context.settings().report_recommended_headroom || !evaluation.free_fraction) return;
  const double asked =
      static_cast<double>(recommended.numerator) / static_cast<double>(recommended.denominator);
  if (evaluation.verdict != Verdict::fits || *evaluation.free_fraction >= asked) return;
  Diagnostic finding;
  finding.severity = Severity::note;
  finding.certainty = evaluation.certainty;
  finding.primary = context.costliest_place();
  finding.message = "fits into " + context.run().card->name + " with " + percent(*evaluation.free_fraction) +
                    " free, " + percent(asked) + " are recommended";
  finding.table = context.byte_table();
  context.report(std::move(finding));
}

void check(Context& context) {
  const Evaluation& evaluation = context.evaluation();
  if (!evaluation.estimated || !context.run().card) return;
  report_recommendation(context);
  if (evaluation.verdict != Verdict::tight) return;

  Diagnostic finding;
  finding.severity = Severity::warning;
  finding.certainty = evaluation.certainty;
  finding.primary = context.costliest_place();
  const Bytes limit = evaluation.usable - evaluation.usable * context.settings().headroom.required;
  if (evaluation.need.likely > limit) {
    finding.message = "needs " + to_string(evaluation.need.likely) + " " + on_the_gpus(context) + ", " +
                      card_in_words(context);
  } else {
    finding.message = "may need up to " + to_string(evaluation.need.high) + " " + on_the_gpus(context) +
                      " (likely " + to_string(evaluation.need.likely) + "), " + card_in_words(context);
  }
  if (const std::string doubt = largest_doubt(evaluation); !doubt.empty()) finding.message += "; " + doubt;
  explain_peak(context, finding);
  context.report(std::move(finding));
}

}  // namespace

extern constinit const Rule tight{
    .code = "OOM1002",
    .name = "tight",
    .severity = Severity::warning,
    .summary = "the run fits only just, or only if what is unknown turns out well",
    .doc = R"(## What it does
Speaks when the likely need leaves less of the GPU free than the headroom policy asks for (10 % unless the settings say
otherwise), or when the high end of the estimate is more than the card has. It names the unknown value that causes most
of the doubt.

## Why it matters
Fragmentation, longer examples than expected, another process on the card or a newer library version take memory that
no config shows. A run that fills the card to the last GiB fails after hours rather than at the start.

## Example
```yaml config.yml --gpu 24GB fires
oomlint: 1
stack: textbook
parameters: 1350000000
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
parameters: 1000000000
method: full
weight_dtype: fp32
gradient_dtype: fp32
optimizer: adamw_torch
activation_bytes: 1500000000
```

## Numbers and sources
Of 403 published runs that ran, 11 % had less than 10 % free and 19 % less than 20 %. With
`report-recommended-headroom` the settings ask for a note below the recommended 20 % too.

## Limits
Needs a GPU. The interval covers what the config leaves open; it does not cover what other programs take from the card,
which is a setting.
)",
    .check = check,
};

}  // namespace oomlint
