#pragma once

#include "integrations/cli/session.h"
#include "integrations/files/memory_files.h"

#include <map>
#include <string>

namespace oomlint {

/// The files after all fixes, and the report of what is left.
struct FixedFiles {
  std::map<std::string, std::string> texts;  ///< only files that changed
  std::size_t fixes = 0;
  Report report;
};

/// Applies the fixes of a session in memory. Fixes that touch the same bytes wait for the next round, in
/// which the files are linted again: the second fix is then made for the text the first one left.
[[nodiscard]] FixedFiles fix_all(Session& session, bool unsafe);

}  // namespace oomlint
