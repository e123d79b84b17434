#include "lint/engine/rule.h"
#include "tests/support/paths.h"
#include "tests/support/rule_examples.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string>

namespace oomlint {
namespace {

/// The block of codes of a family of rules (a folder below rules/).
struct Family {
  std::string_view folder;
  int first, last;
};
constexpr std::array<Family, 6> families{{{"input", 1, 19},
                                          {"memory", 1001, 1039},
                                          {"speed", 2001, 2019},
                                          {"consistency", 3001, 3019},
                                          {"keys", 4001, 4019},
                                          {"linter", 9001, 9009}}};

std::string stem_of(std::string_view name) {
  std::string stem(name);
  std::replace(stem.begin(), stem.end(), '-', '_');
  return stem;
}

TEST_CASE("rules: every file is in the table, with a code of its family") {
  std::set<std::string> stems;
  for (const Rule* rule : all_rules()) {
    INFO(rule->name);
    stems.insert(stem_of(rule->name));
    REQUIRE(rule->code.size() == 7);
    CHECK(rule->code.substr(0, 3) == "OOM");
    const int number = std::stoi(std::string(rule->code.substr(3)));
    const auto family = std::find_if(families.begin(), families.end(), [&](const Family& each) {
      return std::filesystem::exists(test::source_dir() / "rules" / each.folder /
                                     (stem_of(rule->name) + ".cpp"));
    });
    REQUIRE(family != families.end());
    CHECK(number >= family->first);
    CHECK(number <= family->last);
    CHECK(!rule->summary.empty());
  }
  CHECK(stems.size() == all_rules().size());
}

TEST_CASE("rules: codes are unique") {
  std::set<std::string_view> codes;
  for (const Rule* rule : all_rules()) CHECK_MESSAGE(codes.insert(rule->code).second, rule->code);
}

TEST_CASE("rules: the documentation has its headings, in order") {
  constexpr std::array<std::string_view, 6> headings{
      "## What it does\n", "## Why it matters\n",      "## Example\n",
      "## Instead\n",      "## Numbers and sources\n", "## Limits\n"};
  for (const Rule* rule : all_rules()) {
    INFO(rule->name);
    std::size_t at = 0;
    for (const std::string_view heading : headings) {
      const std::size_t found = rule->doc.find(heading, at);
      REQUIRE_MESSAGE(found != std::string_view::npos, heading);
      at = found + heading.size();
    }
  }
}

TEST_CASE("rules: the documentation shows one example that fires and one that is silent") {
  for (const Rule* rule : all_rules()) {
    INFO(rule->name);
    const auto examples = test::rule_examples(rule->doc);
    CHECK(std::any_of(examples.begin(), examples.end(), [](const auto& each) { return each.fires; }));
    CHECK(std::any_of(examples.begin(), examples.end(), [](const auto& each) { return !each.fires; }));
  }
}

}  // namespace
}  // namespace oomlint
