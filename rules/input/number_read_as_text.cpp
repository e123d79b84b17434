#include "lint/dialect/paths.h"
#include "lint/engine/rule.h"
#include "rules/support.h"

#include <algorithm>
#include <utility>

namespace oomlint {

namespace {

using namespace rules;

/// Frameworks turn such a text into a float on their own; a whole number they can't make of it.
const FieldInfo* whole_number_at(const Dialect& dialect, std::string_view path) {
  const auto key = std::find_if(dialect.keys.begin(), dialect.keys.end(),
                                [&](const KeySpec& each) { return path_of(each) == path; });
  if (key == dialect.keys.end() || key->convert == Convert::custom) return nullptr;
  const FieldInfo& field = info(key->field);
  return field.type == FieldType::count ? &field : nullptr;
}

void check(Context& context) {
  for (const KeyView& key : context.keys()) {
    if (key.is_container || key.duplicate || key.node == no_node) continue;
    const Dialect& dialect = context.dialect_of(key.file);
    if (context.document_of(key.file).syntax() == Syntax::shell) continue;  // argparse reads text only
    const Node& node = context.document_of(key.file).at(key.node);
    if (node.kind != NodeKind::scalar || !is_number_read_as_text(node, dialect.scalars)) continue;
    if (whole_number_at(dialect, without_indices(key.path)) == nullptr) continue;
    Diagnostic finding;
    finding.severity = Severity::warning;
    finding.certainty = Certainty::high;
    finding.primary = context.place(key, true);
    finding.message =
        quoted(key.path) + " expects a whole number and " + quoted(key.text) + " is text to the loader";
    finding.help = "write the digits out";
    context.report(std::move(finding));
  }
}

}  // namespace

extern constinit const Rule number_read_as_text{
    .code = "OOM0003",
    .name = "number-read-as-text",
    .severity = Severity::warning,
    .summary = "the loader reads this number as text",
    .doc = R"(## What it does
Finds values such as `1e3` where a whole number is expected and the loader, by the rules of YAML 1.1, reads text.

## Why it matters
PyYAML takes a number with an exponent for a float only when it has a decimal point and a signed exponent. What becomes of
the text depends on the framework: an error at the start at best.

## Example
```yaml config.yml fires
base_model: meta-llama/Llama-3.2-1B
datasets:
  - path: data.jsonl
    type: alpaca
sequence_len: 2e3  # <-
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
datasets:
  - path: data.jsonl
    type: alpaca
sequence_len: 2000
micro_batch_size: 2
gradient_accumulation_steps: 4
num_epochs: 1
optimizer: adamw_torch
learning_rate: 2e-4
bf16: true
```

## Numbers and sources
A quarter of the real YAML configs hold such a number, nearly always a learning rate: the frameworks convert those
themselves, so they are no finding.

## Limits
Only keys that the linter reads as whole numbers.
)",
    .check = check,
};

}  // namespace oomlint
