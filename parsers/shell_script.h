#pragma once

#include "parsers/shell_words.h"

#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

struct ShellSetting {
  std::string name;
  ShellWord value;
};

/// A simple command as it runs: its words, and what the script puts into its environment.
struct ShellCommand {
  std::vector<ShellWord> words;
  std::vector<ShellSetting> environment;
  std::uint32_t begin = 0;
  bool partial = false;  ///< the script is broken around it
};

struct ShellScript {
  std::vector<ShellCommand> commands;
  std::vector<ShellSetting> batch;  ///< options of `#SBATCH` lines, without their dashes
};

/// Walks a script once, top to bottom, as if it were started without arguments: variables hold what was
/// assigned before; what differs between branches is unknown after them; what a branch takes from the
/// script's arguments leaves the value they would replace. Functions are walked last, with what the script
/// has assigned by then. Never throws; stops at sizes no script has.
[[nodiscard]] ShellScript read_script(std::string_view bytes);

}  // namespace oomlint
