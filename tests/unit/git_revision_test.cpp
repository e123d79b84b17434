#include "integrations/files/git_revision.h"

#include "integrations/files/memory_files.h"

#include <doctest/doctest.h>

using namespace oomlint;

namespace {

const std::string hash(40, 'a');

std::string remote_of(const std::string& url) {
  MemoryFiles files;
  files.set(".git/HEAD", hash + "\n");
  files.set(".git/config", "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = " + url + "\n");
  const auto found = read_git_revision(files);
  return found ? found->remote : "";
}

}  // namespace

TEST_CASE("the commit is found through the branch, loose or packed") {
  MemoryFiles files;
  files.set(".git/HEAD", "ref: refs/heads/topic/x\n");
  files.set(".git/packed-refs", "# pack-refs\n" + hash + " refs/heads/topic/x\n");
  files.set(".git/config", "[remote \"origin\"]\n\turl = git@example.org:a/b.git\n");
  auto found = read_git_revision(files);
  REQUIRE(found);
  CHECK(found->revision == hash);
  CHECK(found->branch == "topic/x");
  files.set(".git/refs/heads/topic/x", std::string(40, 'b') + "\n");
  CHECK(read_git_revision(files)->revision == std::string(40, 'b'));
  MemoryFiles none;
  CHECK_FALSE(read_git_revision(none));
}

TEST_CASE("a remote becomes a web address without secrets") {
  CHECK(remote_of("https://user:secret@example.org/a/b.git") == "https://example.org/a/b");
  CHECK(remote_of("git@example.org:a/b.git") == "https://example.org/a/b");
  CHECK(remote_of("ssh://git@example.org/a/b") == "https://example.org/a/b");
  CHECK(remote_of("/srv/git/a.git").empty());
  CHECK(remote_of("file:///srv/git/a.git").empty());
}
