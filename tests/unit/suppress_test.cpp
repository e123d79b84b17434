#include "lint/engine/suppress.h"

#include <doctest/doctest.h>

#include <array>
#include <memory>

using namespace oomlint;

namespace {

const Rule does_not_fit{"OOM1001", "does-not-fit", Severity::error, "", "", nullptr};
const Rule unknown_key{"OOM4003", "unknown-key", Severity::warning, "", "", nullptr};
const Rule unused_rule{"OOM9001", "unused-suppression", Severity::warning, "", "", nullptr};
const Rule unknown_rule{"OOM9002", "unknown-suppression", Severity::warning, "", "", nullptr};
constexpr std::array<const Rule*, 4> rules{&does_not_fit, &unknown_key, &unused_rule, &unknown_rule};

/// One file whose lines carry findings.
struct Bench {
  explicit Bench(std::string text, std::string path = "a.yaml")
      : source(std::make_shared<const SourceFile>(std::move(path), std::move(text))) {}

  [[nodiscard]] Location at(std::uint32_t line) const {
    return {source->path(), {source->line_start(line), source->line_start(line) + 1}, "key"};
  }
  void find(const Rule& rule, std::uint32_t line) {
    Diagnostic diagnostic;
    diagnostic.code = rule.code;
    diagnostic.name = rule.name;
    diagnostic.primary = at(line);
    found.push_back(diagnostic);
  }
  SuppressionResult apply(SuppressionContext context = {true, true}) {
    const std::array all{parse_directives(*source)};
    const std::array sources{source};
    return apply_suppressions(found, all, sources, settings, rules, context);
  }
  [[nodiscard]] std::string after(const Fix& fix) const {
    std::string text(source->bytes());
    const TextEdit& edit = fix.edits.at(0);
    return text.replace(edit.span.begin, edit.span.size(), edit.text);
  }

  std::shared_ptr<const SourceFile> source;
  std::vector<Diagnostic> found;
  Settings settings;
};

}  // namespace

TEST_CASE("a comment silences its own line, by code or name, and keeps its reason") {
  for (const char* name : {"OOM1001", "oom1001", "does-not-fit"}) {
    Bench bench(std::string("a: 1\nb: 2  # oomlint: ignore[") + name + "] measured 70 GiB # noqa\nc: 3\n");
    bench.find(does_not_fit, 1);
    bench.find(does_not_fit, 2);
    const auto result = bench.apply();
    REQUIRE(result.suppressed.size() == 1);
    CHECK(result.suppressed[0].reason == "measured 70 GiB");
    CHECK(result.kept.size() == 1);
    CHECK(result.findings.empty());
  }
}

TEST_CASE("a comment on its own line speaks about the next line with content") {
  Bench bench("# oomlint: ignore[OOM1001]\n# more words\n\na: 1\nb: 2\n");
  bench.find(does_not_fit, 3);
  bench.find(does_not_fit, 4);
  CHECK(bench.apply().kept.size() == 1);
}

TEST_CASE("a comment on a related line silences the finding too") {
  Bench bench("a: 1\nb: 2 # oomlint: ignore[does-not-fit]\n");
  bench.find(does_not_fit, 0);
  bench.found[0].related.push_back({bench.at(1), "the batch"});
  CHECK(bench.apply().kept.empty());
}

TEST_CASE("file-ignore reaches the whole file, disable and enable a range") {
  Bench whole("a: 1\nb: 2\n# oomlint: file-ignore[OOM1001]\n");
  whole.find(does_not_fit, 0);
  CHECK(whole.apply().kept.empty());

  Bench range("a: 1\n# oomlint: disable[OOM4003]\nb: 2\n# oomlint: enable[unknown-key]\nc: 3\n");
  for (const std::uint32_t line : {0U, 2U, 4U}) range.find(unknown_key, line);
  const auto result = range.apply();
  CHECK(result.suppressed.size() == 1);
  CHECK(result.kept.size() == 2);
}

TEST_CASE("text in quotes and block scalars is no comment") {
  Bench bench(
      "a: \"x # oomlint: ignore[OOM1001]\"\nb: |\n  # oomlint: ignore[OOM1001]\n  text\nc: it's # oomlint: "
      "ignore[OOM1001]\nd: 'two\n  # oomlint: ignore[OOM1001]\n  lines'\n- e: >-2\n    # oomlint: "
      "ignore[OOM1001]\nf: a#oomlint: ignore[OOM1001]\n");
  const Directives found = parse_directives(*bench.source);
  REQUIRE(found.entries.size() == 1);
  CHECK(found.entries[0].line == 4);
  CHECK(parse_directives(SourceFile("a.json", "{\"a\": 1} # oomlint: ignore[OOM1001]")).entries.empty());
  CHECK(parse_directives(
            SourceFile("a.toml", "a = '''\n# oomlint: ignore[X]\n'''\nb = 1 # oomlint: ignore[X]\n"))
            .entries.size() == 1);
  CHECK(parse_directives(SourceFile("a.yaml", "a: 'never closed\nb: 1 # oomlint: ignore[X]\n"))
            .entries.size() == 1);
}

TEST_CASE("an unused suppression is a finding whose fix removes it") {
  Bench bench("a: 1 # oomlint: ignore[OOM1001] old\n# oomlint: ignore[OOM1001, OOM4003]\nb: 2\n");
  bench.find(unknown_key, 2);
  const auto result = bench.apply();
  REQUIRE(result.findings.size() == 2);
  CHECK(result.findings[0].message == "`OOM1001` is not reported here");
  CHECK(bench.after(result.findings[0].fixes.at(0)) == "a: 1\n# oomlint: ignore[OOM1001, OOM4003]\nb: 2\n");
  CHECK(bench.after(result.findings[1].fixes.at(0)) ==
        "a: 1 # oomlint: ignore[OOM1001] old\n# oomlint: ignore[OOM4003]\nb: 2\n");
}

TEST_CASE("nothing is called unused that had no chance to fire") {
  Bench bench("a: 1 # oomlint: ignore[OOM1001]\nb: 2 # oomlint: ignore[OOM4003]\n");
  CHECK(bench.apply({true, false}).findings.size() == 1);
  CHECK(bench.apply({false, true}).findings.empty());
  bench.settings.levels["unknown-key"] = Level::off;
  CHECK(bench.apply({true, false}).findings.empty());
}

TEST_CASE("an unknown rule is a finding that names the nearest") {
  Bench bench(
      "a: 1 # oomlint: ignore[does-not-fits]\nb: 2 # oomlint: igonre[OOM1001]\n# oomlint: ignore[]\n# "
      "oomlint: 1\n# oomlint: is a tool\n");
  const auto result = bench.apply();
  REQUIRE(result.findings.size() == 3);
  CHECK(result.findings[0].code == "OOM9002");
  CHECK(result.findings[0].help == "did you mean `does-not-fit`?");
  CHECK(bench.source->text(result.findings[1].primary.span) == "igonre");
}

TEST_CASE("an ignore entry of the settings silences by file and key") {
  Bench bench("{\"a\": 1}", "ds/zero3.json");
  bench.settings.ignores = {{"ds/*.json", "zero", {"OOM4003"}, "2 TB of RAM", {"oomlint.toml", {}, {}}},
                            {"ds/zero3.json", "other", {"OOM4003"}, "", {"oomlint.toml", {}, {}}}};
  bench.find(unknown_key, 0);
  bench.found[0].primary.key = "zero.stage";
  const auto result = bench.apply();
  REQUIRE(result.suppressed.size() == 1);
  CHECK_FALSE(result.suppressed[0].in_source);
  CHECK(result.suppressed[0].reason == "2 TB of RAM");
  REQUIRE(result.findings.size() == 1);  // the second entry names this very file and silences nothing
  CHECK(result.findings[0].primary.path == "oomlint.toml");
}

TEST_CASE("a modeline sets the target except what the command line said") {
  const SourceFile source("a.yaml", "# oomlint: gpu=A100-40GB world=4 dialect=axolotl\na: 1\n");
  Settings settings;
  settings.target.gpu = "24GB";
  apply_modeline(parse_directives(source), settings);
  CHECK(settings.target.gpu == "A100-40GB");
  CHECK(settings.target.world == 4);
  CHECK(settings.dialect == "axolotl");
  settings.command_line.gpu = "80GiB";
  apply_modeline(parse_directives(source), settings);
  CHECK(settings.target.gpu == "80GiB");
}
