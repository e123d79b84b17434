#include "integrations/cli/output.h"

#include "integrations/emit/emit.h"
#include "integrations/files/atomic_write.h"
#include "integrations/files/git_revision.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <sys/ioctl.h>
#include <unistd.h>

namespace oomlint {

namespace {

using Emitter = void (*)(const Report&, const EmitOptions&, std::ostream&);

struct FormatRow {
  Format format;
  Emitter check;
  Emitter estimate;  ///< null: `estimate` does not print it
};
constexpr std::array<FormatRow, 5> emitters{{{Format::text, emit_text, emit_estimate_text},
                                             {Format::concise, emit_concise, nullptr},
                                             {Format::json, emit_json, emit_estimate_json},
                                             {Format::sarif, emit_sarif, nullptr},
                                             {Format::github, emit_github, nullptr}}};

bool wants_colour(ColourChoice choice) {
  if (choice != ColourChoice::automatic) return choice == ColourChoice::always;
  const auto is_set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  if (is_set("NO_COLOR")) return false;
  return is_set("FORCE_COLOR") || ::isatty(STDOUT_FILENO) == 1;
}

/// Columns of the terminal; a fixed width elsewhere, so that the same input gives the same bytes.
unsigned terminal_width() {
  constexpr unsigned elsewhere = 100;
  winsize size{};
  if (::isatty(STDOUT_FILENO) != 1 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return elsewhere;
  return std::clamp<unsigned>(size.ws_col, 60, 160);
}

/// The commit that is linted, for the one format that carries it.
std::optional<Provenance> provenance_of(const Options& options, Files& files) {
  const bool wanted =
      std::any_of(options.outputs.begin(), options.outputs.end(),
                  [](const OutputRequest& request) { return request.format == Format::sarif; });
  const auto found = wanted ? read_git_revision(files) : std::nullopt;
  if (!found) return std::nullopt;
  return Provenance{found->remote, found->revision, found->branch};
}

/// Whether nothing would be said but the summary.
bool is_silent(const Report& report) {
  return report.diagnostics.empty() && report.unreadable_named.empty();
}

}  // namespace

void print_error(std::string_view message, std::string_view help) {
  std::cerr << "error: " << message << '\n';
  if (!help.empty()) std::cerr << "  help: " << help << '\n';
}

bool print_problems(const std::vector<SettingsProblem>& problems) {
  for (const SettingsProblem& problem : problems) {
    const bool in_file = !problem.path.starts_with("--");
    std::string place = problem.path;
    if (in_file) {
      place +=
          ":" + std::to_string(problem.at.line + 1) + ":" + std::to_string(problem.at.code_point_column + 1);
    }
    print_error(place + ": " + problem.message, problem.help);
  }
  return !problems.empty();
}

ExitCode write_report(const Report& report, Session& session, std::ostream& out) {
  const Options& options = session.options;
  EmitOptions emit;
  emit.width = terminal_width();
  emit.rules = session.parts.rules;
  emit.provenance = provenance_of(options, session.workspace.files());
  std::vector<OutputRequest> outputs = options.outputs;
  const bool on_stdout =
      std::any_of(outputs.begin(), outputs.end(), [](const auto& each) { return each.file.empty(); });
  if (!on_stdout) outputs.push_back({});

  ExitCode code = ExitCode::done;
  for (const OutputRequest& request : outputs) {
    const auto row = std::find_if(emitters.begin(), emitters.end(),
                                  [&](const auto& each) { return each.format == request.format; });
    const Emitter emitter = options.command == "estimate" ? row->estimate : row->check;
    const bool for_people = request.format == Format::text || request.format == Format::concise;
    emit.colour = request.file.empty() && wants_colour(options.colour);
    if (request.file.empty()) {
      if (!(options.quiet && for_people && is_silent(report))) emitter(report, emit, out);
      if (!for_people || options.command == "estimate") {
        for (const std::string& unreadable : report.unreadable_named)
          print_error("cannot read " + unreadable);
      }
      continue;
    }
    std::ostringstream text;
    emitter(report, emit, text);
    const std::string problem = write_atomically(request.file, text.view());
    if (problem.empty()) continue;
    print_error("cannot write " + problem);
    code = ExitCode::usage;
  }
  out.flush();
  if (!out) {
    print_error("cannot write to standard output");
    code = ExitCode::usage;
  }
  return code;
}

ExitCode judge_findings(const Report& report, FailOn fail_on) {
  if (!report.unreadable_named.empty()) return ExitCode::usage;
  if (fail_on == FailOn::never) return ExitCode::done;
  const Severity from = fail_on == FailOn::error     ? Severity::error
                        : fail_on == FailOn::warning ? Severity::warning
                                                     : Severity::note;
  const bool found = std::any_of(report.diagnostics.begin(), report.diagnostics.end(),
                                 [&](const Diagnostic& diagnostic) { return diagnostic.severity >= from; });
  return found ? ExitCode::findings : ExitCode::done;
}

}  // namespace oomlint
