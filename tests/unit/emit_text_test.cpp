#include "integrations/emit/byte_table.h"
#include "integrations/emit/display.h"
#include "integrations/emit/emit.h"
#include "tests/unit/emit_sample.h"

#include <doctest/doctest.h>

using namespace oomlint;
using namespace oomlint::test;

namespace {

std::string text_of(const Report& report, const EmitOptions& options = {}) {
  return printed([&](std::ostream& out) { emit_text(report, options, out); });
}

}  // namespace

TEST_CASE("emit: text, concise and github print the sample report as their goldens") {
  const Report report = sample_report();
  check_golden("check.txt", [&](std::ostream& out) { emit_text(report, {}, out); });
  check_golden("check_colour_narrow.txt",
               [&](std::ostream& out) { emit_text(report, {.colour = true, .width = 60}, out); });
  check_golden("check.concise", [&](std::ostream& out) { emit_concise(report, {}, out); });
  check_golden("check.github", [&](std::ostream& out) { emit_github(report, {}, out); });
}

TEST_CASE("emit: estimates and JSON print the sample report as their goldens") {
  const Report report = sample_report();
  check_golden("estimate.txt", [&](std::ostream& out) { emit_estimate_text(report, {}, out); });
  check_golden("estimate.json", [&](std::ostream& out) { emit_estimate_json(report, {}, out); });
  check_golden("check.json", [&](std::ostream& out) { emit_json(report, {}, out); });
}

TEST_CASE("emit: nothing is printed when there is nothing to say") {
  Report report;
  report.summary.files_seen = 3;
  report.summary.unrecognised = 3;
  CHECK(text_of(report).empty());
  CHECK(text_of(report, {.verbose = true}) ==
        "found nothing in 3 files (3 not recognised as training configs)\n");
  report.summary.without_card = 1;
  CHECK(text_of(report).find("1 without a known GPU") != std::string::npos);
}

TEST_CASE("emit: carets stand under wide, combining and tabbed text") {
  CHECK(text_of(one_finding("a.yaml", "\xE5\x90\x8D: x: 7\n", "7")).find("|        ^ here") !=
        std::string::npos);
  CHECK(text_of(one_finding("a.yaml", "e\xCC\x81: 7\n", "7")).find("|    ^ here") != std::string::npos);
  CHECK(text_of(one_finding("a.yaml", "\ta:\t7\n", "7")).find("|         ^ here") != std::string::npos);
  CHECK(text_of(one_finding("a.yaml", "a: \xF0\x9F\x98\x80 7\r\nb: 1\r\n", "7")).find("|       ^ here\n") !=
        std::string::npos);
}

TEST_CASE("emit: a long line is cut around the span") {
  const std::string text = text_of(
      one_finding("a.json", std::string(5000, 'x') + "NEEDLE" + std::string(5000, 'y') + "\n", "NEEDLE"),
      {.width = 80});
  std::size_t line_begin = 0;
  std::string source_line, caret_line;
  while (line_begin < text.size()) {
    const std::size_t end = text.find('\n', line_begin);
    const std::string line = text.substr(line_begin, end - line_begin);
    if (line.find("NEEDLE") != std::string::npos) source_line = line;
    if (line.find('^') != std::string::npos) caret_line = line;
    line_begin = end + 1;
  }
  CHECK(display_width(source_line) <= 80);
  CHECK(source_line.find("...x") != std::string::npos);
  CHECK(source_line.ends_with("y..."));
  CHECK(caret_line.find("^^^^^^ here") == source_line.find("NEEDLE"));
}

TEST_CASE("emit: a config cannot steer the terminal") {
  const std::string text = text_of(one_finding("a.yaml", "a: \x1b[31m\xE2\x80\xAE 7\n", "7"));
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find("\xE2\x80\xAE") == std::string::npos);
  CHECK(text.find("a: \xEF\xBF\xBD[31m\xEF\xBF\xBD 7") != std::string::npos);
  CHECK(printable("caf\xC3\xA9 \xFF") == "caf\xC3\xA9 \xEF\xBF\xBD");
}

TEST_CASE("emit: rounded parts add up to the rounded total") {
  CHECK(rounded_parts({333, 333, 334}, 1000, 10.0) == std::vector<std::uint64_t>{33, 33, 34});
  CHECK(rounded_parts({5, 5, 5, 5}, 20, 10.0) == std::vector<std::uint64_t>{1, 1, 0, 0});
  CHECK(rounded_parts({14, 16}, 100, 10.0) ==
        std::vector<std::uint64_t>{1, 2});  // not a sum: each for itself
  CHECK(gib_text(17179869184, gib_decimals(17179869184)) == "16.0 GiB");
  CHECK(gib_text(122675003392) == "114.3 GiB");  // 114.25: a tie goes up, as in rounded_parts
  CHECK(gib_text(10485760, gib_decimals(10485760)) == "0.010 GiB");
}

TEST_CASE("emit: an empty file, an empty span and a span past the end are places too") {
  Report report = one_finding("a.yaml", "x", "x");
  report.sources["a.yaml"] = std::make_shared<const SourceFile>("a.yaml", "");
  report.diagnostics[0].primary.span = {7, 9};
  CHECK(text_of(report).find("--> a.yaml:1:1") != std::string::npos);
  CHECK(text_of(report).find("| ^ here") != std::string::npos);
  report.sources.clear();
  CHECK(text_of(report).find("--> a.yaml\n") != std::string::npos);
}

TEST_CASE("emit: workflow commands are escaped") {
  Report report = one_finding("a,b:c%.yaml", "k: v\n", "v");
  report.diagnostics[0].message = "100% sure: two\nlines";
  const std::string text = printed([&](std::ostream& out) { emit_github(report, {}, out); });
  CHECK(text ==
        "::warning file=a%2Cb%3Ac%25.yaml,line=1,endLine=1,col=4,endColumn=5,title=OOM1001 "
        "does-not-fit::100%25 sure: "
        "two%0Alines\n");
}
