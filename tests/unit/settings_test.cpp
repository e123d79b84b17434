#include "parsers/settings/settings.h"

#include "integrations/files/memory_files.h"

#include <doctest/doctest.h>

using namespace oomlint;

namespace {

SettingsFile read(std::string text, const std::string& path = "oomlint.toml") {
  MemoryFiles files;
  files.set(path, std::move(text));
  return read_settings(files, path);
}

std::string only_problem(const SettingsFile& file) {
  REQUIRE(file.problems.size() == 1);
  const SettingsProblem& problem = file.problems.front();
  return std::to_string(problem.at.line + 1) + ": " + problem.message +
         (problem.help.empty() ? "" : " | " + problem.help);
}

}  // namespace

TEST_CASE("a target is read with its headroom") {
  const SettingsFile file = read(
      "[target]\ngpu = \"A100-80GB\"\nworld = 8\nheadroom = \"15%\"\nrecommended-headroom = "
      "0.25\nother-processes = \"1.5GiB\"\n");
  CHECK(file.problems.empty());
  const Settings settings = settings_for(file, "a.yaml");
  CHECK(settings.target.gpu == "A100-80GB");
  CHECK(settings.target.world == 8);
  CHECK(settings.headroom.required == Ratio{1500, 10000});
  CHECK(settings.headroom.recommended == Ratio{2500, 10000});
  CHECK(settings.headroom.other_processes == Bytes(1610612736));
  CHECK(settings.source == "oomlint.toml");
}

TEST_CASE("overrides go by path, in order, and reset nothing they do not say") {
  const SettingsFile file = read(
      "[target]\ngpu = \"24GB\"\nworld = 2\n[levels]\ntight = \"note\"\n"
      "[[overrides]]\nfiles = [\"big/**\"]\ntarget = { gpu = \"80GB\" }\nlevels = { tight = \"off\" }\n"
      "[[overrides]]\nfiles = \"big/one.yaml\"\ndialect = \"axolotl\"\nversions = { transformers = \"4.46\" "
      "}\n");
  CHECK(file.problems.empty());
  CHECK(settings_for(file, "small/a.yaml").target.gpu == "24GB");
  const Settings big = settings_for(file, "big/one.yaml");
  CHECK(big.target.gpu == "80GB");
  CHECK(big.target.world == 2);
  CHECK(big.levels.at("tight") == Level::off);
  CHECK(big.dialect == "axolotl");
  CHECK(big.versions.at("transformers") == "4.46");
  CHECK(settings_for(file, "big/two.yaml").dialect.empty());
}

TEST_CASE("globs are relative to the settings file that holds them") {
  const SettingsFile file = read(
      "exclude = [\"*.json\"]\n[[overrides]]\nfiles = [\"x/*.yaml\"]\ntarget = { world = 4 }\n"
      "[[ignores]]\nfile = \"ds.json\"\nkey = \"zero\"\nrules = [\"tight\"]\nreason = \"known\"\n",
      "sub/oomlint.toml");
  CHECK(file.problems.empty());
  CHECK(file.exclude == std::vector<std::string>{"sub/**/*.json"});
  CHECK(settings_for(file, "sub/x/a.yaml").target.world == 4);
  CHECK_FALSE(settings_for(file, "x/a.yaml").target.world);
  CHECK(file.ignores.at(0).file == "sub/**/ds.json");
  CHECK(file.ignores.at(0).place.path == "sub/oomlint.toml");
}

TEST_CASE("extend is read first, and circles end") {
  MemoryFiles files;
  files.set("oomlint.toml", "[target]\ngpu = \"24GB\"\nworld = 8\n");
  files.set("sub/oomlint.toml", "extend = \"../oomlint.toml\"\n[target]\nworld = 2\n");
  files.set("a/oomlint.toml", "extend = \"b.toml\"\n");
  files.set("a/b.toml", "extend = \"oomlint.toml\"\n");
  files.set("bad/oomlint.toml", "extend = \"none.toml\"\n");
  const Settings settings = settings_for(read_settings(files, "sub/oomlint.toml"), "sub/a.yaml");
  CHECK(settings.target.gpu == "24GB");
  CHECK(settings.target.world == 2);
  CHECK(only_problem(read_settings(files, "a/oomlint.toml")) == "1: `extend` leads in a circle");
  CHECK(only_problem(read_settings(files, "bad/oomlint.toml")) ==
        "1: can't read bad/none.toml: no such file");
}

TEST_CASE("the nearest settings file upwards holds") {
  MemoryFiles files;
  files.set(".oomlint.toml", "");
  files.set("a/oomlint.toml", "");
  files.set("a/b/pyproject.toml", "[project]\nname = \"x\"\n");
  files.set("c/pyproject.toml", "[tool.oomlint]\n");
  CHECK(find_settings(files, "a/b") == "a/oomlint.toml");
  CHECK(find_settings(files, "c/d") == "c/pyproject.toml");
  CHECK(find_settings(files, "") == ".oomlint.toml");
  MemoryFiles none;
  CHECK_FALSE(find_settings(none, "a/b"));
}

TEST_CASE("errors have a line and say what to do") {
  CHECK(only_problem(read("[target]\ngpus = 8\n")) == "2: unknown setting `gpus` | did you mean `gpu`?");
  CHECK(only_problem(read("[target]\nworld = 0\n")) == "2: `world` expects a whole number of at least 1");
  CHECK(only_problem(read("[target]\nheadroom = \"lots\"\n")) ==
        "2: `headroom` expects a share such as \"10%\" or 0.1");
  CHECK(only_problem(read("\n[levels]\ntight = \"fatal\"\n")) ==
        "3: the level of `tight` expects off, note, warning or error");
  CHECK(only_problem(read("[assume]\nsequence_lenght = 1\n")) ==
        "2: unknown field `sequence_lenght` | did you mean `sequence_length`?");
  CHECK(only_problem(read("[[ignores]]\nfile = \"a\"\n")).find("needs `rules`") != std::string::npos);
  CHECK_FALSE(read("[target\n").problems.empty());
}

TEST_CASE("models and cards of the user join the catalogue") {
  const SettingsFile file = read(
      "[models.\"acme/base-13b\"]\nlayers = 40\nhidden-size = 5120\nintermediate-size = 13824\nheads = "
      "40\nvocabulary = 32000\n"
      "[models.flat]\nparameters = 13_000_000_000\n[cards.mine]\nmemory = \"47.5GiB\"\nbf16 = false\n");
  CHECK(file.problems.empty());
  REQUIRE(file.catalogue.models.size() == 2);
  const auto& models = file.catalogue.models;
  const auto& shaped = models[0].id == "flat" ? models[1] : models[0];
  CHECK(shaped.id == "acme/base-13b");
  CHECK(shaped.shape.complete);
  CHECK(shaped.shape.head_dim == 128);
  CHECK(shaped.shape.kv_heads == 40);
  REQUIRE(file.catalogue.cards.size() == 1);
  CHECK(file.catalogue.cards[0].capacity == Bytes(51002736640));
  CHECK_FALSE(file.catalogue.cards[0].has_bf16);
  CHECK_FALSE(read("[cards.mine]\nbf16 = true\n").problems.empty());
}
