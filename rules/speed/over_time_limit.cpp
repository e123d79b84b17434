#include "lint/engine/rule.h"
#include "rules/support.h"

#include <array>
#include <cstdio>
#include <string>
#include <utility>

namespace oomlint {

namespace {

using namespace rules;

constexpr double seconds_per_hour = 3600;

std::string hours(double seconds) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f h", seconds / seconds_per_hour);
  return text.data();
}

void check(Context& context) {
  const double limit = context.settings().limits.max_hours;
  const ComputeEstimate& compute = context.evaluation().compute;
  if (limit <= 0 || context.run().fragment || !compute.seconds_low || !compute.seconds_likely) return;
  if (*compute.seconds_low <= limit * seconds_per_hour) return;
  const bool measured = context.plan()[Field::tokens_per_second].known();
  Diagnostic finding;
  finding.severity = measured ? Severity::error : Severity::warning;
  finding.certainty = measured ? Certainty::high : Certainty::medium;
  finding.primary = place_of(context, {Field::epochs, Field::max_steps, Field::tokens, Field::model});
  finding.message = "takes " + hours(*compute.seconds_likely) + ", at least " + hours(*compute.seconds_low) +
                    "; the limit is " + hours(limit * seconds_per_hour);
  if (!measured)
    finding.notes.push_back(
        "from the work and a usual utilisation of the GPU; a measured tokens_per_second makes it exact");
  context.report(std::move(finding));
}

}  // namespace

extern constinit const Rule over_time_limit{
    .code = "OOM2001",
    .name = "over-time-limit",
    .severity = Severity::error,
    .summary = "the run takes longer than the limit of the settings",
    .doc = R"(## What it does
Compares the time of the run with `max-hours` of the settings. It speaks when even the fast end of the estimate is over
the limit; an error needs a measured throughput.

## Why it matters
A job that the queue kills at its limit has cost everything and brought what its last checkpoint holds.

## Example
```toml .oomlint.toml
[limits]
max-hours = 4
```
```yaml config.yml fires
oomlint: 1
stack: textbook
parameters: 6700000000
method: full
tokens: 100000000
tokens_per_second: 2000
epochs: 1  # <-
```

## Instead
```toml .oomlint.toml
[limits]
max-hours = 24
```
```yaml config.yml silent
oomlint: 1
stack: textbook
parameters: 6700000000
method: full
tokens: 100000000
tokens_per_second: 2000
epochs: 1
```

## Numbers and sources
100 million tokens at 2,000 tokens/s are 50,000 s, 13.9 h.

## Limits
Silent without a limit, and where the number of tokens is unknown.
)",
    .check = check,
};

}  // namespace oomlint
