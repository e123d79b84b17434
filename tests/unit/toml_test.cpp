#include "tests/support/document_shape.h"

#include <doctest/doctest.h>

#include <string>

namespace oomlint {

using test::problem_of;
using test::read_text;
using test::shape;
using test::value_text;

TEST_CASE("toml: tables, dotted keys and arrays in the order of the file") {
  const Document document = read_text("a.toml",
                                      "z = 1\nb.c = 'x'\n[t]\nd = [1, 0x_f]\ne = {f = 1.5, g = "
                                      "2020-01-01}\n[[u]]\nv = \"\"\"\nx\\t\"\"\"\n[[u]]\n\"w x\" = true\n");
  CHECK(document.problems().size() == 1);
  CHECK(shape(read_text("a.toml",
                        "z = 1\nb.c = 'x'\n[t]\nd = [1, 0xf]\ne = {f = 1.5, g = 2020-01-01}\n[[u]]\nv = "
                        "\"\"\"\nx\\t\"\"\"\n[[u]]\n\"w x\" = true\n")) ==
        "{z: <1>, b: {c: <x>}, t: {d: [<1>, <0xf>], e: {f: <1.5>, g: <2020-01-01>}}, u: [{v: <x\t>}, {w x: "
        "<true>}]}");
}

TEST_CASE("toml: columns count characters, spans count bytes") {
  const Document document = read_text(
      "a.toml",
      "\xEF\xBB\xBF"
      "a = \"\xC3\xA9\" # \xC3\xA9\r\nc = {x=\"\xC3\xA9\", y = \"z\\n\"}\r\n[t.s]\r\nq = [\r\n 1,\r\n]\r\n");
  CHECK(document.problems().empty());
  CHECK(value_text(document, "a") == "\"\xC3\xA9\"");
  CHECK(value_text(document, "c.y") == "\"z\\n\"");
  CHECK(value_text(document, "c") == "{x=\"\xC3\xA9\", y = \"z\\n\"}");
  CHECK(value_text(document, "t.s") == "[t.s]");
  CHECK(value_text(document, "t.s.q") == "[\r\n 1,\r\n]");
  CHECK(document.source().text(document.key_span(document.find("c.y"))) == "y");
}

TEST_CASE("toml: what is refused is said once, in our words, and the rest is read") {
  struct Case {
    const char* text;
    const char* problem;
    const char* shape;
  };
  const Case cases[] = {
      {"a =\nb = 2\n", "key without a value", "{b: <2>}"},
      {"a = x\nb = 2\n", "malformed value: texts take quotes", "{b: <2>}"},
      {"a = \"x\nb = 1", "quote that is not closed", "{b: <1>}"},
      {"lr\nb = 1", "a key, `=` and a value expected", "{b: <1>}"},
      {"a = 1\na = 2\n", "key or table that exists already", "{a: <1>}"},
      {"[model\nx = 1\n[b]\ny = 2\n", "malformed table header", "{b: {y: <2>}}"},
      {"a = [1,\n2\nb = 3\n", "bracket that is not closed", "{b: <3>}"},
      {"a = [\n  1,\n  @,\n  3,\n]\nb = 3\n", "malformed item of a list", "{a: [<1>, <3>], b: <3>}"},
      {"\xC3\xA9 = 1\nb = 1", "malformed key: without quotes it takes letters, digits, `-` and `_`",
       "{b: <1>}"},
      {"a = \xE2\x80\x9Cx\xE2\x80\x9D\nb = 1", "malformed value: texts take quotes", "{b: <1>}"},
      {"\xC3\xA9\nb = 1", "a key, `=` and a value expected", "{b: <1>}"},
      {"[", "malformed table header", "{}"},
      {"[\n", "malformed table header", "{}"},
      {"[[[1]]]", "malformed table header", "{}"},
  };
  for (const Case& expected : cases) {
    CAPTURE(expected.text);
    const Document document = read_text("a.toml", expected.text);
    CHECK(document.partial());
    CHECK(problem_of(document) == expected.problem);
    CHECK(shape(document) == expected.shape);
  }
}

TEST_CASE("toml: deep keys are refused before the library's recursion sees them") {
  std::string key = "a";
  for (int i = 0; i < 50'000; ++i) key += ".a";
  const std::string long_key = "key of more than 64 dotted parts";
  CHECK(problem_of(read_text("a.toml", key + " = 1\n")) == long_key);
  CHECK(problem_of(read_text("a.toml", "[" + key + "]\nb = 1\n")) == long_key);
  CHECK(problem_of(read_text("a.toml", "x = {" + key + " = 1}\n")) == long_key);
  CHECK(problem_of(read_text("a.toml", "x = " + std::string(100'000, '[') + "\n")) ==
        "nested more than 200 levels deep");
  std::string inline_tables = "x = ";
  for (int i = 0; i < 100; ++i) inline_tables += "{a.b.c.d = ";
  CHECK(problem_of(read_text("a.toml", inline_tables + "1")) == "nested more than 200 levels deep");
  CHECK(shape(read_text("a.toml", key + " = 1\nb = 2\n")) == "{b: <2>}");
  CHECK(read_text("a.toml", "x = 3.14.15.9\n").problems().size() == 1);
}

}  // namespace oomlint
