#include "lint/catalog/catalog.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace oomlint;

namespace {

std::string range_of(const std::vector<CurrentReleases>& releases, std::string_view package) {
  const auto found = std::find_if(releases.begin(), releases.end(),
                                  [&](const CurrentReleases& each) { return each.package == package; });
  if (found == releases.end()) return "none";
  return std::string(found->oldest) + ".." + std::string(found->newest);
}

}  // namespace

TEST_CASE("releases: a period admits what was the newest on one of its days") {
  CHECK(range_of(releases_of("2024-05-18"), "transformers") == "4.41.0..4.41.0");
  CHECK(range_of(releases_of("2024-05"), "transformers") == "4.40.1..4.41.2");
  CHECK(range_of(releases_of("2024"), "torch") == "2.1.2..2.5.1");
}

TEST_CASE("releases: a package counts from its first release on") {
  CHECK(range_of(releases_of("2023-06"), "torchtune") == "none");
  CHECK(range_of(releases_of("2024-04-16"), "torchtune") == "0.1.0..0.1.0");
}

TEST_CASE("releases: what is not a date admits nothing") {
  for (const char* date : {"", "May 2024", "2024-05-18-01", "2024--05", "-2024", "20240518"}) {
    CAPTURE(date);
    CHECK(releases_of(date).empty());
  }
}

TEST_CASE("releases: the last twelve months reach from an older to the newest version of what is alive") {
  const std::vector<CurrentReleases> recent = recent_releases();
  for (const char* package : {"transformers", "torch", "peft", "trl", "accelerate", "deepspeed"}) {
    CAPTURE(package);
    const std::string range = range_of(recent, package);
    CHECK(range != "none");
    const std::size_t dots = range.find("..");
    CHECK(range.substr(0, dots) != range.substr(dots + 2));
  }
}
