#include "lint/text/edits.h"

#include "integrations/files/atomic_write.h"

#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/stat.h>

using namespace oomlint;

TEST_CASE("edits apply from front to back whatever their order") {
  const std::array edits{TextEdit{"a", {6, 6}, "!"}, TextEdit{"a", {0, 3}, "one"}};
  CHECK(apply_edits("abc def", edits) == "one de!f");
}

TEST_CASE("edits overlap when they share bytes or a place of insertion") {
  const std::array first{TextEdit{"a", {2, 5}, ""}};
  CHECK(overlap(first, std::array{TextEdit{"a", {4, 6}, ""}}));
  CHECK(overlap(first, std::array{TextEdit{"a", {2, 2}, "x"}}));
  CHECK_FALSE(overlap(first, std::array{TextEdit{"a", {5, 6}, ""}}));
  CHECK_FALSE(overlap(first, std::array{TextEdit{"b", {2, 5}, ""}}));
}

TEST_CASE("a unified diff has hunks with three lines of context") {
  CHECK(unified_diff("a", "x\n", "x\n").empty());
  CHECK(unified_diff("a", "1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\nfive\n6\n7\n8\n") ==
        "--- a\n+++ a\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
  CHECK(unified_diff("a", "a\nb", "a\nb\nc\n") ==
        "--- a\n+++ a\n@@ -1,2 +1,3 @@\n a\n-b\n\\ No newline at end of file\n+b\n+c\n");
  CHECK(unified_diff("a", "", "x\n") == "--- a\n+++ a\n@@ -0,0 +1 @@\n+x\n");
}

TEST_CASE("far changes get hunks of their own, near ones share one") {
  std::string before;
  for (int i = 1; i <= 30; ++i) before += std::to_string(i) + "\n";
  std::string after = before;
  after.replace(after.find("\n3\n"), 3, "\nthree\n");
  after.replace(after.find("\n9\n"), 3, "\nnine\n");
  after.replace(after.find("\n28\n"), 4, "\n28\nnew\n");
  const std::string diff = unified_diff("a", before, after);
  CHECK(diff.find("@@ -1,12 +1,12 @@\n") != std::string::npos);
  CHECK(diff.find("@@ -26,5 +26,6 @@\n") != std::string::npos);
}

TEST_CASE("a file is replaced in one step and keeps its mode") {
  namespace fs = std::filesystem;
  std::string name = (fs::temp_directory_path() / "oomlint-XXXXXX").string();
  const fs::path folder = ::mkdtemp(name.data());
  const fs::path file = folder / "a.yaml";
  CHECK(create_file(file.string(), "old").empty());
  CHECK_FALSE(create_file(file.string(), "other").empty());
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write | fs::perms::owner_exec);
  fs::create_symlink("a.yaml", folder / "link.yaml");
  CHECK(write_atomically((folder / "link.yaml").string(), "new").empty());
  CHECK(fs::is_symlink(folder / "link.yaml"));
  std::ifstream in(file);
  CHECK(std::string(std::istreambuf_iterator<char>(in), {}) == "new");
  CHECK((fs::status(file).permissions() & fs::perms::all) == fs::perms::owner_all);
  CHECK(std::distance(fs::directory_iterator(folder), fs::directory_iterator()) ==
        2);  // no temporary left behind
  CHECK_FALSE(write_atomically((folder / "none" / "a.yaml").string(), "x").empty());
  fs::remove_all(folder);
}
