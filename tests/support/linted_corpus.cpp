#include "tests/support/linted_corpus.h"

#include "parsers/readers.h"

namespace oomlint::test {

LintedCorpus::LintedCorpus(const std::filesystem::path& folder) {
  for (const CorpusFile& file : corpus_files(folder)) {
    files.set(file.path, contents(folder / file.path));
    if (reader_for(file.path) != nullptr) paths.push_back(file.path);
  }
}

}  // namespace oomlint::test
