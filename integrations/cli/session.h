#pragma once

#include "integrations/cli/exit_code.h"
#include "integrations/cli/inputs.h"
#include "integrations/cli/lint_all.h"
#include "integrations/cli/settings_store.h"

#include <string>
#include <vector>

namespace oomlint {

/// What `check` and `estimate` share: the workspace, its settings and the inputs.
struct Session {
  Session(const Options& options_, const Parts& parts_);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Lints all inputs, reading through `files` (the workspace's, or fixes not yet written over them).
  [[nodiscard]] Report lint(Files& files, const LintOptions& lint_options);

  const Options& options;
  const Parts& parts;
  Workspace workspace;
  SettingsStore store;
  std::vector<Input> inputs;
  std::vector<std::string> unreadable;  ///< named, and not even a path below the root
  FailOn fail_on;                       ///< of the settings; the command line wins
};

}  // namespace oomlint
