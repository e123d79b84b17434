#include "integrations/cli/session.h"

#include "integrations/files/disk_files.h"
#include "integrations/files/walk.h"

#include <algorithm>

namespace oomlint {

namespace {

FailOn fail_on_of(const std::string& word) {
  if (word == "warning") return FailOn::warning;
  if (word == "note") return FailOn::note;
  return word == "never" ? FailOn::never : FailOn::error;
}

/// A settings file named on the command line may lie anywhere, so it is read below its own folder.
SettingsFile read_named(const Workspace& workspace, Files& files, const std::string& path) {
  if (const auto inside = workspace.below_root(path)) return read_settings(files, *inside);
  const std::size_t slash = path.rfind('/');
  DiskFiles elsewhere(slash == std::string::npos ? "." : path.substr(0, slash + 1));
  return read_settings(elsewhere, slash == std::string::npos ? path : path.substr(slash + 1));
}

}  // namespace

Session::Session(const Options& options_, const Parts& parts_)
    : options(options_),
      parts(parts_),
      workspace(open_workspace(options)),
      store(workspace.files(), options, parts),
      fail_on(FailOn::error) {
  if (!options.config.empty()) store.use_only(read_named(workspace, workspace.files(), options.config));
  const auto here = workspace.below_root(".");
  const SettingsFile& settings = store.file_of(here.value_or(""));
  fail_on = options.fail_on.value_or(fail_on_of(settings.fail_on));
  std::vector<std::string> excludes = options.exclude;
  excludes.insert(excludes.end(), settings.exclude.begin(), settings.exclude.end());
  inputs = collect_inputs(workspace, options, excludes, unreadable);
  std::erase_if(inputs, [&](const Input& input) {
    return is_excluded(input.path, store.file_of(directory_of(input.path)).exclude);
  });
}

Report Session::lint(Files& files, const LintOptions& lint_options) {
  Report report = make_report(inputs, lint_all(inputs, files, store, parts, lint_options, options.jobs),
                              options.no_ignores);
  report.unreadable_named.insert(report.unreadable_named.end(), unreadable.begin(), unreadable.end());
  for (const std::string& path : store.settings_paths()) {
    FileContent content = files.read(path);
    if (content.error == ReadError::none) {
      report.sources.emplace(path, std::make_shared<const SourceFile>(path, std::move(content.bytes)));
    }
  }
  return report;
}

}  // namespace oomlint
