#pragma once

namespace oomlint {

/// What every command of the binary ends with.
enum class ExitCode : int {
  done = 0,      ///< the command did what it was asked; for `check`: nothing at or above `--fail-on`
  findings = 1,  ///< findings at or above `--fail-on`
  usage = 2,     ///< a wrong option, wrong settings, or a path that was named and can't be read; wins over
                 ///< `findings`
};

[[nodiscard]] constexpr ExitCode worse(ExitCode a, ExitCode b) {
  return a < b ? b : a;
}

}  // namespace oomlint
