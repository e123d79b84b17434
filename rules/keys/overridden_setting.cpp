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
oomlint: 1
model: meta-llama/Llama-3.2-1B
method: lora
lora_rank: 16
micro_batch: 4
accumulation: 4
accumulation: 8
sequence_length: 1024
```

## Instead
```yaml config.yml silent
oomlint: 1
model: meta-llama/Llama-3.2-1B
method: lora
lora_rank: 16
micro_batch: 4
accumulation: 8
sequence_length: 1024
```

## Numbers and sources
Each finding names the place that decides.

## Limits
A value that `--assume` or the settings replace is no finding: that is what they are for.
)",
    .check = check,
};

}  // namespace oomlint
