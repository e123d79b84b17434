#include "lint/text/glob.h"

#include <doctest/doctest.h>

#include <string>

using namespace oomlint;

TEST_CASE("globs match as git's do") {
  CHECK(glob_match("*.yml", "a.yml"));
  CHECK_FALSE(glob_match("*.yml", "d/a.yml"));
  CHECK(glob_match("**/a.yml", "a.yml"));
  CHECK(glob_match("**/a.yml", "x/y/a.yml"));
  CHECK_FALSE(glob_match("**/a.yml", "x/ba.yml"));
  CHECK(glob_match("a/**", "a/b/c"));
  CHECK(glob_match("a/**/z", "a/z"));
  CHECK(glob_match("a/**/z", "a/b/c/z"));
  CHECK(glob_match("a/**/*.y?ml", "a/b/c/q.yaml"));
  CHECK(glob_match("[a-c]x[!0-9]", "bxz"));
  CHECK_FALSE(glob_match("[a-c]x[!0-9]", "bx1"));
  CHECK(glob_match("\\*", "*"));
  CHECK_FALSE(glob_match("\\*", "a"));
  CHECK(glob_match("a[", "a["));
  CHECK_FALSE(glob_match("", "a"));
}

TEST_CASE("a long run of stars stays quick") {
  CHECK_FALSE(glob_match("*a*a*a*a*a*a*a*a*a*a*a*a*b", std::string(2000, 'a')));
  CHECK_FALSE(glob_match("**/a/**/a/**/a/**/a/**/b", std::string(2000, 'a')));
}

TEST_CASE("a pattern of the settings means names at any depth and whole folders") {
  CHECK(path_matches("a.yml", "x/a.yml"));
  CHECK(path_matches("configs/", "configs/x/a.yml"));
  CHECK(path_matches("third_party", "x/third_party/a.yml"));
  CHECK(path_matches("./configs/a100", "configs/a100/b.yml"));
  CHECK(path_matches("/a.yml", "a.yml"));
  CHECK_FALSE(path_matches("configs/a.yml", "x/configs/a.yml"));
}
