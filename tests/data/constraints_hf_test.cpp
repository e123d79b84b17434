#include "lint/dialect/dialect.h"
#include "parsers/readers.h"
#include "tests/support/data.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace oomlint {

extern const Dialect hf_trainer, trl, deepspeed, accelerate, model_config;

namespace {

constexpr std::array<const Dialect*, 5> family{&accelerate, &deepspeed, &hf_trainer, &model_config, &trl};

struct Finding {
  std::string path, id;
  friend auto operator<=>(const Finding&, const Finding&) = default;
};

std::string described(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& each : findings) text += each.path + ": " + each.id + "\n";
  return text;
}

void unknown_below(const Document& document, const Dialect& dialect, NodeId mapping, std::string_view path,
                   std::vector<Finding>& found) {
  for (NodeId id = document.at(mapping).first_child; id != no_node; id = document.at(id).next) {
    if (!document.at(id).has_key) continue;
    const std::string key = document.path_of(id);
    if (!is_known_key(dialect, key)) found.push_back({std::string(path), key});
  }
}

TEST_CASE("published files of the Hugging Face family are not refused, and their keys are known") {
  const auto corpus = test::data("corpus");
  if (!corpus) return;
  std::vector<Finding> refused;
  std::vector<Finding> unknown;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*corpus)) {
    const std::string name = entry.path().string();
    const Reader* reader = entry.is_regular_file() ? reader_for(name) : nullptr;
    if (reader == nullptr) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    if (!worth_parsing(bytes, family)) continue;
    const std::string shown = std::filesystem::relative(entry.path(), *corpus).string();
    const Document document = reader->read(std::make_shared<SourceFile>(shown, std::move(bytes)));
    const auto dialects = recognise(document, family);
    if (dialects.size() != 1 || document.partial()) continue;
    const Versions versions;
    const ReadContext context{*dialects.front(), document, versions, 0, document.root()};
    for (const ConstraintFinding& finding : check_constraints(context)) {
      if (finding.constraint->effect == Effect::refused)
        refused.push_back({shown, std::string(finding.constraint->id)});
    }
    unknown_below(document, *dialects.front(), document.root(), shown, unknown);
  }
  std::sort(unknown.begin(), unknown.end());
  // The snippet asks FSDP 2 for forward prefetch, which accelerate refuses.
  const std::vector<Finding> truly_refused{
      {"diffusers/fences/examples/dreambooth/README_z_image.md.08.yaml", "accelerate/fsdp1-option-on-fsdp2"}};
  // A test of accelerate's refusal, and a key that DeepSpeed reads nowhere.
  const std::vector<Finding> truly_unknown{
      {"accelerate/tests/test_configs/invalid_keys.yaml", "another_invalid_key"},
      {"accelerate/tests/test_configs/invalid_keys.yaml", "invalid_key"},
      {"deepspeed-examples/training/imagenet/config/ds_fp16_z1_config.json", "cuda_visible_devices"}};
  CHECK(described(refused) == described(truly_refused));
  CHECK(described(unknown) == described(truly_unknown));
}

}  // namespace
}  // namespace oomlint
