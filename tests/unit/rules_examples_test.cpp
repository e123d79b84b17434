#include "tests/support/lint_files.h"
#include "tests/support/rule_examples.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace oomlint {
namespace {

/// How an example marks the line its finding is on.
constexpr std::string_view mark = "# <-";

/// 1-based numbers of the marked lines of the config under test.
std::vector<std::uint32_t> marked_lines(const test::RuleExample& example) {
  std::vector<std::uint32_t> lines;
  const SourceFile source(example.files.back().name, example.files.back().text);
  for (std::uint32_t line = 0; line < source.line_count(); ++line) {
    if (source.line(line).find(mark) != std::string_view::npos) lines.push_back(line + 1);
  }
  return lines;
}

struct Outcome {
  std::vector<std::uint32_t> lines;  ///< of the findings of the rule
  std::set<std::string> others;      ///< codes of other rules
};

Outcome run(const test::RuleExample& example, const Rule& rule) {
  MemoryFiles files;
  for (const auto& file : example.files) files.set(file.name, file.text);
  const Report report = test::check(files, example.files.back().name, example.arguments);
  Outcome outcome;
  for (const Diagnostic& finding : report.diagnostics) {
    if (finding.code != rule.code) {
      outcome.others.insert(finding.code);
      continue;
    }
    const SourceFile& source = *report.sources.at(finding.primary.path);
    CHECK(source.path() == example.files.back().name);
    outcome.lines.push_back(source.line_of(finding.primary.span.begin) + 1);
  }
  return outcome;
}

/// Advice on memory is only given to a run that is short of it, which is a finding of its own.
bool comes_with(const Rule& rule, const std::string& other) {
  const bool advice = rule.code.starts_with("OOM1");
  return advice && (other == "OOM1001" || other == "OOM1002");
}

TEST_CASE("rules: every documented example does what it says, on the line it marks") {
  for (const Rule* rule : all_rules()) {
    for (const test::RuleExample& example : test::rule_examples(rule->doc)) {
      INFO(rule->name, (example.fires ? std::string(" fires") : std::string(" silent")));
      const Outcome outcome = run(example, *rule);
      const auto marked = marked_lines(example);
      CHECK(outcome.lines == marked);
      CHECK(marked.empty() != example.fires);
      for (const std::string& other : outcome.others) {
        CHECK_MESSAGE((example.fires && comes_with(*rule, other)), other);
      }
    }
  }
}

}  // namespace
}  // namespace oomlint
