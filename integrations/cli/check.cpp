#include "integrations/cli/commands.h"
#include "integrations/cli/fix.h"
#include "integrations/cli/output.h"
#include "integrations/cli/session.h"
#include "integrations/files/atomic_write.h"
#include "lint/text/edits.h"

#include <iostream>

namespace oomlint {

namespace {

ExitCode show_diff(Session& session, const FixedFiles& fixed) {
  for (const auto& [path, text] : fixed.texts) {
    std::cout << unified_diff(path, session.workspace.files().read(path).bytes, text);
  }
  if (!fixed.report.unreadable_named.empty()) {
    for (const std::string& unreadable : fixed.report.unreadable_named)
      print_error("cannot read " + unreadable);
    return ExitCode::usage;
  }
  return fixed.texts.empty() ? ExitCode::done : ExitCode::findings;
}

/// Writes what changed; what came through a pipe goes back through one, and the report then goes to standard
/// error.
ExitCode write_fixes(Session& session, const FixedFiles& fixed) {
  ExitCode code = ExitCode::done;
  for (const auto& [path, text] : fixed.texts) {
    if (path == session.workspace.stdin_path) continue;
    const std::string problem = write_atomically(session.workspace.root + "/" + path, text);
    if (problem.empty()) continue;
    print_error("cannot write " + problem);
    code = ExitCode::usage;
  }
  const std::string& piped = session.workspace.stdin_path;
  if (!piped.empty()) {
    const auto changed = fixed.texts.find(piped);
    std::cout << (changed != fixed.texts.end() ? changed->second
                                               : session.workspace.files().read(piped).bytes);
  }
  if (fixed.fixes > 0 && !session.options.quiet) {
    std::cerr << "applied " << fixed.fixes << (fixed.fixes == 1 ? " fix" : " fixes") << " in "
              << fixed.texts.size() << (fixed.texts.size() == 1 ? " file\n" : " files\n");
  }
  return code;
}

/// Which dialects a file was held against and on what evidence.
ExitCode explain_detection(Session& session) {
  LintOptions options;
  options.detection = true;
  const LintedFiles linted = lint_all(session.inputs, session.workspace.files(), session.store, session.parts,
                                      options, session.options.jobs);
  const auto print = [](const char* title, const std::vector<std::string>& items) {
    if (items.empty()) return;
    std::cout << "      " << title << ":";
    for (const std::string& item : items) std::cout << ' ' << item;
    std::cout << '\n';
  };
  ExitCode code = ExitCode::done;
  for (std::size_t i = 0; i < session.inputs.size(); ++i) {
    const FileResult& result = linted.results[i];
    if (result.outcome == FileResult::Outcome::unreadable) {
      print_error("cannot read " + session.inputs[i].path + ": " + to_string(result.error));
      code = ExitCode::usage;
      continue;
    }
    std::cout << session.inputs[i].path << ": "
              << (result.runs.empty() ? "not recognised" : result.runs.front().dialect) << '\n';
    for (const Recognised& each : result.detection) {
      if (each.found.empty() && !each.accepted) continue;
      std::cout << "  " << (each.accepted ? "yes " : "no  ") << each.dialect->name << '\n';
      print("found", each.found);
      print("missing", each.missing);
      print("excluded by", each.excluded_by);
    }
  }
  return code;
}

}  // namespace

ExitCode run_check(const Options& options, const Parts& parts) {
  if (!options.show_settings.empty()) return run_show_settings(options, parts);
  Session session(options, parts);
  if (print_problems(session.store.problems())) return ExitCode::usage;
  if (options.explain_detection) return explain_detection(session);
  if (!options.fix && !options.diff) {
    const Report report = session.lint(session.workspace.files(), {});
    return worse(write_report(report, session, std::cout), judge_findings(report, session.fail_on));
  }
  const FixedFiles fixed = fix_all(session, options.unsafe_fixes);
  if (options.diff) return show_diff(session, fixed);
  const ExitCode written = write_fixes(session, fixed);
  std::ostream& out = session.workspace.stdin_path.empty() ? std::cout : std::cerr;
  const ExitCode shown = write_report(fixed.report, session, out);
  return worse(written, worse(shown, judge_findings(fixed.report, session.fail_on)));
}

}  // namespace oomlint
