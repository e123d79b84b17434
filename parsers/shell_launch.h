#pragma once

#include "parsers/shell_arguments.h"
#include "parsers/shell_script.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

/// A program that starts others: `torchrun`, `accelerate launch`, `srun`, and its own options.
struct ShellLauncher {
  std::string_view name;
  std::vector<ShellOption> options;
};

/// A command line taken apart: who starts what with which arguments.
struct ShellLaunch {
  std::vector<ShellLauncher> launchers;  ///< from the outside in
  std::string program;                   ///< "swift sft", "train.py", "verl.trainer.main_ppo"; may be empty
  Span program_span;
  std::vector<ShellWord> arguments;  ///< what the program is given
  std::vector<ShellSetting> environment;
};

/// Nothing for a command that starts no Python program or trainer.
[[nodiscard]] std::optional<ShellLaunch> take_apart(const ShellCommand& command);

}  // namespace oomlint
