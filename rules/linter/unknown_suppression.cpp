#include "lint/engine/rule.h"

namespace oomlint {

extern constinit const Rule unknown_suppression{
    .code = "OOM9002",
    .name = "unknown-suppression",
    .severity = Severity::warning,
    .summary = "a suppression that names a rule which does not exist",
    .doc = R"(## What it does
Reports comments to the linter that it can't follow: a rule that does not exist (the nearest one is named), a list
without a rule, a word it does not know.

## Why it matters
The comment looks as if it did something.

## Example
```yaml config.yml fires
base_model: meta-llama/Llama-3.2-1B
datasets:
  - path: data.jsonl
    type: alpaca
sequence_len: 2048
micro_batch_size: 8  # oomlint: ignore[duplicate-keys] both are meant  # <-
gradient_accumulation_steps: 4
num_epochs: 1
optimizer: adamw_torch
learning_rate: 0.0002
bf16: true
```

## Instead
```yaml config.yml silent
base_model: meta-llama/Llama-3.2-1B
datasets:
  - path: data.jsonl
    type: alpaca
sequence_len: 2048
micro_batch_size: 2  # oomlint: ignore[duplicate-key] both are meant
micro_batch_size: 8
gradient_accumulation_steps: 4
num_epochs: 1
optimizer: adamw_torch
learning_rate: 0.0002
bf16: true
```

## Numbers and sources
None.

## Limits
Reads comments only; JSON has none, there the settings silence.
)",
    .check = nullptr,
};

}  // namespace oomlint
