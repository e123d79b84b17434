#include "lint/engine/rule.h"
#include "rules/support.h"

#include <array>
#include <cstdio>
#include <string>
#include <utility>

namespace oomlint {

namespace {

using namespace rules;

std::string amount(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f", value);
  return text.data();
}

void check(Context& context) {
  const double limit = context.settings().limits.max_cost;
  const ComputeEstimate& compute = context.evaluation().compute;
  if (limit <= 0 || context.run().fragment || !compute.cost || *compute.cost <= limit) return;
  const bool measured = context.plan()[Field::tokens_per_second].known();
  Diagnostic finding;
  finding.severity = measured ? Severity::error : Severity::warning;
  finding.certainty = measured ? Certainty::high : Certainty::medium;
  finding.primary = place_of(context, {Field::epochs, Field::max_steps, Field::tokens, Field::model});
  finding.message = "costs about " + amount(*compute.cost) + ", the limit is " + amount(limit) +
                    " (in the currency of the settings' prices)";
  context.report(std::move(finding));
}

}  // namespace

extern constinit const Rule over_cost_limit{
    .code = "OOM2002",
    .name = "over-cost-limit",
    .severity = Severity::error,
    .summary = "the run costs more than the limit of the settings",
    .doc = R"(## What it does
Compares the cost of the run, from its time and the prices in the settings, with `max-cost`. An error needs a measured
throughput.

## Why it matters
The bill comes after the run.

## Example
```toml .oomlint.toml
[limits]
max-cost = 10
price-per-gpu-hour = 2
```
```yaml config.yml fires
oomlint: 1
stack: textbook
parameters: 6700000000
method: full
tokens: 100000000
tokens_per_second: 2000
epochs: 1  # <-
world: 1
```

## Instead
```toml .oomlint.toml
[limits]
max-cost = 100
price-per-gpu-hour = 2
```
```yaml config.yml silent
oomlint: 1
stack: textbook
parameters: 6700000000
method: full
tokens: 100000000
tokens_per_second: 2000
epochs: 1
world: 1
```

## Numbers and sources
GPUs × hours × price: 13.9 h at 2 an hour are 27.78.

## Limits
Silent without a limit and without a price. Storage, transfers, start-up and interruptions come on top.
)",
    .check = check,
};

}  // namespace oomlint
