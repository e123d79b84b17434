#include "lint/dialect/paths.h"
#include "lint/engine/rule.h"
#include "rules/support.h"

#include <algorithm>
#include <string>
#include <utility>

namespace oomlint {

namespace {

using namespace rules;

struct Renaming {
  std::string_view to;     ///< whole path of the newer key
  std::string_view until;  ///< first version that does not read the old one, empty while it is still read
};

Renaming renaming_of(const Dialect& dialect, std::string_view path) {
  for (const KeySpec& key : dialect.keys) {
    if (path_of(key) == path && !key.renamed_to.empty()) return {key.renamed_to, key.until};
  }
  const KnownKey* row = known_key(dialect, path);
  return row != nullptr && !row->renamed_to.empty() ? Renaming{row->renamed_to, row->until} : Renaming{};
}

bool has_key(Context& context, FileIndex file, std::string_view path) {
  const auto& keys = context.keys();
  return std::any_of(keys.begin(), keys.end(),
                     [&](const KeyView& key) { return key.file == file && key.path == path; });
}

/// Renames in place: only where the new key stands beside the old one and is not there yet.
void add_fix(Context& context, const KeyView& key, std::string_view to, Diagnostic& finding) {
  const bool beside = parent_of(to) == parent_of(without_indices(key.path));
  if (!beside || has_key(context, key.file, to) || finding.primary.span.empty()) return;
  const std::string_view old = context.document_of(key.file).source().text(finding.primary.span);
  finding.fixes.push_back({"rename to " + quoted(last_part(to)),
                           Applicability::safe,
                           {{finding.primary.path, finding.primary.span, respelled_key(old, to)}},
                           {},
                           0});
}

void check(Context& context) {
  for (const KeyView& key : context.keys()) {
    const Dialect& dialect = context.dialect_of(key.file);
    const Renaming renaming = renaming_of(dialect, without_indices(key.path));
    if (renaming.to.empty()) continue;
    const auto until = parse_version(renaming.until);
    const bool gone = until && context.plan().versions.newest(dialect.package) >= *until;
    Diagnostic finding;
    finding.severity = gone ? Severity::warning : Severity::note;
    finding.primary = context.place(key, false);
    finding.message = quoted(key.path) + " is now called " + quoted(renaming.to);
    if (gone) {
      finding.message += ": " + std::string(dialect.title) + " does not read the old name since " +
                         std::string(renaming.until);
    }
    if (has_key(context, key.file, renaming.to)) finding.message += ", and this file sets both";
    add_fix(context, key, renaming.to, finding);
    context.report(std::move(finding));
  }
}

}  // namespace

extern constinit const Rule renamed_key{
    .code = "OOM4004",
    .name = "renamed-key",
    .severity = Severity::warning,
    .summary = "the key has a newer name",
    .doc = R"(## What it does
Finds keys by an older name. It is a note while the framework still reads the old name and a warning where it no longer
does; the fix renames the key and leaves everything else as it is.

## Why it matters
When the old name is dropped, some frameworks refuse the file and some ignore the key.

## Example
```yaml config.yml fires
model_name_or_path: Qwen/Qwen2.5-0.5B
dataset_name: trl-lib/Capybara
dtype: bfloat16
bf16: true
max_length: 1024
per_device_train_batch_size: 1
gradient_accumulation_steps: 16
evaluation_strategy: "no"  # <-
gradient_checkpointing: true
learning_rate: 0.00002
output_dir: out
```

## Instead
```yaml config.yml silent
model_name_or_path: Qwen/Qwen2.5-0.5B
dataset_name: trl-lib/Capybara
dtype: bfloat16
bf16: true
max_length: 1024
per_device_train_batch_size: 1
gradient_accumulation_steps: 16
eval_strategy: "no"
gradient_checkpointing: true
learning_rate: 0.00002
output_dir: out
```

## Numbers and sources
The renamings come from the frameworks' argument classes, version by version.

## Limits
Which version is installed is taken from a lock file, a requirement or the settings; without any, the newest known one.
)",
    .check = check,
};

}  // namespace oomlint
