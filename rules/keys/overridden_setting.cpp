#include "lint/engine/rule.h"
#include "rules/differences.h"

#include <algorithm>
#include <utility>

namespace oomlint {

namespace {

using namespace rules;

/// Two files that disagree are the business of conflicting-files.
bool in_another_file(const SettingDifference& difference) {
  return !difference.related.empty() && difference.source.empty() &&
         difference.related.front().location.path != difference.at.path;
}

void check(Context& context) {
  auto found = differences(context, Effect::overridden, {Difference::overridden, Difference::clamped});
  found.erase(std::remove_if(found.begin(), found.end(), in_another_file), found.end());
  report_differences(context, std::move(found), Severity::warning);
}

}  // namespace

extern constinit const Rule overridden_setting{
    .code = "OOM4002",
    .name = "overridden-setting",
    .severity = Severity::warning,
    .summary = "another setting decides instead",
    .doc = R"(## What it does
Reports a value that the framework replaces: by another key of the same file, by a limit of its own, or by what follows
from the rest of the config.

## Why it matters
The run is another one than the file describes, and its memory with it.

## Example
```yaml config.yml fires
base_model: meta-llama/Llama-3.2-1B
rl: dpo
plugins:
  - axolotl.integrations.liger.LigerPlugin
liger_fused_linear_cross_entropy: true  # <-
datasets:
  - path: data.jsonl
    type: chatml.intel
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
rl: dpo
plugins:
  - axolotl.integrations.liger.LigerPlugin
dpo_use_liger_kernel: true
datasets:
  - path: data.jsonl
    type: chatml.intel
sequence_len: 2048
micro_batch_size: 2
gradient_accumulation_steps: 4
num_epochs: 1
optimizer: adamw_torch
learning_rate: 0.0002
bf16: true
```

## Numbers and sources
Each finding names the place that decides.

## Limits
A value that `--assume` or the settings replace is no finding: that is what they are for.
)",
    .check = check,
};

}  // namespace oomlint
