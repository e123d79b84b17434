#include "lint/engine/rule.h"
#include "rules/support.h"

#include <algorithm>
#include <utility>

namespace oomlint {

namespace {

using namespace rules;

/// The entry that is read: the last of the same path.
const KeyView* last_of(const std::vector<KeyView>& keys, const KeyView& duplicate) {
  const auto last = std::find_if(keys.rbegin(), keys.rend(), [&](const KeyView& key) {
    return key.file == duplicate.file && key.path == duplicate.path && !key.duplicate;
  });
  return last == keys.rend() ? nullptr : &*last;
}

void check(Context& context) {
  for (const KeyView& key : context.keys()) {
    if (!key.duplicate) continue;
    const KeyView* wins = last_of(context.keys(), key);
    const bool same = wins != nullptr && !key.is_container && !wins->is_container && key.text == wins->text;
    Diagnostic finding;
    finding.severity = same ? Severity::note : Severity::warning;
    finding.primary = context.place(key, false);
    finding.message = quoted(key.path) + " is set more than once";
    if (wins != nullptr) {
      finding.message += same ? ", each time to the same value" : ": this value is not read, the last one is";
      finding.related.push_back({context.place(*wins, false), "this one is read"});
    }
    context.report(std::move(finding));
  }
}

}  // namespace

extern constinit const Rule duplicate_key{
    .code = "OOM0002",
    .name = "duplicate-key",
    .severity = Severity::warning,
    .summary = "a mapping has the same key twice; the last one is read",
    .doc = R"(## What it does
Finds a key that stands twice in one mapping.

## Why it matters
The loaders take the last value without a word. Whoever edits the first line wonders why nothing changes.

## Example
```yaml config.yml fires
base_model: meta-llama/Llama-3.2-1B
datasets:
  - path: data.jsonl
    type: alpaca
sequence_len: 2048
micro_batch_size: 2  # <-
gradient_accumulation_steps: 4
num_epochs: 1
optimizer: adamw_torch
learning_rate: 0.0002
bf16: true
micro_batch_size: 8
```

## Instead
```yaml config.yml silent
base_model: meta-llama/Llama-3.2-1B
datasets:
  - path: data.jsonl
    type: alpaca
sequence_len: 2048
micro_batch_size: 8
gradient_accumulation_steps: 4
num_epochs: 1
optimizer: adamw_torch
learning_rate: 0.0002
bf16: true
```

## Numbers and sources
PyYAML and Python's json keep the last value. DeepSpeed refuses duplicates in its JSON (`runtime/config_utils.py`).

## Limits
A note where all values are the same. TOML readers refuse duplicates: there it is a syntax error.
)",
    .check = check,
};

}  // namespace oomlint
