#include "lint/engine/rule.h"

namespace oomlint {

extern constinit const Rule unused_suppression{
    .code = "OOM9001",
    .name = "unused-suppression",
    .severity = Severity::warning,
    .summary = "a suppression that silences nothing",
    .doc = R"(## What it does
Reports a comment or an entry of the settings that silences a rule which says nothing there. The fix removes it.

## Why it matters
A forgotten suppression hides the next true finding.

## Example
```yaml config.yml fires
base_model: meta-llama/Llama-3.2-1B
datasets:
  - path: data.jsonl
    type: alpaca
sequence_len: 2048
micro_batch_size: 2  # oomlint: ignore[OOM0002] was set twice once  # <-
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
micro_batch_size: 2
gradient_accumulation_steps: 4
num_epochs: 1
optimizer: adamw_torch
learning_rate: 0.0002
bf16: true
```

## Numbers and sources
None.

## Limits
Silent about memory rules when no GPU is known, and about everything in a file that could not be understood: there the
rule had no chance to speak.
)",
    .check = nullptr,
};

}  // namespace oomlint
