#include "lint/engine/pins.h"

#include "integrations/files/memory_files.h"
#include "lint/catalog/catalog.h"
#include "lint/engine/run_versions.h"

#include <doctest/doctest.h>

using namespace oomlint;

namespace {

std::string described(const Pin& pin) {
  std::string text = pin.package;
  if (pin.exact) text += " =" + to_string(*pin.exact);
  if (pin.at_least) text += " >=" + to_string(*pin.at_least);
  if (pin.below) text += " <" + to_string(*pin.below);
  return text;
}

std::string required(std::string_view line) {
  const auto pins = pins_in_requirements("requirements.txt", line);
  return pins.empty() ? "nothing" : described(pins.front());
}

std::string version_of(const Versions& versions, std::string_view package) {
  const VersionRange* range = versions.find(package);
  if (range == nullptr) return "none";
  return to_string(range->low) + ".." + to_string(range->high);
}

}  // namespace

TEST_CASE("pins: the bounds of a requirement") {
  CHECK(required("transformers==4.41.2") == "transformers =4.41.2");
  CHECK(required("transformers[torch] == 4.41.2  # tested") == "transformers =4.41.2");
  CHECK(required("Flash_Attn===2.6.3") == "flash-attn =2.6.3");
  CHECK(required("torch==2.4.0+cu121") == "torch =2.4.0");
  CHECK(required("peft>=0.11,<0.13") == "peft >=0.11.0 <0.13.0");
  CHECK(required("peft<=0.12.1") == "peft <0.12.2");
  CHECK(required("trl~=0.9.4") == "trl >=0.9.4 <0.10.0");
  CHECK(required("trl~=0.9") == "trl >=0.9.0 <1.0.0");
  CHECK(required("torch==2.4.*") == "torch >=2.4.0 <2.5.0");
  CHECK(required("accelerate==0.34.0 \\\n    --hash=sha256:00") == "accelerate =0.34.0");
}

TEST_CASE("pins: what bounds nothing, or not for certain, says nothing") {
  for (const char* line : {"", "# transformers==4.0", "transformers", "transformers!=4.40.0", "-r other.txt",
                           "--index-url x", "torch==2.1.0 ; sys_platform == 'win32'",
                           "peft @ git+https://example.org/peft.git", "peft==", "[x"}) {
    CAPTURE(line);
    CHECK(required(line) == "nothing");
  }
}

TEST_CASE("pins: a lock file holds one exact version a package, not those of its dependencies") {
  const auto pins = pins_in_lock("uv.lock",
                                 "version = 1\n[[package]]\nname = \"peft\"\nversion = \"0.11.1\"\n"
                                 "dependencies = [\n  { name = \"torch\" },\n]\n[package.metadata]\n"
                                 "version = \"9.9.9\"\n[[package]]\nname = \"torch\"\nversion = \"2.4.0\"\n");
  REQUIRE(pins.size() == 2);
  CHECK(described(pins[0]) == "peft =0.11.1");
  CHECK(described(pins[1]) == "torch =2.4.0");
}

TEST_CASE("pins: the nearest file decides, package by package; a lock before requirements") {
  MemoryFiles files({{"requirements.txt", "peft==0.5.0\ntrl==0.7.1\n"},
                     {"a/requirements.txt", "peft==0.6.0\ntorch==2.1.0\n"},
                     {"a/uv.lock", "[[package]]\nname = \"torch\"\nversion = \"2.2.0\"\n"},
                     {"b/requirements.txt", "peft==0.7.0\n"}});
  std::string all;
  for (const Pin& pin : find_pins("a/configs/x.yml", files)) all += described(pin) + " (" + pin.file + ") ";
  CHECK(all == "torch =2.2.0 (a/uv.lock) peft =0.6.0 (a/requirements.txt) trl =0.7.1 (requirements.txt) ");
}

TEST_CASE("versions: settings, then the date, then pins, then the last twelve months") {
  const auto pins =
      pins_in_requirements("requirements.txt", "transformers==4.41.2\npeft==0.11.1\ntrl>=0.9,<0.9.6\n");
  Settings settings;
  CHECK(version_of(resolve_versions(settings, pins), "transformers") == "4.41.2..4.41.2");
  CHECK(version_of(resolve_versions(settings, pins), "trl") == "0.9.4..0.9.4");
  CHECK(version_of(resolve_versions(settings, {}), "peft") != "0.11.1..0.11.1");
  settings.assumed.push_back({Field::framework_date, std::string("2023-10-10"), {}});
  CHECK(version_of(resolve_versions(settings, pins), "peft") == "0.5.0..0.5.0");
  settings.versions.emplace("peft", "0.8.2");
  CHECK(version_of(resolve_versions(settings, pins), "peft") == "0.8.2..0.8.2");
}

TEST_CASE("releases: an installer takes the newest a bound admits") {
  const auto old = releases_within("transformers", Version{4, 40, 0}, Version{4, 42, 0});
  REQUIRE(old);
  CHECK(old->oldest == "4.41.2");
  CHECK(old->newest == "4.41.2");
  const auto open = releases_within("transformers", Version{4, 0, 0}, std::nullopt);
  REQUIRE(open);
  for (const CurrentReleases& recent : recent_releases()) {
    if (recent.package != "transformers") continue;
    CHECK(open->oldest == recent.oldest);
    CHECK(open->newest == recent.newest);
  }
  CHECK_FALSE(releases_within("transformers", Version{999, 0, 0}, std::nullopt));
  CHECK_FALSE(releases_within("no-such-package", std::nullopt, std::nullopt));
}
