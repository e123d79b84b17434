#include "integrations/files/disk_files.h"
#include "integrations/files/memory_files.h"
#include "integrations/files/recording_files.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

using namespace oomlint;
namespace fs = std::filesystem;

namespace {

/// A folder that goes away with the test.
struct Scratch {
  Scratch() {
    std::string name = (fs::temp_directory_path() / "oomlint-XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~Scratch() { fs::remove_all(path); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  void write(const std::string& name, const std::string& bytes) const {
    fs::create_directories((path / name).parent_path());
    std::ofstream(path / name, std::ios::binary) << bytes;
  }
  fs::path path;
};

}  // namespace

TEST_CASE("paths are normalised and never leave the root") {
  CHECK(normalise("a/b/../c") == "a/c");
  CHECK(normalise("./a//b/.") == "a/b");
  CHECK(normalise("").value() == "");
  CHECK_FALSE(normalise("../a"));
  CHECK_FALSE(normalise("a/../../b"));
  CHECK_FALSE(normalise("/etc/passwd"));
  CHECK_FALSE(normalise(std::string("a\0b", 3)));
  CHECK(resolve_beside("x/a.yaml", "ds.json") == "x/ds.json");
  CHECK(resolve_beside("x/a.yaml", "../ds.json") == "ds.json");
  CHECK(resolve_beside("a.yaml", "b.yaml") == "b.yaml");
  CHECK_FALSE(resolve_beside("a.yaml", "../b.yaml"));
  CHECK_FALSE(resolve_beside("a.yaml", "/b.yaml"));
}

TEST_CASE("the disk gives regular files below its root and says why it gives nothing else") {
  const Scratch scratch;
  const Scratch outside;
  scratch.write("d/a.yaml", "a: 1\n");
  scratch.write("empty.yaml", "");
  outside.write("secret.yaml", "x: 1\n");
  fs::create_symlink(outside.path / "secret.yaml", scratch.path / "link.yaml");
  fs::create_symlink("d/a.yaml", scratch.path / "inner.yaml");
  fs::create_symlink("loop.yaml", scratch.path / "loop.yaml");
  fs::create_directory_symlink(".", scratch.path / "d/self");
  REQUIRE(::mkfifo((scratch.path / "fifo.yaml").c_str(), 0600) == 0);
  scratch.write("limit.yaml", std::string(max_file_bytes, '#'));
  scratch.write("sparse.yaml", "");
  fs::resize_file(scratch.path / "sparse.yaml", std::uintmax_t{2} << 30);

  DiskFiles files(scratch.path.string());
  CHECK(files.read("d/a.yaml").bytes == "a: 1\n");
  CHECK(files.read("empty.yaml").error == ReadError::none);
  CHECK(files.read("inner.yaml").bytes == "a: 1\n");
  CHECK(files.read("d/self/a.yaml").bytes == "a: 1\n");
  CHECK(files.read("limit.yaml").bytes.size() == max_file_bytes);
  CHECK(files.read("sparse.yaml").error == ReadError::too_large);
  CHECK(files.read("link.yaml").error == ReadError::outside_root);
  CHECK(files.read("../secret.yaml").error == ReadError::outside_root);
  CHECK(files.read("loop.yaml").error == ReadError::io);
  CHECK(files.read("fifo.yaml").error == ReadError::not_regular);
  CHECK(files.read("d").error == ReadError::not_regular);
  CHECK(files.read("none.yaml").error == ReadError::missing);
  CHECK(files.read("d/a.yaml/x").error == ReadError::missing);
  CHECK(files.exists("d/a.yaml"));
  CHECK_FALSE(files.exists("d"));
  CHECK_FALSE(files.exists("link.yaml"));
  CHECK(files.list("d") == std::vector<std::string>{"a.yaml"});
  CHECK(files.list("none").empty());
  CHECK(files.list("../").empty());
  CHECK(DiskFiles((scratch.path / "none").string()).read("a").error == ReadError::missing);
}

TEST_CASE("a file without permission is told apart") {
  if (::geteuid() == 0) {
    MESSAGE("SKIPPED: root may read everything");
    return;
  }
  const Scratch scratch;
  scratch.write("a.yaml", "a: 1\n");
  fs::permissions(scratch.path / "a.yaml", fs::perms::none);
  CHECK(DiskFiles(scratch.path.string()).read("a.yaml").error == ReadError::no_permission);
}

TEST_CASE("memory lists folders with a slash, an overlay hides what is below") {
  MemoryFiles below({{"a.yaml", "disk"}, {"d/b.yaml", "b"}, {"d/e/c.yaml", "c"}});
  CHECK(below.list("") == std::vector<std::string>{"a.yaml", "d/"});
  CHECK(below.list("d") == std::vector<std::string>{"b.yaml", "e/"});
  OverlayFiles overlay(below);
  overlay.set("a.yaml", "buffer");
  overlay.set("d/n.yaml", "new");
  CHECK(overlay.read("a.yaml").bytes == "buffer");
  CHECK(overlay.read("d/b.yaml").bytes == "b");
  CHECK(overlay.list("d") == std::vector<std::string>{"b.yaml", "e/", "n.yaml"});
  CHECK(overlay.read("../x").error == ReadError::outside_root);
}

TEST_CASE("recorded dependencies hold look-ups that failed") {
  MemoryFiles inner;
  inner.set("a.yaml", "");
  RecordingFiles files(inner);
  (void)files.read("a.yaml");
  (void)files.exists("x/../ds.json");
  (void)files.list("d");
  CHECK(files.dependencies() ==
        std::map<std::string, bool>{{"a.yaml", true}, {"ds.json", false}, {"d/", true}});
}
