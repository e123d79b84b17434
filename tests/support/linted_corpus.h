#pragma once

#include "integrations/files/memory_files.h"
#include "tests/support/corpus.h"
#include "tests/support/lint_files.h"

#include <filesystem>
#include <string>
#include <vector>

namespace oomlint::test {

/// The corpus in memory, for `check`.
struct LintedCorpus {
  explicit LintedCorpus(const std::filesystem::path& folder);

  MemoryFiles files;
  std::vector<std::string> paths;  ///< those that some reader reads
};

}  // namespace oomlint::test
