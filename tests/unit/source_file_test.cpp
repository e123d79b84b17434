#include "lint/text/source_file.h"

#include <doctest/doctest.h>

using namespace oomlint;

TEST_CASE("lines end at LF, CRLF and a lone CR") {
  const SourceFile file("a.yaml", "a: 1\r\nb: 2\rc: 3\n");
  REQUIRE(file.line_count() == 4);
  CHECK(file.line(0) == "a: 1");
  CHECK(file.line(1) == "b: 2");
  CHECK(file.line(2) == "c: 3");
  CHECK(file.line(3).empty());
}

TEST_CASE("columns count bytes, UTF-16 units and code points apart") {
  const SourceFile file("a.yaml", "x: \xC3\xA9\xF0\x9F\x98\x80z\n");  // é, then a character outside the BMP
  const Position at = file.position(9);                               // the z
  CHECK(at.byte_column == 9);
  CHECK(at.utf16_column == 6);
  CHECK(at.code_point_column == 5);
  CHECK(file.offset_at_utf16(0, 6) == 9);
}

TEST_CASE("invalid UTF-8 is found at its first byte") {
  std::uint32_t bad = 0;
  CHECK(is_valid_utf8("caf\xC3\xA9"));
  CHECK_FALSE(is_valid_utf8("ab\xC0\xAF", &bad));
  CHECK(bad == 2);
  CHECK_FALSE(is_valid_utf8("\xED\xA0\x80"));
  CHECK_FALSE(is_valid_utf8("\xF4\x90\x80\x80"));
}
