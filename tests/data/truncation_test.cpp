#include "integrations/files/memory_files.h"
#include "lint/engine/engine.h"
#include "parsers/readers.h"
#include "tests/support/corpus.h"
#include "tests/support/data.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

using namespace oomlint;

namespace {

constexpr std::size_t file_count = 100;
constexpr std::size_t cuts_per_file = 50;

/// Every n-th file of the corpus that a reader claims, `file_count` in all.
std::vector<std::filesystem::path> some_files(const std::filesystem::path& corpus) {
  std::vector<std::filesystem::path> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus)) {
    if (entry.is_regular_file() && reader_for(entry.path().string()) != nullptr) all.push_back(entry.path());
  }
  std::sort(all.begin(), all.end());
  std::vector<std::filesystem::path> some;
  for (std::size_t i = 0; i < file_count && !all.empty(); ++i)
    some.push_back(all[i * all.size() / file_count]);
  return some;
}

/// Every node lies inside the text and every problem points into it.
void check_spans(const Document& document, std::size_t size) {
  for (NodeId id = 0; id < document.size(); ++id) {
    const Span value = document.value_span(id);
    const Span key = document.key_span(id);
    REQUIRE(value.begin <= value.end);
    REQUIRE(value.end <= size);
    REQUIRE(key.begin <= key.end);
    REQUIRE(key.end <= size);
  }
  for (const SyntaxProblem& problem : document.problems()) {
    REQUIRE(problem.span.begin <= problem.span.end);
    REQUIRE(problem.span.end <= size);
    REQUIRE_FALSE(problem.message.empty());
  }
}

}  // namespace

TEST_CASE("corpus files cut off anywhere are read as far as they go") {
  const auto corpus = test::data("corpus");
  if (!corpus) return;
  const Parts parts{all_readers(), all_dialects(), all_rules()};
  std::size_t broken = 0;
  for (const auto& path : some_files(*corpus)) {
    const std::string text = test::contents(path);
    const std::string name = path.filename().string();
    for (std::size_t cut = 0; cut < cuts_per_file; ++cut) {
      const std::string part = text.substr(0, text.size() * cut / cuts_per_file);
      CAPTURE(path.string());
      CAPTURE(part.size());
      const Document document = reader_for(name)->read(std::make_shared<SourceFile>(name, std::string(part)));
      check_spans(document, part.size());
      if (document.partial()) REQUIRE_FALSE(document.problems().empty());
      if (!document.problems().empty()) ++broken;

      MemoryFiles files;
      files.set(name, std::string(part));
      const FileResult result = lint(name, files, {}, parts);
      // What was named and cannot be read is never passed over in silence.
      if (!document.problems().empty()) REQUIRE_FALSE(result.diagnostics.empty());
      for (const Diagnostic& finding : result.diagnostics) REQUIRE(finding.primary.span.end <= part.size());
    }
  }
  CHECK(broken > file_count);  // a test that cut nothing would prove nothing
}
