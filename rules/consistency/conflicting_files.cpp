#include "lint/engine/rule.h"
#include "rules/support.h"

#include <utility>

namespace oomlint {

namespace {

using namespace rules;

bool from_files(const Value& value) {
  return value.requested_origin.file != no_file && value.effective_origin.file != no_file;
}

void check(Context& context) {
  if (context.run().fragment) return;
  for (const FieldInfo& row : all_fields()) {
    const Value& value = context.plan()[row.field];
    if (value.difference != Difference::conflict && value.difference != Difference::overridden) continue;
    if (!is_known(value.requested) || !value.known()) continue;
    if (!value.given() || !from_files(value) || value.effective_origin.kind != OriginKind::given) continue;
    if (context.partial(value.requested_origin.file) || context.partial(value.effective_origin.file))
      continue;
    Location asked = context.place(value.requested_origin);
    Location decides = context.place(value.effective_origin);
    const bool two_places = value.requested_origin.file != value.effective_origin.file;
    if (!two_places && value.difference != Difference::conflict) continue;

    Diagnostic finding;
    finding.severity = Severity::warning;
    const std::string key = asked.key.empty() ? std::string(row.name) : asked.key;
    const std::string other = decides.key.empty() ? std::string(row.name) : decides.key;
    finding.message = quoted(key) + " is " + to_string(value.requested) + " in " + asked.path + " and " +
                      quoted(other) + " is " + to_string(value.effective) + " in " + decides.path;
    if (!value.because.empty()) finding.message += ": " + value.because;
    finding.primary = std::move(decides);
    finding.related.push_back({std::move(asked), "says " + to_string(value.requested)});
    finding.help = "let one file say it; a DeepSpeed config may say \"auto\"";
    context.report(std::move(finding));
  }
}

}  // namespace

extern constinit const Rule conflicting_files{
    .code = "OOM3002",
    .name = "conflicting-files",
    .severity = Severity::warning,
    .summary = "two files of the run disagree about a value",
    .doc = R"(## What it does
Compares what the files of one run say about the same thing: the trainer's config, the DeepSpeed JSON or accelerate
YAML it names, the command line.

## Why it matters
Some pairs make the framework stop; others are settled silently by the file that is read last. Either way the run is not
what one of the files says.

## Example
```json ds.json
{"train_micro_batch_size_per_gpu": 2, "gradient_accumulation_steps": "auto", "zero_optimization": {"stage": 2}}
```
```yaml config.yml fires
base_model: meta-llama/Llama-3.2-1B
datasets:
  - path: data.jsonl
    type: alpaca
sequence_len: 2048
micro_batch_size: 4  # <-
gradient_accumulation_steps: 4
num_epochs: 1
optimizer: adamw_torch
learning_rate: 0.0002
bf16: true
deepspeed: ds.json
```

## Instead
```json ds.json
{"train_micro_batch_size_per_gpu": "auto", "gradient_accumulation_steps": "auto", "zero_optimization": {"stage": 2}}
```
```yaml config.yml silent
base_model: meta-llama/Llama-3.2-1B
datasets:
  - path: data.jsonl
    type: alpaca
sequence_len: 2048
micro_batch_size: 4
gradient_accumulation_steps: 4
num_epochs: 1
optimizer: adamw_torch
learning_rate: 0.0002
bf16: true
deepspeed: ds.json
```

## Numbers and sources
transformers compares batch, accumulation, precision and clipping of a DeepSpeed config with its own arguments and raises
on a mismatch (`integrations/deepspeed.py`); `"auto"` takes the trainer's value.

## Limits
Sees the files that the config names and that exist; what a launcher adds on its command line it cannot know.
)",
    .check = check,
};

}  // namespace oomlint
