#include "lint/engine/rule.h"
#include "rules/differences.h"

namespace oomlint {

namespace {

using namespace rules;

void check(Context& context) {
  report_differences(context, differences(context, Effect::warned, {}), Severity::note);
}

}  // namespace

extern constinit const Rule warned_by_framework{
    .code = "OOM3005",
    .name = "warned-by-framework",
    .severity = Severity::note,
    .summary = "the framework itself warns about this combination",
    .doc = R"(## What it does
Repeats, before the run, the warnings that the framework prints when it starts and that bear on memory or on what is
trained.

## Why it matters
The framework's own warning stands somewhere in the first thousand lines of a log that nobody reads.

## Example
```yaml config.yml fires
base_model: meta-llama/Llama-3.2-1B
adapter: lora
lora_r: 16
lora_alpha: 32
lora_target_linear: true
datasets:
  - path: data.jsonl
    type: alpaca
sequence_len: 2048
micro_batch_size: 2
eval_batch_size: 8  # <-
val_set_size: 0.05
gradient_accumulation_steps: 4
num_epochs: 1
optimizer: adamw_torch
learning_rate: 0.0002
bf16: true
flash_attention: true
```

## Instead
```yaml config.yml silent
base_model: meta-llama/Llama-3.2-1B
adapter: lora
lora_r: 16
lora_alpha: 32
lora_target_linear: true
datasets:
  - path: data.jsonl
    type: alpaca
sequence_len: 2048
micro_batch_size: 2
eval_batch_size: 2
val_set_size: 0.05
gradient_accumulation_steps: 4
num_epochs: 1
optimizer: adamw_torch
learning_rate: 0.0002
bf16: true
flash_attention: true
```

## Numbers and sources
Each finding names the framework's source file.

## Limits
Only warnings that follow from the config alone.
)",
    .check = check,
};

}  // namespace oomlint
