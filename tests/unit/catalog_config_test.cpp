#include "lint/catalog/catalog.h"

#include <doctest/doctest.h>

#include <map>
#include <string>

using namespace oomlint;

namespace {
std::optional<ModelShape> shape_of(const std::map<std::string, std::string, std::less<>>& config) {
  return shape_from_config([&](std::string_view key) -> std::optional<std::string> {
    const auto found = config.find(key);
    return found == config.end() ? std::nullopt : std::optional(found->second);
  });
}
}  // namespace

TEST_CASE("a config.json gives the shape of its model") {
  const auto llama = shape_of({{"model_type", "llama"},
                               {"num_hidden_layers", "32"},
                               {"hidden_size", "4096"},
                               {"intermediate_size", "14336"},
                               {"num_attention_heads", "32"},
                               {"num_key_value_heads", "8"},
                               {"vocab_size", "128256"},
                               {"head_dim", "null"},
                               {"max_position_embeddings", "131072"}});
  REQUIRE(llama.has_value());
  CHECK(count_parameters(*llama).total == 8030261248);
  CHECK(llama->max_positions == 131072);

  const auto gpt2 = shape_of({{"model_type", "gpt2"},
                              {"n_layer", "12"},
                              {"n_embd", "768"},
                              {"n_head", "12"},
                              {"vocab_size", "50257"},
                              {"n_positions", "1024"},
                              {"n_inner", "null"}});
  REQUIRE(gpt2.has_value());
  CHECK(count_parameters(*gpt2).total == 124439808);
}

TEST_CASE("a config.json that does not say enough gives nothing") {
  CHECK_FALSE(shape_of({}).has_value());
  CHECK_FALSE(shape_of({{"model_type", "llama"}}).has_value());
  CHECK_FALSE(shape_of({{"model_type", "no_such_family"}, {"hidden_size", "64"}}).has_value());
  CHECK_FALSE(shape_of({{"model_type", "qwen2_vl"},
                        {"num_hidden_layers", "28"},
                        {"hidden_size", "1536"},
                        {"intermediate_size", "8960"},
                        {"num_attention_heads", "12"},
                        {"vocab_size", "151936"},
                        {"vision_config.depth", "32"}})
                  .has_value());
}
