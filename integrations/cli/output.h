#pragma once

#include "integrations/cli/exit_code.h"
#include "integrations/cli/options.h"
#include "integrations/cli/session.h"
#include "lint/engine/report.h"

#include <iosfwd>
#include <string>

namespace oomlint {

/// Prints "error: message" and what to do about it.
void print_error(std::string_view message, std::string_view help = {});
/// Prints settings problems; false when there are none.
bool print_problems(const std::vector<SettingsProblem>& problems);

/// Writes the report in every format that was asked for (text to standard output by default). A file that
/// can't be written is a usage error.
[[nodiscard]] ExitCode write_report(const Report& report, Session& session, std::ostream& out);

/// What the findings of a report mean for the exit code.
[[nodiscard]] ExitCode judge_findings(const Report& report, FailOn fail_on);

}  // namespace oomlint
