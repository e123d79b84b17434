#include "lint/engine/rule.h"
#include "rules/differences.h"

namespace oomlint {

namespace {

using namespace rules;

void check(Context& context) {
  report_differences(context, differences(context, Effect::ignored, {Difference::ignored}),
                     Severity::warning);
}

}  // namespace

extern constinit const Rule ignored_setting{
    .code = "OOM4001",
    .name = "ignored-setting",
    .severity = Severity::warning,
    .summary = "the setting has no effect in this version or combination",
    .doc = R"(## What it does
Reports keys that the framework knows and does not act on: this version no longer reads them, or another key that they
need is missing.

## Why it matters
Whoever wrote the key believes in its effect. A fused loss whose plugin is not loaded, or a dtype under a name that is
no longer read, is memory that was thought to be saved.

## Example
```yaml config.yml fires
base_model: meta-llama/Llama-3.2-1B
liger_fused_linear_cross_entropy: true  # <-
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
plugins:
  - axolotl.integrations.liger.LigerPlugin
liger_fused_linear_cross_entropy: true
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
Knows the combinations in its tables and no others. Silent on files that do not parse and on fragments.
)",
    .check = check,
};

}  // namespace oomlint
