#pragma once

#include "integrations/cli/inputs.h"
#include "integrations/cli/settings_store.h"
#include "lint/engine/engine.h"

#include <vector>

namespace oomlint {

/// What came of all inputs, in their order.
struct LintedFiles {
  std::vector<FileResult> results;
  std::vector<Settings> settings;
};

/// Lints every input, on several threads when there are many. The result does not depend on their number.
[[nodiscard]] LintedFiles lint_all(const std::vector<Input>& inputs, Files& files, SettingsStore& store,
                                   const Parts& parts, const LintOptions& options, unsigned jobs);

/// One report of all results: findings sorted and said once, files that were named and could not be read
/// apart.
[[nodiscard]] Report make_report(const std::vector<Input>& inputs, LintedFiles linted, bool show_ignored);

}  // namespace oomlint
