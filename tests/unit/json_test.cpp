#include "tests/support/cpu_time.h"
#include "tests/support/document_shape.h"

#include <doctest/doctest.h>

#include <string>

namespace oomlint {

using test::problem_of;
using test::read_text;
using test::shape;
using test::value_text;

TEST_CASE("json: values, spans and order") {
  const Document document = read_text(
      "a.json", "{\"a\": 1, \"b\": [1, -2.5e3, true, null],\n \"c\": {\"d\": \"x\\ny\"}, \"a\": {}}");
  CHECK(document.problems().empty());
  CHECK(shape(document) == "{a: <1>, b: [<1>, <-2.5e3>, <true>, ~], c: {d: <x\ny>}, a: {}}");
  CHECK(value_text(document, "b") == "[1, -2.5e3, true, null]");
  CHECK(value_text(document, "b[1]") == "-2.5e3");
  CHECK(value_text(document, "c") == "{\"d\": \"x\\ny\"}");
  CHECK(value_text(document, "c.d") == "\"x\\ny\"");
  CHECK(document.at(document.find("a")).kind == NodeKind::mapping);
  CHECK(document.source().text(document.key_span(document.find("c"))) == "\"c\"");
}

TEST_CASE("json: comments, a byte order mark, CRLF and Python's numbers are read") {
  CHECK(shape(read_text("a.json", "\xEF\xBB\xBF{ // one\r\n \"a\": /* two */ 1\r\n}")) == "{a: <1>}");
  const Document document = read_text("a.json", "{\"a\": NaN, \"b\": [-Infinity, Infinity], \"c\": \"NaN\"}");
  CHECK(document.problems().empty());
  CHECK(shape(document) == "{a: <NaN>, b: [<-Infinity>, <Infinity>], c: <NaN>}");
}

TEST_CASE("json: what is refused is said once, in our words, and the rest is read") {
  struct Case {
    const char* text;
    const char* problem;
    const char* shape;
  };
  const Case cases[] = {
      {"{\n  \"a\": 1,\n  \"b\": ,\n  \"c\": 2\n}", "key without a value", "{a: <1>, c: <2>}"},
      {"{\n  \"a\": 1,\n  \"b\":\n  \"c\": 2\n}", "key without a value", "{a: <1>, c: <2>}"},
      {"{\n  \"a\": 1,\n  \"b\": [1, 2,\n  \"c\": 2\n}", "bracket that is not closed", "{a: <1>, c: <2>}"},
      {"{\n  \"a\": 1\n  \"b\": 2\n}", "a comma is missing behind this", "{a: <1>, b: <2>}"},
      {"{\n  \"a\": {\n    \"x\": tru\n  },\n  \"c\": 3,\n}", "not a JSON value: texts take double quotes",
       "{a: {}, c: <3>}"},
      {"{\n  \"a\": \"x,\n  \"c\": 3\n}", "quote that is not closed on its line", "{c: <3>}"},
      {"{'a': 1}", "single quotes: JSON takes double quotes", "nothing"},
      {"{\"a\": 1}}", "text after the end of the document", "{a: <1>}"},
      {"{\"a\": 1", "bracket that is not closed", "{a: <1>}"},
      {"{\"a\": 1,}", "comma before a closing bracket", "{a: <1>}"},
      {"{\n \"a\": 1, # no\n \"b\": 2}", "JSON has no `#` comments", "{a: <1>, b: <2>}"},
      {"[1,,2]", "nothing between two separators", "nothing"},
      {"{\"a\"}", "key without a `:`", "nothing"},
      {"{\"a\": \"\\x\"}", "malformed escape in a text", "nothing"},
      {"", "the file holds no value", "nothing"},
  };
  for (const Case& expected : cases) {
    CAPTURE(expected.text);
    const Document document = read_text("a.json", expected.text);
    CHECK(document.partial());
    CHECK(problem_of(document) == expected.problem);
    CHECK(shape(document) == expected.shape);
  }
}

TEST_CASE("json: hostile texts end in a finding, in time") {
  std::string comments;
  while (comments.size() < (1U << 20)) comments += "#\n";
  for (const std::string& text : {comments, std::string(1 << 20, '['), std::string(1 << 20, '"')}) {
    const test::CpuTimer timer;
    CHECK(read_text("a.json", text).problems().size() == 1);
    CHECK(timer.seconds() < test::time_limit_seconds);
  }
}

}  // namespace oomlint
