#include "lint/engine/rule.h"
#include "rules/support.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

namespace oomlint {

namespace {

using namespace rules;

/// Data-parallel devices; nothing while the number of devices is not known.
std::optional<std::int64_t> ranks_of(const TrainingPlan& plan) {
  const auto world = plan.count(Field::world);
  if (!world || *world < 1) return std::nullopt;
  std::int64_t others = 1;
  for (const Field field : {Field::tensor_parallel, Field::pipeline_parallel, Field::context_parallel}) {
    others *= std::max<std::int64_t>(1, plan.count(field).value_or(1));
  }
  if (*world % others != 0) return std::nullopt;
  return *world / others;
}

void check(Context& context) {
  const TrainingPlan& plan = context.plan();
  if (!is_whole(context) || !plan[Field::effective_batch].given() || !plan[Field::micro_batch].given())
    return;
  const auto effective = plan.count(Field::effective_batch);
  const auto micro = plan.count(Field::micro_batch);
  if (!effective || !micro || *effective < 1 || *micro < 1) return;
  const auto ranks = ranks_of(plan);
  const bool given = plan[Field::accumulation].given();
  const std::int64_t accumulation = given ? plan.count(Field::accumulation).value_or(0) : 1;
  if (accumulation < 1) return;

  std::int64_t product = 0;
  if (__builtin_mul_overflow(*micro, accumulation, &product)) return;
  if (ranks && __builtin_mul_overflow(product, *ranks, &product)) return;
  // With everything known the two sides must be equal; otherwise what is left must come out even.
  if (given && ranks ? *effective == product : *effective % product == 0) return;

  Diagnostic finding;
  finding.severity = Severity::warning;
  finding.primary = place_of(context, {Field::effective_batch});
  std::string sum = "micro batch " + std::to_string(*micro);
  if (given) sum += " × accumulation " + std::to_string(accumulation);
  if (ranks) sum += " × " + std::to_string(*ranks) + (*ranks == 1 ? " device" : " devices");
  finding.message = "a batch of " + std::to_string(*effective) + " is not ";
  finding.message += given && ranks ? sum + " = " + std::to_string(product) : "a multiple of " + sum;
  for (const Field field : {Field::micro_batch, Field::accumulation, Field::world}) {
    if (auto at = context.place(field); at && plan[field].given()) {
      finding.related.push_back(
          {*std::move(at), std::string(info(field).unit) + ": " + to_string(plan[field].effective)});
    }
  }
  context.report(std::move(finding));
}

}  // namespace

extern constinit const Rule batch_arithmetic{
    .code = "OOM3001",
    .name = "batch-arithmetic",
    .severity = Severity::warning,
    .summary = "the effective batch is not micro batch × accumulation × devices",
    .doc = R"(## What it does
Checks effective batch = micro batch × accumulation × data-parallel devices where a config gives the effective batch
itself. While the number of devices or the accumulation is not known it checks that the division comes out even.

## Why it matters
Some frameworks refuse, some round the accumulation down and train with another batch than the file says.

## Example
```yaml config.yml fires
oomlint: 1
model: meta-llama/Llama-3.2-1B
method: lora
lora_rank: 16
effective_batch: 64  # <-
micro_batch: 4
accumulation: 4
world: 8
sequence_length: 1024
```

## Instead
```yaml config.yml silent
oomlint: 1
model: meta-llama/Llama-3.2-1B
method: lora
lora_rank: 16
effective_batch: 128
micro_batch: 4
accumulation: 4
world: 8
sequence_length: 1024
```

## Numbers and sources
DeepSpeed asserts it (`runtime/config.py`, `_batch_assertion`); litgpt floors the accumulation silently.

## Limits
Silent when neither the devices nor the accumulation make it wrong for sure.
)",
    .check = check,
};

}  // namespace oomlint
