#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace oomlint::test {

/// A file of the corpus of real configs, as its index lists it.
struct CorpusFile {
  std::string framework;  ///< whose repository it is from
  std::string path;       ///< below the corpus
  std::string kind;       ///< what the index takes it for: "train", "dataset", …
};

/// The corpus, each file once although some are listed once a purpose.
[[nodiscard]] std::vector<CorpusFile> corpus_files(const std::filesystem::path& corpus);

[[nodiscard]] std::string contents(const std::filesystem::path& file);

}  // namespace oomlint::test
