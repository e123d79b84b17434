#include "lint/engine/rule.h"

namespace oomlint {

extern constinit const Rule ambiguous_dialect{
    .code = "OOM0005",
    .name = "ambiguous-dialect",
    .severity = Severity::note,
    .summary = "the file could be a config of more than one framework",
    .doc = R"(## What it does
Notes that the keys of a file are evidence for two frameworks, so that none of its values can be given a meaning.

## Why it matters
The same key means different things to different frameworks. A guess would make false findings.

## Example
```yaml config.yml fires
oomlint: 1  # <-
model: meta-llama/Llama-3.2-1B
micro_batch: 2
base_model: meta-llama/Llama-3.2-1B
micro_batch_size: 2
sequence_len: 2048
datasets:
  - path: data.jsonl
    type: alpaca
```

## Instead
```yaml config.yml silent
oomlint: 1
model: meta-llama/Llama-3.2-1B
method: lora
lora_rank: 16
micro_batch: 2
sequence_length: 1024
```
A comment `# oomlint: dialect=axolotl` or the settings decide.

## Numbers and sources
`--explain-detection` shows the evidence.

## Limits
None of the other rules runs on such a file.
)",
    .check = nullptr,
};

}  // namespace oomlint
