#include "integrations/files/walk.h"

#include "integrations/files/gitignore.h"
#include "integrations/files/memory_files.h"

#include <doctest/doctest.h>

using namespace oomlint;
using Paths = std::vector<std::string>;

TEST_CASE("a walk finds config files in the order of their paths") {
  MemoryFiles files({{"b.yml", ""},
                     {"a/x.yaml", ""},
                     {"a.toml", ""},
                     {"a/y.json", ""},
                     {"z.txt", ""},
                     {"a/node_modules/p.json", ""},
                     {".git/config.toml", ""},
                     {"venv/lib/c.yaml", ""}});
  CHECK(walk(files, "", {}) == Paths{"a.toml", "a/x.yaml", "a/y.json", "b.yml"});
  CHECK(walk(files, "a", {}) == Paths{"a/x.yaml", "a/y.json"});
  CHECK(walk(files, "", {"*.toml", "a/"}) == Paths{"b.yml"});
}

TEST_CASE("a walk leaves out what git ignores") {
  MemoryFiles files({{".gitignore", "out/\n*.json\n!keep.json\n/top.yaml\n"},
                     {"top.yaml", ""},
                     {"d/top.yaml", ""},
                     {"d/x.json", ""},
                     {"d/keep.json", ""},
                     {"d/.gitignore", "# local\nlocal.yaml\n!x.json\n"},
                     {"d/local.yaml", ""},
                     {"e/local.yaml", ""},
                     {"out/a.yaml", ""},
                     {"e/out/keep.json", ""},
                     {".git/info/exclude", "e/secret*.yaml\n"},
                     {"e/secret1.yaml", ""}});
  CHECK(walk(files, "", {}) == Paths{"d/keep.json", "d/top.yaml", "d/x.json", "e/local.yaml"});
  CHECK(walk(files, "d", {}) == Paths{"d/keep.json", "d/top.yaml", "d/x.json"});
  CHECK(walk(files, "out", {}) == Paths{"out/a.yaml"});  // asked for by name
}

TEST_CASE("gitignore rules: the last match decides, blanks and escapes") {
  IgnoreRules rules;
  rules.add("", "a*  \n!ab\nfoo/bar\n**/deep/x\ndir/\n\\#hash\nkeep\\ \r\n");
  CHECK(rules.ignored("ac", false));
  CHECK_FALSE(rules.ignored("ab", false));
  CHECK(rules.ignored("foo/bar", false));
  CHECK_FALSE(rules.ignored("q/foo/bar", false));
  CHECK(rules.ignored("q/deep/x", false));
  CHECK(rules.ignored("q/dir", true));
  CHECK_FALSE(rules.ignored("q/dir", false));
  CHECK(rules.ignored("#hash", false));
  CHECK(rules.ignored("keep ", false));
}
