#include "integrations/emit/emit.h"
#include "integrations/emit/fingerprint.h"
#include "integrations/emit/sarif_text.h"
#include "tests/unit/emit_sample.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <array>

using namespace oomlint;
using namespace oomlint::test;
using Json = nlohmann::ordered_json;

namespace {

constexpr Rule does_not_fit_rule{"OOM1001",
                                 "does-not-fit",
                                 Severity::error,
                                 "the run needs more memory than the card has",
                                 "# What it does\nAdds up the bytes of the run and holds them\nagainst the "
                                 "card.\n\n# Why it matters\nIt would stop.\n",
                                 nullptr};
constexpr Rule syntax_rule{"OOM0001", "syntax-error", Severity::error, "the file cannot be read",
                           "",        nullptr};
constexpr std::array<const Rule*, 2> some_rules{&does_not_fit_rule, &syntax_rule};

EmitOptions with_everything() {
  EmitOptions options;
  options.rules = some_rules;
  options.suppressed = true;
  options.category = "oomlint/configs/";
  options.provenance =
      Provenance{"https://example.com/org/repo", "0123456789abcdef0123456789abcdef01234567", "main"};
  return options;
}

Json sarif(const Report& report, const EmitOptions& options = with_everything()) {
  return Json::parse(printed([&](std::ostream& out) { emit_sarif(report, options, out); }))["runs"][0];
}

}  // namespace

TEST_CASE("emit: SARIF prints the sample and the empty report as their goldens") {
  const Report report = sample_report();
  check_golden("check.sarif", [&](std::ostream& out) { emit_sarif(report, with_everything(), out); });
  Report empty;
  empty.version = "0.1.0";
  check_golden("empty.sarif", [&](std::ostream& out) { emit_sarif(empty, with_everything(), out); });
}

TEST_CASE("emit: line hashes are those GitHub publishes as test vectors of its upload action") {
  CHECK(line_hashes("") == std::vector<std::string>{"c129715d7a2bc9a3:1"});
  CHECK(line_hashes(" a\nb\n  \t\tc\n d") ==
        std::vector<std::string>{"271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1",
                                 "a23a3dc5e078b07b:1"});
  CHECK(line_hashes(" hello; \t\r\nworld!!!\r\n\r\n\r\n  \t\tGreetings\r\n End\r\n")[0] ==
        "e9496ae3ebfced30:1");
  std::string lorem;
  for (int i = 0; i < 10; ++i) lorem += "Lorem ipsum dolor sit amet.\n";
  const auto hashes = line_hashes(lorem);
  REQUIRE(hashes.size() == 11);
  CHECK(hashes[5] == "a7f2ff13bc495cf2:6");
  CHECK(hashes[9] == "cc97dc7b1d7d8f7b:1");
  CHECK(hashes[10] == "c129715d7a2bc9a3:1");
}

TEST_CASE("emit: paths become URIs that every viewer can resolve") {
  CHECK(path_to_uri("configs/a b.yaml") == "configs/a%20b.yaml");
  CHECK(path_to_uri("\xC3\xBC"
                    "bung.yaml") == "%C3%BCbung.yaml");
  CHECK(path_to_uri("a#b?100%[x].yaml") == "a%23b%3F100%25%5Bx%5D.yaml");
  CHECK(path_to_uri("a:b.yaml") == "a%3Ab.yaml");
  CHECK(path_to_uri("./a\\b.yaml") == "a%5Cb.yaml");
  CHECK(path_to_uri("/tmp/a b.yaml") == "file:///tmp/a%20b.yaml");
  CHECK_FALSE(path_to_uri("").empty());
}

TEST_CASE("emit: a message is a pattern and its arguments") {
  const MessageParts parts =
      take_apart("needs 144.1 GiB (10 % free), but DeepSpeed's `a b` is {x} for bf16, see 'it's'");
  CHECK(parts.pattern == "needs '{0}' ('{1}' free), but DeepSpeed's '{2}' is {{x}} for '{3}', see '{4}'");
  CHECK(parts.arguments == std::vector<std::string>{"144.1 GiB", "10 %", "a b", "bf16", "it's"});
  CHECK(parts.text == "needs '144.1 GiB' ('10 %' free), but DeepSpeed's 'a b' is {x} for 'bf16', see 'it's'");
  CHECK(take_apart("nothing that varies").arguments.empty());
}

TEST_CASE("emit: every SARIF message is its rule's pattern filled in") {
  const Json run = sarif(sample_report());
  REQUIRE(run["results"].size() == 5);
  for (const Json& result : run["results"]) {
    const Json& rule = run["tool"]["driver"]["rules"][result["ruleIndex"].get<std::size_t>()];
    CHECK(rule["id"] == result["ruleId"]);
    std::string filled = rule["messageStrings"][result["message"]["id"].get<std::string>()]["text"];
    for (std::size_t i = 0; i < result["message"]["arguments"].size(); ++i) {
      const std::string hole = "{" + std::to_string(i) + "}";
      filled.replace(filled.find(hole), hole.size(), result["message"]["arguments"][i].get<std::string>());
    }
    CHECK(result["message"]["text"] == filled);
    CHECK(result["partialFingerprints"].contains("primaryLocationLineHash"));
    for (const Json& location : result["locations"]) {
      const Json& region = location["physicalLocation"]["region"];
      CHECK(region["startLine"] == region["endLine"]);
      CHECK(region["startColumn"] < region["endColumn"]);
    }
  }
}

TEST_CASE("emit: SARIF columns count UTF-16 units") {
  const Json run = sarif(one_finding("a.yaml", "k: \xF0\x9F\x98\x80 v\n", "v"));
  CHECK(run["results"][0]["locations"][0]["physicalLocation"]["region"]["startColumn"] == 7);
}

TEST_CASE("emit: two findings of one rule on one line are one result") {
  Report report = one_finding("a.yaml", "k: v\nl: w\n", "v");
  report.diagnostics.push_back(report.diagnostics[0]);
  report.diagnostics[1].primary.span = {0, 1};
  report.diagnostics.push_back(report.diagnostics[0]);
  report.diagnostics[2].primary.span = {5, 6};
  const Json run = sarif(report);
  REQUIRE(run["results"].size() == 2);
  CHECK(run["results"][0]["relatedLocations"].size() == 1);
  CHECK(run["results"][0]["partialFingerprints"] != run["results"][1]["partialFingerprints"]);
}

TEST_CASE("emit: silenced findings are in SARIF only on request") {
  EmitOptions options = with_everything();
  options.suppressed = false;
  const Json run = sarif(sample_report(), options);
  CHECK(run["results"].size() == 4);
  for (const Json& result : run["results"]) CHECK_FALSE(result.contains("suppressions"));
  const Json all = sarif(sample_report());
  CHECK(all["results"][4]["suppressions"][0]["justification"] == "measured: it fits");
}

TEST_CASE("emit: SARIF stands bytes that are not UTF-8, an empty file and one long line") {
  CHECK(sarif(one_finding("a.yaml", "k: \xFF v\n", "v"))["results"].size() == 1);
  Report report = one_finding("a.yaml", "x", "x");
  report.sources["a.yaml"] = std::make_shared<const SourceFile>("a.yaml", "");
  CHECK(sarif(report)["results"].size() == 1);
  const Json run =
      sarif(one_finding("a.json", std::string(300000, 'x') + "v" + std::string(300000, 'x'), "v"));
  CHECK(run.dump().size() < 10000);
}

TEST_CASE("emit: SARIF of hard places is its golden") {
  Report report = one_finding("one_line.json", "{}\n", "{}");
  const auto add = [&](std::string path, std::string text, Span span) {
    report.sources[path] = std::make_shared<const SourceFile>(path, std::move(text));
    report.diagnostics.push_back(report.diagnostics[0]);
    report.diagnostics.back().primary = {path, span, ""};
  };
  add("crlf.yaml", "a: 1\r\nb: 2\r\n", {3, 10});
  add("past_the_end.yaml", "a: 1\n\n\n", {7, 7});
  add("wide.json", std::string(3000, 'x') + "\xC3\xBC" + std::string(3000, 'y'), {3000, 3002});
  check_golden("edges.sarif", [&](std::ostream& out) { emit_sarif(report, with_everything(), out); });
}

TEST_CASE("emit: SARIF claims no context where there is none") {
  const auto physical = [](const Report& report) {
    return sarif(report)["results"][0]["locations"][0]["physicalLocation"];
  };
  Report report = one_finding("a.json", "{}", "{}");
  CHECK_FALSE(physical(report).contains("contextRegion"));
  report.sources["a.json"] = std::make_shared<const SourceFile>("a.json", "");
  CHECK_FALSE(physical(report).contains("contextRegion"));
  report.sources.clear();
  CHECK(physical(report)["region"] == Json{{"startLine", 1}});
}
