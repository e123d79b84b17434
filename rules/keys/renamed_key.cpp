#include "lint/dialect/paths.h"
#include "lint/engine/rule.h"
#include "rules/support.h"

#include <algorithm>
#include <string>
#include <utility>

namespace oomlint {

namespace {

using namespace rules;

enum class Reads : std::uint8_t { all, some, none };

/// How many of the admissible versions read a key that goes in version `until`.
Reads still_read(const Context& context, const Dialect& dialect, std::string_view until) {
  const auto gone = parse_version(until);
  const Versions& versions = context.plan().versions;
  if (!gone || versions.newest(dialect.package) < *gone) return Reads::all;
  const VersionRange* range = versions.find(dialect.package);
  return range != nullptr && range->low >= *gone ? Reads::none : Reads::some;
}

/// What the framework itself does about the old name, where its checks say.
void add_consequence(Context& context, const KeyView& key, Diagnostic& finding) {
  for (const RunConstraint& hit : context.constraints()) {
    if (hit.file != key.file || hit.finding.hit.at != key.node) continue;
    finding.notes.push_back(hit.finding.hit.message);
  }
}

bool has_key(Context& context, FileIndex file, std::string_view path) {
  const auto& keys = context.keys();
  return std::any_of(keys.begin(), keys.end(),
                     [&](const KeyView& key) { return key.file == file && key.path == path; });
}

/// Renames in place: only where the new key stands beside the old one and is not there yet.
/// A version that reads the old name may not know the new one, so this is only safe where none does.
void add_fix(Context& context, const KeyView& key, std::string_view to, Reads old, Diagnostic& finding) {
  const bool beside = parent_of(to) == parent_of(without_indices(key.path));
  if (!beside || has_key(context, key.file, to) || finding.primary.span.empty()) return;
  const std::string_view written = context.document_of(key.file).source().text(finding.primary.span);
  finding.fixes.push_back({"rename to " + quoted(last_part(to)),
                           old == Reads::none ? Applicability::safe : Applicability::unsafe,
                           {{finding.primary.path, finding.primary.span, respelled_key(written, to)}},
                           {},
                           0});
}

void check(Context& context) {
  for (const KeyView& key : context.keys()) {
    const Dialect& dialect = context.dialect_of(key.file);
    const Renaming renaming = renaming_of(dialect, without_indices(key.path));
    if (renaming.to.empty()) continue;
    const Reads old = still_read(context, dialect, renaming.until);
    Diagnostic finding;
    finding.severity = old == Reads::all ? Severity::note : Severity::warning;
    finding.certainty = old == Reads::some ? Certainty::medium : Certainty::certain;
    finding.primary = context.place(key, false);
    finding.message = quoted(key.path) + " is now called " + quoted(renaming.to);
    if (old != Reads::all) {
      finding.message += ": " + std::string(dialect.title) + " does not read the old name since " +
                         std::string(renaming.until);
    }
    if (has_key(context, key.file, renaming.to)) finding.message += ", and this file sets both";
    if (old != Reads::all) add_consequence(context, key, finding);
    add_fix(context, key, renaming.to, old, finding);
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
does; the fix renames the key and leaves everything else as it is. The fix is a safe one where no version that may be
installed reads the old name: an older version may not know the new one.

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
