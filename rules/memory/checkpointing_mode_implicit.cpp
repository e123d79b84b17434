#include "lint/engine/rule.h"
#include "rules/support.h"

#include <algorithm>
#include <array>
#include <optional>

namespace oomlint {

namespace {

using namespace rules;

constexpr double worth_saying = 0.10;

/// The package whose versions disagree about the default of a key, when nobody pinned its version.
std::optional<std::string_view> package_in_doubt(const Context& context, const KeySpec& key) {
  if (key.defaults.size() < 2) return std::nullopt;
  for (const DefaultValue& row : key.defaults) {
    if (row.package.empty()) continue;
    const VersionRange* range = context.plan().versions.find(row.package);
    const bool pinned =
        range != nullptr && range->exact() &&
        (range->origin.kind == OriginKind::given || range->origin.kind == OriginKind::policy ||
         range->origin.kind == OriginKind::assumed);
    if (!pinned) return row.package;
  }
  return std::nullopt;
}

bool differs(Bytes a, Bytes b) {
  const auto larger = static_cast<double>(std::max(a, b).count());
  return static_cast<double>(std::min(a, b).count()) < larger * (1 - worth_saying);
}

void check(Context& context) {
  const Evaluation& evaluation = context.evaluation();
  if (context.run().fragment || context.partial(0) || !evaluation.estimated ||
      evaluation.certainty == Certainty::low)
    return;
  const Value& value = context.plan()[Field::checkpointing];
  if (value.given() || value.effective_origin.kind != OriginKind::framework_default) return;

  const Dialect& dialect = context.dialect_of(0);
  const auto key = std::find_if(dialect.keys.begin(), dialect.keys.end(), [](const KeySpec& each) {
    return each.field == Field::checkpointing && each.spell && each.renamed_to.empty();
  });
  if (key == dialect.keys.end()) return;
  const auto package = package_in_doubt(context, *key);
  if (!package) return;

  const std::array on{PlanEdit{Field::checkpointing, std::string("full")}};
  const std::array off{PlanEdit{Field::checkpointing, std::string("none")}};
  const Bytes with = context.evaluate(on).need.likely;
  const Bytes without = context.evaluate(off).need.likely;
  if (!differs(with, without)) return;

  Diagnostic finding;
  finding.severity = Severity::note;
  finding.certainty = Certainty::certain;
  finding.primary = place_of(context, {Field::micro_batch, Field::model});
  finding.message = quoted(path_of(*key)) + " is not set and versions of " + std::string(*package) +
                    " differ in its default: " + to_string(with) + " with it, " + to_string(without) +
                    " without";
  const bool is_on = value.effective != Scalar(std::string("none"));
  if (auto edits = context.spell(is_on ? on : off)) {
    finding.fixes.push_back({"say what " + std::string(*package) + " " +
                                 to_string(context.plan().versions.newest(*package)) + " does",
                             Applicability::safe,
                             *std::move(edits),
                             {},
                             (is_on ? with : without).count()});
  }
  context.report(std::move(finding));
}

}  // namespace

extern constinit const Rule checkpointing_mode_implicit{
    .code = "OOM1007",
    .name = "checkpointing-mode-implicit",
    .severity = Severity::note,
    .summary = "activation checkpointing is left to a default that differs between versions",
    .doc = R"(## What it does
Notes that a config does not say whether activations are checkpointed, where the framework's versions differ in the
default, nothing pins the version, and the peak differs by at least 10 %.

## Why it matters
The same file runs on one machine and is out of memory on the next, with nothing changed but the installed version.

## Example
```yaml config.yml fires
model_name_or_path: Qwen/Qwen2.5-0.5B
dataset_name: trl-lib/Capybara
dtype: bfloat16
bf16: true
max_length: 2048
per_device_train_batch_size: 4  # <-
learning_rate: 0.00002
output_dir: out
```

## Instead
```yaml config.yml silent
model_name_or_path: Qwen/Qwen2.5-0.5B
dataset_name: trl-lib/Capybara
dtype: bfloat16
bf16: true
max_length: 2048
per_device_train_batch_size: 4
gradient_checkpointing: true
learning_rate: 0.00002
output_dir: out
```

## Numbers and sources
TRL checkpoints by default since 0.22; 0.21 still inherited False from transformers' TrainingArguments.

## Limits
Silent where a lock file, a requirement or the settings pin the version, and for frameworks whose default never changed.
)",
    .check = check,
};

}  // namespace oomlint
