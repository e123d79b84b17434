#include "integrations/cli/commands.h"
#include "integrations/cli/output.h"
#include "integrations/cli/session.h"

#include <iostream>
#include <string>

namespace oomlint {

namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string percent(Ratio ratio) {
  return quoted(to_string(Scalar(100.0 * static_cast<double>(ratio.numerator) /
                                 static_cast<double>(ratio.denominator))) +
                "%");
}

/// As a settings file would say it.
void print(const Settings& settings) {
  constexpr const char* levels[] = {"off", "note", "warning", "error"};
  std::cout << "[target]\n";
  if (!settings.target.gpu.empty()) std::cout << "gpu = " << quoted(settings.target.gpu) << '\n';
  if (settings.target.world) std::cout << "world = " << *settings.target.world << '\n';
  if (settings.target.nodes) std::cout << "nodes = " << *settings.target.nodes << '\n';
  std::cout << "headroom = " << percent(settings.headroom.required) << '\n';
  std::cout << "recommended-headroom = " << percent(settings.headroom.recommended) << '\n';
  std::cout << "report-recommended = " << (settings.report_recommended_headroom ? "true" : "false") << '\n';
  std::cout << "other-processes = " << settings.headroom.other_processes.count() << "  # bytes\n";
  if (!settings.dialect.empty()) std::cout << "\ndialect = " << quoted(settings.dialect) << '\n';
  if (!settings.levels.empty()) std::cout << "\n[levels]\n";
  for (const auto& [rule, level] : settings.levels)
    std::cout << rule << " = " << quoted(levels[static_cast<int>(level)]) << '\n';
  if (!settings.versions.empty()) std::cout << "\n[versions]\n";
  for (const auto& [package, version] : settings.versions)
    std::cout << package << " = " << quoted(version) << '\n';
  if (!settings.assumed.empty()) std::cout << "\n[assume]\n";
  for (const Assignment& each : settings.assumed)
    std::cout << name_of(each.field) << " = " << quoted(to_string(each.value)) << '\n';
  for (const IgnoreEntry& entry : settings.ignores) {
    std::cout << "\n[[ignores]]\nfile = " << quoted(entry.file) << "\nkey = " << quoted(entry.key)
              << "\nrules = [";
    for (const std::string& rule : entry.rules)
      std::cout << (&rule == &entry.rules.front() ? "" : ", ") << quoted(rule);
    std::cout << "]\nreason = " << quoted(entry.reason) << '\n';
  }
}

}  // namespace

ExitCode run_show_settings(const Options& options, const Parts& parts) {
  Options only_this = options;
  only_this.arguments = {options.show_settings};
  Session session(only_this, parts);
  const auto path = session.workspace.below_root(options.show_settings);
  if (!path) {
    print_error(options.show_settings + ": " + to_string(ReadError::outside_root));
    return ExitCode::usage;
  }
  const Settings settings = session.store.settings_of(*path);
  if (print_problems(session.store.problems())) return ExitCode::usage;
  std::cout << "# " << *path << ": "
            << (settings.source.empty() ? "no settings file, all defaults" : "from " + settings.source)
            << '\n';
  print(settings);
  return ExitCode::done;
}

}  // namespace oomlint
