#pragma once

#include "integrations/files/memory_files.h"
#include "lint/engine/report.h"
#include "tests/support/corpus.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint::test {

/// A file to lint, and whether it is named or met in a walk.
struct CorpusInput {
  std::string path;
  bool named = false;
};

/// The corpus as `check` sees it.
class LintedCorpus {
 public:
  explicit LintedCorpus(const std::filesystem::path& folder);

  /// Those that some reader reads.
  [[nodiscard]] const std::vector<std::string>& paths() const { return paths_; }
  [[nodiscard]] bool holds(std::string_view path) { return files_.exists(path); }
  /// The report of `oomlint check` with these arguments on these files.
  [[nodiscard]] Report check(const std::vector<CorpusInput>& inputs,
                             const std::vector<std::string>& arguments);

 private:
  MemoryFiles files_;
  std::vector<std::string> paths_;
};

}  // namespace oomlint::test
