#include "lint/engine/rule.h"
#include "rules/differences.h"

namespace oomlint {

namespace {

using namespace rules;

void check(Context& context) {
  report_differences(context, differences(context, Effect::refused, {Difference::refused}), Severity::error);
}

}  // namespace

extern constinit const Rule refused_by_framework{
    .code = "OOM3003",
    .name = "refused-by-framework",
    .severity = Severity::error,
    .summary = "the framework stops with an error on this combination",
    .doc = R"(## What it does
Makes the checks that the framework makes itself when it starts, from a table that names the file and version of the
framework that enforces each.

## Why it matters
The job waits in the queue, loads its environment and stops at once, or, worse, after the model was loaded.

## Example
```yaml config.yml fires
base_model: meta-llama/Llama-3.2-1B
load_in_4bit: true  # <-
datasets:
  - path: data.jsonl
    type: alpaca
sequence_len: 2048
micro_batch_size: 2
gradient_accumulation_steps: 4
num_epochs: 1
optimizer: adamw_torch
learning_rate: 0.0002
bf16: true
```

## Instead
```yaml config.yml silent
base_model: meta-llama/Llama-3.2-1B
load_in_4bit: true
adapter: qlora
lora_r: 16
lora_alpha: 32
lora_target_linear: true
datasets:
  - path: data.jsonl
    type: alpaca
sequence_len: 2048
micro_batch_size: 2
gradient_accumulation_steps: 4
num_epochs: 1
optimizer: adamw_torch
learning_rate: 0.0002
bf16: true
```

## Numbers and sources
Each finding names the framework's source file.

## Limits
An error only where every version refuses, or the version is pinned; otherwise a warning. Silent on files that do not
parse and on fragments, where the key that settles it may stand elsewhere.
)",
    .check = check,
};

}  // namespace oomlint
