#include "integrations/cli/commands.h"
#include "integrations/cli/output.h"
#include "integrations/cli/version.h"
#include "parsers/readers.h"

#include <array>
#include <exception>
#include <iostream>

namespace {

using namespace oomlint;

ExitCode run_version(const Options& /*options*/, const Parts& /*parts*/) {
  std::cout << "oomlint " << product_version() << '\n';
  return ExitCode::done;
}

ExitCode run_help(const Options& options, const Parts& /*parts*/) {
  const CommandSpec* command = options.arguments.empty() ? nullptr : find_command(options.arguments.front());
  if (!options.arguments.empty() && command == nullptr) {
    print_error("there is no command `" + options.arguments.front() + "`", "`oomlint help` shows them all");
    return ExitCode::usage;
  }
  std::cout << help_text(command);
  return ExitCode::done;
}

struct Runner {
  Command command;
  ExitCode (*run)(const Options& options, const Parts& parts);
};
constexpr std::array<Runner, 7> runners{{{command_check, run_check},
                                         {command_estimate, run_estimate},
                                         {command_explain, run_explain},
                                         {command_list, run_list},
                                         {command_init, run_init},
                                         {command_version, run_version},
                                         {command_help, run_help}}};

ExitCode run(std::span<const std::string_view> arguments) {
  const ParsedOptions parsed = parse_options(arguments);
  if (!parsed.error.empty()) {
    print_error(parsed.error, "`oomlint help` shows commands and options");
    return ExitCode::usage;
  }
  const CommandSpec* command = find_command(parsed.options.command);
  if (parsed.options.help) {
    std::cout << help_text(arguments.empty() || command->command == command_help ? nullptr : command);
    return ExitCode::done;
  }
  const Parts parts{all_readers(), all_dialects(), all_rules()};
  for (const Runner& runner : runners) {
    if (runner.command == command->command) return runner.run(parsed.options, parts);
  }
  return ExitCode::usage;
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  try {
    const std::vector<std::string_view> arguments(argv + 1, argv + argc);
    const int code = static_cast<int>(run(arguments));
    std::cout.flush();
    return code;
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what()
              << "\n  help: this is a bug in oomlint, please report it with the file\n";
    return static_cast<int>(ExitCode::usage);
  }
}
