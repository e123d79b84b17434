#include "lint/engine/rule.h"
#include "rules/support.h"

#include <utility>

namespace oomlint {

namespace {

using namespace rules;

void check(Context& context) {
  const std::uint64_t limit = context.settings().limits.max_disk_bytes;
  const Evaluation& evaluation = context.evaluation();
  if (limit == 0 || context.run().fragment || evaluation.disk.count() <= limit) return;
  Diagnostic finding;
  finding.severity = Severity::error;
  finding.certainty = evaluation.certainty;
  finding.primary = place_of(context, {Field::save_limit, Field::save_steps, Field::model});
  finding.message = "the checkpoints that are kept take " + to_string(evaluation.disk) +
                    " of disk, the limit is " + to_string(Bytes(limit));
  finding.help = "keep fewer checkpoints, or save without the optimizer states";
  context.report(std::move(finding));
}

}  // namespace

extern constinit const Rule over_disk_limit{
    .code = "OOM2003",
    .name = "over-disk-limit",
    .severity = Severity::error,
    .summary = "the kept checkpoints take more disk than the limit of the settings",
    .doc = R"(## What it does
Compares the size of all kept checkpoints (weights and optimizer states, or the adapter) with `max-disk` of the settings.

## Why it matters
A full disk stops the run at a save, and the checkpoint that was being written is lost.

## Example
```toml .oomlint.toml
[limits]
max-disk = "100GiB"
```
```yaml config.yml fires
oomlint: 1
stack: textbook
parameters: 6700000000
method: full
weight_dtype: fp32
optimizer: adamw_torch
activation_bytes: 1500000000
save_limit: 5  # <-
```

## Instead
```toml .oomlint.toml
[limits]
max-disk = "100GiB"
```
```yaml config.yml silent
oomlint: 1
stack: textbook
parameters: 6700000000
method: full
weight_dtype: fp32
optimizer: adamw_torch
activation_bytes: 1500000000
save_limit: 1
```

## Numbers and sources
fp32 weights and two fp32 moments are 12 bytes per parameter a checkpoint: 80.4 GB for 6.7 billion.

## Limits
Silent without a limit, and where the number of kept checkpoints is unknown.
)",
    .check = check,
};

}  // namespace oomlint
