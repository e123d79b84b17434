#include "lint/dialect/dialect.h"
#include "parsers/readers.h"
#include "tests/support/data.h"
#include "tests/support/golden.h"
#include "tests/support/linted_corpus.h"

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

// What becomes of every file of the corpus, as a table whose differences are read when a change is reviewed:
// the dialect that claims it, those that nearly did, verdict and peak on eight 80 GB cards, and the findings.
namespace oomlint {
namespace {

std::string joined(const std::set<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text.empty() ? "-" : text;
}

struct Claims {
  std::set<std::string> accepted;
  std::set<std::string> nearly;  ///< all evidence is there, but another dialect or a key speaks against it
};

Claims claims_on(const std::string& path, const std::string& text) {
  const Document document = reader_for(path)->read(std::make_shared<const SourceFile>(path, text));
  Claims claims;
  for (const Dialect* dialect : recognise(document, all_dialects())) claims.accepted.emplace(dialect->name);
  for (const Dialect* dialect : all_dialects()) {
    const Recognised held = hold_against(document, *dialect);
    if (held.missing.empty() && !held.found.empty() && !claims.accepted.contains(std::string(dialect->name)))
      claims.nearly.emplace(dialect->name);
  }
  return claims;
}

}  // namespace

TEST_CASE("corpus: a line a file with its dialect, verdict, peak and findings") {
  const auto folder = test::data("corpus");
  if (!folder) return;
  test::LintedCorpus corpus(*folder);
  std::vector<Input> inputs;
  for (const std::string& path : corpus.paths) inputs.push_back({path, true});
  const Report report = test::check(corpus.files, inputs, {"--gpu", "80GB", "--world", "8"});

  std::map<std::string, const RunReport*> runs;
  for (const RunReport& run : report.runs) runs.emplace(run.files.front(), &run);
  std::map<std::string, std::set<std::string>> codes;
  for (const Diagnostic& finding : report.diagnostics) codes[finding.primary.path].insert(finding.code);

  std::string table = "file\tdialect\tnearly\tverdict\tpeak\tfindings\n";
  for (const std::string& path : corpus.paths) {
    const Claims claims = claims_on(path, test::contents(*folder / path));
    const auto run = runs.find(path);
    std::string verdict = "-";
    std::string peak = "-";
    if (run != runs.end()) {
      verdict = run->second->fragment ? "fragment" : to_string(run->second->evaluation.verdict);
      if (run->second->evaluation.estimated && run->second->evaluation.missing.empty())
        peak = to_string(run->second->evaluation.device.likely);
    }
    for (const std::string& cell : {path, joined(claims.accepted), joined(claims.nearly), verdict, peak})
      table += cell + '\t';
    table += joined(codes[path]) + '\n';
  }
  test::check_golden("corpus_runs.tsv", table);
}

}  // namespace oomlint
