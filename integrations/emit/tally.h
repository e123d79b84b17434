#pragma once

#include "lint/engine/report.h"

#include <string>

namespace oomlint {

/// The findings counted, for closing lines and machine-readable summaries.
struct Tally {
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t notes = 0;
  std::size_t files = 0;             ///< with at least one finding
  std::size_t fixable = 0;           ///< findings with a safe fix
  std::size_t unsafely_fixable = 0;  ///< findings whose only fixes with edits are unsafe
};
[[nodiscard]] Tally tally(const Report& report);

/// Whether a fix has edits and is of that applicability.
[[nodiscard]] bool has_fix(const Diagnostic& diagnostic, Applicability applicability);

/// "1 error", "2 errors"
[[nodiscard]] std::string counted(std::size_t count, const std::string& noun);

/// "found 1 error and 2 warnings in 2 of 41 files (38 not recognised as training configs); 1 fixable with
/// --fix"
[[nodiscard]] std::string summary_line(const Report& report);

}  // namespace oomlint
