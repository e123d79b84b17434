#pragma once

#include "integrations/cli/exit_code.h"
#include "integrations/cli/options.h"
#include "lint/engine/engine.h"

namespace oomlint {

// One function and one file a command. Results go to standard output, what went wrong to standard error.
ExitCode run_check(const Options& options, const Parts& parts);
ExitCode run_estimate(const Options& options, const Parts& parts);
ExitCode run_explain(const Options& options, const Parts& parts);
ExitCode run_list(const Options& options, const Parts& parts);
ExitCode run_init(const Options& options, const Parts& parts);
ExitCode run_show_settings(const Options& options, const Parts& parts);

}  // namespace oomlint
