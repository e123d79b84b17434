#include "tests/support/lint_files.h"

#include <doctest/doctest.h>

#include <string>

namespace oomlint {
namespace {

constexpr std::string_view config =
    "model_name_or_path: Qwen/Qwen2.5-0.5B\n"
    "dataset_name: trl-lib/Capybara\n"
    "dtype: bfloat16\n"
    "bf16: true\n"
    "per_device_train_batch_size: 1\n"
    "gradient_checkpointing: true\n"
    "evaluation_strategy: \"no\"\n"
    "learning_rate: 0.00002\n"
    "output_dir: out\n";

/// The findings of renamed-key, a note by itself, under a level of the settings.
std::string found_at(std::string_view level) {
  MemoryFiles files;
  files.set("config.yml", std::string(config));
  if (!level.empty()) {
    files.set(".oomlint.toml", "[levels]\nrenamed-key = \"" + std::string(level) + "\"\n");
  }
  std::string found;
  for (const Diagnostic& each : test::check(files, "config.yml").diagnostics)
    found += std::string(to_string(each.severity)) + " " + each.name + "\n";
  return found;
}

TEST_CASE("levels: the settings lower, raise and switch off what a rule reports") {
  CHECK(found_at("") == "note renamed-key\n");
  CHECK(found_at("note") == "note renamed-key\n");
  CHECK(found_at("warning") == "warning renamed-key\n");
  CHECK(found_at("error") == "error renamed-key\n");
  CHECK(found_at("off").empty());
}

}  // namespace
}  // namespace oomlint
