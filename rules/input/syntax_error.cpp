#include "lint/engine/rule.h"

namespace oomlint {

extern constinit const Rule syntax_error{
    .code = "OOM0001",
    .name = "syntax-error",
    .severity = Severity::error,
    .summary = "the file is not valid in its language",
    .doc = R"(## What it does
Reports the first place where a config is not valid YAML, TOML or JSON, or not valid UTF-8. What can still be read is
checked; nothing is said about keys that are missing.

## Why it matters
The framework's loader stops at the same place.

## Example
```yaml config.yml fires
base_model: meta-llama/Llama-3.2-1B
micro_batch_size: 2
gradient_accumulation_steps: 4
learning_rate: 0.0002
sequence_len: 2048
datasets: [  # <-
```

## Instead
```yaml config.yml silent
base_model: meta-llama/Llama-3.2-1B
micro_batch_size: 2
gradient_accumulation_steps: 4
learning_rate: 0.0002
sequence_len: 2048
datasets:
  - path: data.jsonl
    type: alpaca
```

## Numbers and sources
The strict readers are yaml-cpp, toml++ and nlohmann's JSON; what they refuse is recovered with tree-sitter.

## Limits
One finding a file: what follows a syntax error is noise. A value still to be filled in (`BATCH_SIZE`, `{{ batch }}`) in
JSON is a note. A DeepSpeed config with a comma too many is a warning while no other file names it: DeepSpeed reads Hjson,
transformers and accelerate do not.
)",
    .check = nullptr,
};

}  // namespace oomlint
