#include "tests/support/linted_corpus.h"

#include "integrations/cli/lint_all.h"
#include "parsers/readers.h"

#include <doctest/doctest.h>

namespace oomlint::test {

LintedCorpus::LintedCorpus(const std::filesystem::path& folder) {
  for (const CorpusFile& file : corpus_files(folder)) {
    files_.set(file.path, contents(folder / file.path));
    if (reader_for(file.path) != nullptr) paths_.push_back(file.path);
  }
}

Report LintedCorpus::check(const std::vector<CorpusInput>& named, const std::vector<std::string>& arguments) {
  std::vector<std::string_view> words{"check", "."};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const ParsedOptions parsed = parse_options(words);
  REQUIRE(parsed.error.empty());
  const Parts parts{all_readers(), all_dialects(), all_rules()};
  SettingsStore store(files_, parsed.options, parts);
  std::vector<Input> inputs;
  inputs.reserve(named.size());
  for (const CorpusInput& input : named) inputs.push_back({input.path, input.named});
  return make_report(inputs, lint_all(inputs, files_, store, parts, {}, 1), false);
}

}  // namespace oomlint::test
