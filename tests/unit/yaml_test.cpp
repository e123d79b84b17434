#include "tests/support/cpu_time.h"
#include "tests/support/document_shape.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>

namespace oomlint {
using test::problem_of;
using test::read_text;
using test::shape;
using test::value_text;

namespace {

Document yaml(std::string text) {
  return read_text("test.yaml", std::move(text));
}

}  // namespace

TEST_CASE("yaml: mappings, lists, scalars and nulls") {
  const Document document = yaml("a: 1\nb:\n  - x\n  - 'it''s'\n  -\nc: null\nd:\ne: {f: [1, 2], g: }\n");
  CHECK(document.problems().empty());
  CHECK_FALSE(document.partial());
  CHECK(shape(document) == "{a: <1>, b: [<x>, <it's>, ], c: ~, d: , e: {f: [<1>, <2>], g: }}");
}

TEST_CASE("yaml: value spans end where the value ends") {
  const Document document =
      yaml("a:  12  # x\nb: \"q\\n\"\nc:\n  d: [1, {e: 2}]\n  f: |\n    text\n\n  g: &n 3\nh: last");
  CHECK(value_text(document, "a") == "12");
  CHECK(value_text(document, "b") == "\"q\\n\"");
  CHECK(value_text(document, "c.d") == "[1, {e: 2}]");
  CHECK(value_text(document, "c.d[1]") == "{e: 2}");
  CHECK(value_text(document, "c.f") == "|\n    text");
  CHECK(value_text(document, "c.g") == "3");
  CHECK(value_text(document, "h") == "last");
  CHECK(document.find("c.d[1].e") != no_node);
  CHECK(document.source().text(document.key_span(document.find("c.f"))) == "f");
  CHECK(document.source().text(document.entry_span(document.find("c.d"))) == "d: [1, {e: 2}]");
}

TEST_CASE("yaml: a value that is missing has a place to be written") {
  const Document document = yaml("a:\n'b' :  # why\nc:\n  -  # first\n  # more\n  - 2\nnull: 5\n");
  CHECK(shape(document) == "{a: , b: , c: [, <2>], null: <5>}");
  CHECK(document.at(document.find("a")).begin == 2);
  CHECK(document.at(document.find("b")).begin == 8);
  CHECK(document.value_span(document.find("c[0]")) == Span{22, 22});
}

TEST_CASE("yaml: the letters of a key are not the value of the key above") {
  const Document document = yaml("a:\nnull: 3\n");
  CHECK(shape(document) == "{a: , null: <3>}");
  CHECK(document.at(document.find("a")).begin == 2);
  CHECK(shape(yaml("a: null\nnull: ~\n")) == "{a: ~, null: ~}");
}

TEST_CASE("yaml: the first document with a value is the one that is read") {
  CHECK(shape(yaml("---\n---\na: 1\n---\nb: 2\n")) == "{a: <1>}");
  CHECK(yaml("---\na: 1\n---\nb: [\n").problems().empty());
  CHECK(shape(yaml("# nothing\n")) == "nothing");
  CHECK(yaml("# nothing\n").problems().empty());
  CHECK(shape(yaml("a: 1\n...\n")) == "{a: <1>}");
}

TEST_CASE("yaml: a byte order mark, CRLF and non-ASCII text do not move spans") {
  const Document document = yaml(
      "\xEF\xBB\xBF"
      "a: \xC3\xA9  # \xE2\x82\xAC\r\nb:\t[1,\r\n  2]\r\nc: |\r\n  x\r\n");
  CHECK(document.problems().empty());
  CHECK(value_text(document, "a") == "\xC3\xA9");
  CHECK(value_text(document, "b") == "[1,\r\n  2]");
  CHECK(document.at(document.find("c")).text == "x\n");
  CHECK(document.source().text(document.key_span(document.find("b"))) == "b");
}

TEST_CASE("yaml: aliases, merges, tags and keys of all kinds") {
  const Document document = yaml(
      "base: &b {lr: 1, wd: 2}\nother: &o {lr: 3, eps: 4}\nrun:\n  <<: [*b, *o]\n  wd: !!float 5\n"
      "again: *b\n? [x, y]\n: 6\n'q': &s !local 7\nnull: 8\n");
  CHECK(document.problems().empty());
  CHECK(document.at(document.find("run.lr")).text == "1");
  CHECK(document.at(document.find("run.wd")).text == "5");
  CHECK(document.at(document.find("run.wd")).tag == "!!float");
  CHECK(document.at(document.find("run.eps")).text == "4");
  CHECK(document.at(document.find("again.wd")).text == "2");
  CHECK(document.at(document.find("q")).tag == "!local");
  CHECK(value_text(document, "q") == "7");
  CHECK(value_text(document, "again") == "*b");
  CHECK(document.find("null") != no_node);
}

TEST_CASE("yaml: what is refused is said once, in our words, and the rest is read") {
  struct Case {
    const char* text;
    const char* problem;
    const char* shape;
  };
  const Case cases[] = {
      {"lr: 5\nlr\nbatch: 3\n", "key without a `:`", "{lr: <5>, batch: <3>}"},
      {"a: 1\nb", "key without a `:`", "{a: <1>}"},
      {"a:1\nb: 2\n", "a `:` after a key needs a space behind it", "{b: <2>}"},
      {"a: b: c\nd: 1\n", "a second `:` on the line: quote the value if the colon is part of it", "{d: <1>}"},
      {"a:\n  b: 1\n   c: 2\n  d: 3\n", "indented deeper than the key above, which has a value already",
       "{a: {b: <1>, d: <3>}}"},
      {"a: 1\nb: [1, 2\nc: 3\n", "bracket that is not closed", "{a: <1>, c: <3>}"},
      {"x:\n  y: [a,\n  b\nz: 1\n", "bracket that is not closed", "{x: , z: <1>}"},
      {"a: {b: 1\nc: 2\n", "bracket that is not closed", "{c: <2>}"},
      {"a: 1\nb: \"x\nc: 3\n", "quote that is never closed", "{a: <1>, c: <3>}"},
      {"a: 'x\nb: 1\n", "quote that is never closed", "{b: <1>}"},
      {"a: \"x\nb: \"y\"\n", "quote that is not closed before the next one", "{b: <y>}"},
      {"a: [1, , 2]\nb: 1\n", "list item without a value", "{b: <1>}"},
      {"a: @x\nb: 2\n", "a value cannot start with this character: quote it", "{b: <2>}"},
      {"a: *x\nb: 1\n", "no anchor of this name above", "{b: <1>}"},
      {"a:\n\tb: 2\nc: 3\n", "indented with a tab: YAML takes only spaces", "{a: {b: <2>}, c: <3>}"},
      {"- a\nb: 1\n", "text after the end of the document", "[<a>]"},
      {"{a: 1}}\n", "closing bracket without an opening one", "nothing"},
      {"a: \"\\q\"\nb: 1\n", "unknown escape in a double-quoted text", "{b: <1>}"},
  };
  for (const Case& expected : cases) {
    CAPTURE(expected.text);
    const Document document = yaml(expected.text);
    CHECK(document.partial());
    CHECK(problem_of(document) == expected.problem);
    CHECK(shape(document) == expected.shape);
  }
}

TEST_CASE("yaml: texts on which the library's document loop never ends") {
  for (const char* text : {",", ", a", "[],", "- a\n, b", "{a: 1}\n, \"b\": 2", "!+(.,.)"}) {
    CAPTURE(text);
    CHECK(yaml(text).problems().size() == 1);
  }
  CHECK(shape(yaml("- a\n, b")) == "[<a>]");
}

TEST_CASE("yaml: bytes that are no text are said and stepped over") {
  const Document invalid = yaml("a: 1\nb: x\xFFy\nc: 2\n");
  CHECK(problem_of(invalid) == "byte that is not UTF-8");
  CHECK(invalid.problems().front().span == Span{9, 10});
  CHECK(shape(invalid) == "{a: <1>, b: <x?y>, c: <2>}");
  CHECK(problem_of(yaml(std::string("a: 1\0\nb: 2\n", 11))) == "NUL byte: this is not a text file");
  CHECK(problem_of(yaml("a: \x07\n")) == "control character U+0007");
}

TEST_CASE("yaml: an alias never leads to what holds it") {
  const Document cycle = yaml("a: &a [*a, {b: *a}]\nc: *a\n");
  CHECK(cycle.problems().empty());
  CHECK(shape(cycle) == "{a: [*?, {b: *?}], c: *a}");
  std::string bomb = "l0: &l0 [x, x, x, x, x, x, x, x, x]\n";
  for (int level = 1; level < 9; ++level) {
    const std::string below = std::to_string(level - 1);
    bomb += "l" + std::to_string(level) + ": &l" + std::to_string(level) + " [";
    for (int i = 0; i < 9; ++i) bomb += (i == 0 ? "*l" : ", *l") + below;
    bomb += "]\n";
  }
  CHECK(yaml(bomb).size() == 9 * 10 + 1);
  CHECK(yaml("a: &a {<<: *a, b: 1}\nc: {<<: *a}\n").find("c.missing") == no_node);
}

TEST_CASE("yaml: a great many merged mappings are each searched once") {
  std::string text = "m0: &m0 {k: 0}\n";
  for (int i = 1; i < 3'000; ++i) {
    const std::string below = "*m" + std::to_string(i - 1);
    text += "m" + std::to_string(i) + ": &m" + std::to_string(i) + " {<<: [" + below + ", " + below + "]}\n";
  }
  const Document document = yaml(text);
  CHECK(document.at(document.find("m2999.k")).text == "0");
  CHECK(document.find("m2999.missing") == no_node);
}

TEST_CASE("yaml: hostile texts end in a finding, in time") {
  std::string deep;
  for (int i = 0; i < 400; ++i) deep += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  std::string errors;
  for (int i = 0; i < 70'000; ++i) errors += "@ x\n";
  std::string lines = "a: 1\n";
  for (int i = 0; i < 40'000; ++i) lines += "k" + std::to_string(i) + ": \"\\t\"\n";
  const std::pair<const char*, std::string> cases[] = {
      {"100,000 brackets", std::string(100'000, '[')},
      {"100,000 braces", "a: " + std::string(100'000, '{')},
      {"a megabyte of commas", std::string(1 << 20, ',')},
      {"a megabyte of dashes", std::string(1 << 20, '-')},
      {"a megabyte of quotes", std::string(1 << 20, '"')},
      {"a megabyte of question marks",
       [] {
         std::string text;
         while (text.size() < (1U << 20)) text += "? ";
         return text;
       }()},
      {"400 levels", deep},
      {"70,000 errors", errors},
  };
  for (const auto& hostile : cases) {
    CAPTURE(hostile.first);
    const test::CpuTimer timer;
    const Document document = yaml(hostile.second);
    CHECK(document.problems().size() <= 1);
    if (document.root() != no_node) static_cast<void>(document.value_span(document.root()));
    CHECK(timer.seconds() < test::time_limit_seconds);
  }
  CHECK(problem_of(yaml(deep)) == "nested more than 200 levels deep");
  // More lines than the grammar's row counter holds: values far down still have their spans.
  const Document many = yaml(lines);
  CHECK(many.problems().empty());
  CHECK(value_text(many, "k10") == "\"\\t\"");
  CHECK(value_text(many, "a") == "1");
}

}  // namespace oomlint
