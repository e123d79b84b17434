#include "lint/catalog/catalog.h"
#include "tests/support/data.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <map>
#include <string>

using namespace oomlint;
using nlohmann::json;

namespace {
/// The configuration classes of decoder families whose keys decide all dimensions.
const std::map<std::string, std::string> model_types{
    {"GPT2Config", "gpt2"},
    {"OPTConfig", "opt"},
    {"FalconConfig", "falcon"},
    {"BloomConfig", "bloom"},
    {"MptConfig", "mpt"},
    {"LlamaConfig", "llama"},
    {"MistralConfig", "mistral"},
    {"MixtralConfig", "mixtral"},
    {"Qwen2Config", "qwen2"},
    {"Qwen2MoeConfig", "qwen2_moe"},
    {"Qwen3Config", "qwen3"},
    {"Qwen3MoeConfig", "qwen3_moe"},
    {"GemmaConfig", "gemma"},
    {"Gemma2Config", "gemma2"},
    {"Gemma3TextConfig", "gemma3_text"},
    {"PhiConfig", "phi"},
    {"Phi3Config", "phi3"},
    {"PhimoeConfig", "phimoe"},
    {"DeepseekV2Config", "deepseek_v2"},
    {"DeepseekV3Config", "deepseek_v3"},
    {"OlmoConfig", "olmo"},
    {"Olmo2Config", "olmo2"},
    {"StableLmConfig", "stablelm"},
    {"GlmConfig", "glm"},
    {"Glm4Config", "glm4"},
    {"Glm4MoeConfig", "glm4_moe"},
    {"Starcoder2Config", "starcoder2"},
    {"GPTBigCodeConfig", "gpt_bigcode"},
    {"CodeGenConfig", "codegen"},
    {"GraniteConfig", "granite"},
    {"GptOssConfig", "gpt_oss"},
    {"CohereConfig", "cohere"},
    {"GPTNeoXConfig", "gpt_neox"},
    {"GPTNeoConfig", "gpt_neo"},
};

std::optional<ModelShape> shape_of(const json& config, const std::string& model_type) {
  return shape_from_config([&](std::string_view key) -> std::optional<std::string> {
    if (key == "model_type") return model_type;
    const auto found = config.find(std::string(key));
    if (found == config.end() || found->is_structured()) return std::nullopt;
    return found->is_string() ? found->get<std::string>() : found->dump();
  });
}
}  // namespace

TEST_CASE("counts from config.json keys equal the models that transformers builds") {
  const auto path = test::data("oracle/params.jsonl");
  if (!path) return;
  std::ifstream file(*path);
  int compared = 0;
  for (std::string line; std::getline(file, line);) {
    const json row = json::parse(line);
    const auto type = model_types.find(row["config_class"].get<std::string>());
    if (type == model_types.end()) continue;
    const auto shape = shape_of(row["config"], type->second);
    CAPTURE(row["model"].get<std::string>());
    CHECK(shape.has_value());
    if (!shape) continue;
    const ParameterCounts counts = count_parameters(*shape);
    ++compared;
    CHECK(counts.total == row["total"].get<std::uint64_t>());
    if (row["norm"].is_number()) CHECK(counts.norms == row["norm"].get<std::uint64_t>());
  }
  MESSAGE(compared << " configurations compared");
  CHECK(compared > 60);
}
