#include "lint/dialect/paths.h"
#include "lint/engine/rule.h"
#include "lint/text/nearest.h"
#include "rules/support.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace oomlint {

namespace {

using namespace rules;

constexpr std::size_t typing_error = 2;

/// The known key that was probably meant; empty when none is within a typing error.
std::string meant(const Dialect& dialect, std::string_view path) {
  const std::string near = nearest_known_key(dialect, path);
  return edit_distance(without_indices(path), near) > typing_error ? std::string() : near;
}

bool is_below(std::string_view path, std::string_view parent) {
  return path.size() > parent.size() && path.starts_with(parent) &&
         (path[parent.size()] == '.' || path[parent.size()] == '[');
}

/// The version from which on a key is no longer read, where the run is known to use such a version.
std::string_view gone_since(const Context& context, const Dialect& dialect, std::string_view path) {
  const KnownKey* row = known_key(dialect, path);
  if (row == nullptr || row->until.empty() || !row->renamed_to.empty()) return {};
  const auto until = parse_version(row->until);
  const VersionRange* range = context.plan().versions.find(dialect.package);
  const bool stated = range != nullptr && range->origin.kind != OriginKind::inferred;
  return until && stated && range->low >= *until ? row->until : std::string_view();
}

std::string consequence(UnknownKeys policy) {
  switch (policy) {
    case UnknownKeys::refused:
      return " and refuses to start";
    case UnknownKeys::warned:
      return " and only warns";
    case UnknownKeys::unread:
      return ", so it counts for nothing (`oomlint list fields` names the keys)";
    default:
      return " and ignores it";
  }
}

void add_rename(Context& context, const KeyView& key, const std::string& near, Diagnostic& finding) {
  if (finding.primary.span.empty()) return;
  const std::string_view old = context.document_of(key.file).source().text(finding.primary.span);
  finding.fixes.push_back({"rename to " + quoted(near),
                           Applicability::unsafe,
                           {{finding.primary.path, finding.primary.span, respelled_key(old, near)}},
                           {},
                           0});
}

void report(Context& context, const KeyView& key, const std::string& near, std::string_view since) {
  const Dialect& dialect = context.dialect_of(key.file);
  const bool refused =
      dialect.unknown_keys == UnknownKeys::refused || dialect.unknown_keys == UnknownKeys::unread;
  Diagnostic finding;
  // A key that resembles no other may belong to a version or a script that the tables do not know.
  finding.severity = refused && !near.empty() ? Severity::error : Severity::warning;
  finding.certainty = near.empty() ? Certainty::medium : Certainty::high;
  finding.primary = context.place(key, false);
  finding.message = std::string(dialect.title) + " does not know the key " + quoted(key.path);
  if (!since.empty()) finding.message += " since " + std::string(since);
  finding.message += consequence(dialect.unknown_keys);
  if (!near.empty()) {
    finding.message += "; did you mean " + quoted(near) + "?";
    add_rename(context, key, near, finding);
  }
  context.report(std::move(finding));
}

void check(Context& context) {
  std::string_view reported;  // keys below an unknown key are not said again
  FileIndex reported_in = no_file;
  for (const KeyView& key : context.keys()) {
    const Dialect& dialect = context.dialect_of(key.file);
    if (dialect.unknown_keys == UnknownKeys::passed_on || dialect.known.empty() || context.partial(key.file))
      continue;
    if (key.file == reported_in && is_below(key.path, reported)) continue;
    if (last_part(key.path) == "<<") continue;
    const std::string_view since = gone_since(context, dialect, key.path);
    if (since.empty() && is_known_key(dialect, key.path)) continue;
    const std::string near = since.empty() ? meant(dialect, key.path) : std::string();
    if (near.empty() && since.empty() && dialect.unknown_keys == UnknownKeys::ignored) continue;
    reported = key.path;
    reported_in = key.file;
    report(context, key, near, since);
  }
}

}  // namespace

extern constinit const Rule unknown_key{
    .code = "OOM4003",
    .name = "unknown-key",
    .severity = Severity::error,
    .summary = "the framework does not know this key",
    .doc = R"(## What it does
Compares every key with the list of keys that the framework's loader knows and names the nearest one. What follows
depends on the loader: one that refuses unknown keys makes it an error, one that warns a warning, one that ignores them a
warning where a known key is within two typing errors and nothing otherwise.

## Why it matters
A misspelled key leaves the default in place. `gradient_checkpointng: true` is an out-of-memory error later.

## Example
```yaml config.yml fires
base_model: meta-llama/Llama-3.2-1B
datasets:
  - path: data.jsonl
    type: alpaca
sequence_len: 2048
micro_batch_size: 2
gradient_accumulation_steps: 4
gradient_checkpointng: true  # <-
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
sequence_len: 2048
micro_batch_size: 2
gradient_accumulation_steps: 4
gradient_checkpointing: true
num_epochs: 1
optimizer: adamw_torch
learning_rate: 0.0002
bf16: true
```

## Numbers and sources
The lists come from the frameworks' own argument classes and schemas, each with its version.

## Limits
A key that a newer version or the user's own script adds is not in the lists: where nothing similar is known the finding
is a warning at most. Silent on files that do not parse and below mappings whose content is free.
)",
    .check = check,
};

}  // namespace oomlint
