#include "integrations/cli/commands.h"
#include "integrations/cli/output.h"
#include "integrations/cli/session.h"

#include <algorithm>
#include <iostream>

namespace oomlint {

namespace {

/// The verdict decides only when the user asked for it: over counts as an error, tight as a warning.
ExitCode judge_verdicts(const Report& report, FailOn fail_on) {
  if (!report.unreadable_named.empty()) return ExitCode::usage;
  const auto fails = [&](const RunReport& run) {
    if (run.evaluation.verdict == Verdict::over) return fail_on != FailOn::never;
    return run.evaluation.verdict == Verdict::tight &&
           (fail_on == FailOn::warning || fail_on == FailOn::note);
  };
  return std::any_of(report.runs.begin(), report.runs.end(), fails) ? ExitCode::findings : ExitCode::done;
}

}  // namespace

ExitCode run_estimate(const Options& options, const Parts& parts) {
  Session session(options, parts);
  if (print_problems(session.store.problems())) return ExitCode::usage;
  LintOptions lint_options;
  lint_options.rules = false;
  lint_options.explain = true;
  lint_options.outlook = true;
  const Report report = session.lint(session.workspace.files(), lint_options);
  const ExitCode written = write_report(report, session, std::cout);
  return worse(written, judge_verdicts(report, options.fail_on.value_or(FailOn::never)));
}

}  // namespace oomlint
