#include "lint/estimate/recipe.h"

#include <algorithm>

namespace oomlint {

namespace {

using Types = std::string_view;

// Attention layouts: projections apart and rotated; joint and not rotated (GPT-2); joint and partly rotated
// (GPT-NeoX); apart and partly rotated (Phi-2, StableLM); joint with grouped heads (Phi-3).
constexpr AttentionRecipe split{};
constexpr AttentionRecipe joint_plain{1, {2, 4}, {0, 0}};
constexpr AttentionRecipe joint_partial{1, {8, 12}, {0, 0}, {2, 4}};
constexpr AttentionRecipe split_partial{0, {10, 16}, {0, 0}};
constexpr AttentionRecipe joint_grouped{1, {6, 8}, {2, 4}, {2, 4}};
constexpr AttentionRecipe split_gemma3{0, {4, 8}, {4, 8}, {0, 0}, {8, 8}};
constexpr AttentionRecipe split_wide{0, {6, 8}, {4, 8}};

constexpr Types llama_types[] = {"llama",
                                 "mistral",
                                 "qwen2",
                                 "qwen3",
                                 "granite",
                                 "smollm3",
                                 "seed_oss",
                                 "ministral",
                                 "mistral3",
                                 "arcee",
                                 "helium",
                                 "yi",
                                 "internlm2",
                                 "internlm3",
                                 "deepseek",
                                 "exaone",
                                 "minicpm",
                                 "baichuan",
                                 "hunyuan_v1_dense",
                                 "ernie4_5"};
constexpr Types gemma_types[] = {"gemma"};
constexpr Types gemma2_types[] = {"gemma2"};
constexpr Types gemma3_types[] = {"gemma3_text", "gemma3", "gemma3n"};
constexpr Types phi_types[] = {"phi"};
constexpr Types phi3_types[] = {"phi3", "phi4", "phimoe"};
constexpr Types gpt2_types[] = {"gpt2", "gpt_bigcode", "gpt_neo"};
constexpr Types neox_types[] = {"gpt_neox"};
constexpr Types gptj_types[] = {"gptj", "codegen"};
constexpr Types opt_types[] = {"opt"};
constexpr Types bloom_types[] = {"bloom"};
constexpr Types mpt_types[] = {"mpt", "dbrx"};
constexpr Types falcon_types[] = {"falcon"};
constexpr Types olmo_types[] = {"olmo"};
constexpr Types olmo2_types[] = {"olmo2", "olmo3"};
constexpr Types stablelm_types[] = {"stablelm", "persimmon"};
constexpr Types starcoder_types[] = {"starcoder2"};
constexpr Types cohere_types[] = {"cohere", "cohere2"};
constexpr Types glm_types[] = {"glm", "glm4", "chatglm"};
constexpr Types mixtral_types[] = {"mixtral", "gpt_oss", "granitemoe", "jamba"};
constexpr Types qwen2_moe_types[] = {"qwen2_moe"};
constexpr Types qwen3_moe_types[] = {"qwen3_moe",   "qwen3_next", "olmoe",   "deepseek_v2",
                                     "deepseek_v3", "kimi_k2",    "glm4_moe"};

// clang-format off
constexpr Recipe table[] = {
    {.name = "llama", .model_types = llama_types, .residual = {16, 16, 26, 24}, .mlp = {8, 8, 8, 16},
     .frozen_residual = {8, 8, 8, 8}, .frozen_mlp = {6, 6, 6, 12}, .attention = split},
    {.name = "gemma", .model_types = gemma_types, .residual = {20, 20, 26, 24}, .mlp = {8, 8, 8, 16},
     .frozen_residual = {8, 8, 8, 8}, .frozen_mlp = {6, 6, 6, 12}, .attention = split, .outside = {10, 10, 10, 12}},
    {.name = "gemma2", .model_types = gemma2_types, .residual = {36, 36, 42, 40}, .mlp = {8, 8, 8, 16},
     .frozen_residual = {16, 16, 16, 16}, .frozen_mlp = {6, 6, 6, 12}, .tokens = 16, .attention = split,
     .pairs = {8, 8, 8, 8}, .outside = {10, 10, 10, 12}, .saved_logits = {6, 6, 6, 8},
     .full_every = 2},
    {.name = "gemma3", .model_types = gemma3_types, .residual = {36, 36, 42, 40}, .mlp = {8, 8, 8, 16},
     .frozen_residual = {16, 16, 16, 16}, .frozen_mlp = {6, 6, 6, 12}, .tokens = 16, .attention = split_gemma3,
     .outside = {10, 10, 10, 12}, .full_every = 6},
    {.name = "phi", .model_types = phi_types, .residual = {4, 12, 12, 8}, .mlp = {10, 16, 16, 20},
     .frozen_residual = {2, 8, 8, 4}, .frozen_mlp = {8, 14, 14, 16}, .attention = split_partial,
     .outside = {4, 6, 6, 8}, .outside_tokens = 16, .rotary_share = 2, .parallel = true, .norm_input = {2, 4, 4, 4}, .mlp_gradient = {4, 10, 10, 8}},
    {.name = "phi3", .model_types = phi3_types, .residual = {16, 16, 20, 24}, .mlp = {8, 8, 8, 16},
     .frozen_residual = {8, 8, 8, 8}, .frozen_mlp = {6, 6, 6, 12}, .attention = joint_grouped,
     .fused_qkv = true, .fused_gate_up = true},
    {.name = "gpt2", .model_types = gpt2_types, .residual = {10, 14, 14, 18}, .mlp = {10, 16, 16, 20},
     .frozen_residual = {6, 10, 10, 10}, .frozen_mlp = {8, 14, 14, 16}, .tokens = 16, .attention = joint_plain,
     .pairs = {5, 7, 7, 9}, .outside = {5, 7, 7, 9}, .outside_tokens = 16, .rotary_share = 0, .dropout = 2,
     .pair_dropout = {3, 1, 1, 5}, .fused_qkv = true, .norm_input = {2, 4, 4, 4}, .mlp_gradient = {4, 10, 10, 8}, .adds_positions = true},
    {.name = "gpt_neox", .model_types = neox_types, .residual = {6, 12, 8, 12}, .mlp = {4, 4, 4, 8},
     .frozen_residual = {2, 8, 4, 4}, .frozen_mlp = {2, 2, 2, 4}, .tokens = 16, .attention = joint_partial,
     .outside = {4, 6, 6, 8}, .outside_tokens = 16, .rotary_share = 4, .fused_qkv = true, .parallel = true, .norm_input = {2, 4, 4, 4}, .mlp_gradient = {2, 2, 2, 4}},
    {.name = "gptj", .model_types = gptj_types, .residual = {4, 12, 12, 8}, .mlp = {10, 16, 16, 20},
     .frozen_residual = {2, 8, 8, 4}, .frozen_mlp = {8, 14, 14, 16}, .attention = {0, {8, 16}, {0, 0}},
     .outside = {4, 6, 6, 8}, .outside_tokens = 16, .rotary_share = 4, .parallel = true, .norm_input = {2, 4, 4, 4}, .mlp_gradient = {4, 10, 10, 8}},
    {.name = "opt", .model_types = opt_types, .residual = {10, 18, 18, 18}, .mlp = {2, 2, 2, 4},
     .frozen_residual = {6, 10, 10, 10}, .frozen_mlp = {2, 2, 2, 4}, .tokens = 16, .attention = {0, {8, 16}, {0, 0}},
     .outside = {4, 6, 6, 8}, .outside_tokens = 24, .rotary_share = 0, .norm_input = {2, 4, 4, 4}, .adds_positions = true, .keeps_product = true},
    {.name = "bloom", .model_types = bloom_types, .residual = {8, 12, 12, 16}, .mlp = {4, 4, 4, 8},
     .frozen_residual = {4, 8, 8, 8}, .frozen_mlp = {2, 2, 2, 4}, .tokens = 16, .attention = split,
     .outside = {6, 10, 10, 12}, .outside_tokens = 24, .rotary_share = 0, .fused_qkv = true, .eager_only = true, .norm_input = {2, 4, 4, 4}, .adds_positions = true},
    {.name = "mpt", .model_types = mpt_types, .residual = {8, 12, 12, 16}, .mlp = {4, 4, 4, 8},
     .frozen_residual = {4, 8, 8, 8}, .frozen_mlp = {2, 2, 2, 4}, .tokens = 16, .attention = split,
     .outside = {4, 6, 6, 8}, .outside_tokens = 16, .rotary_share = 0, .fused_qkv = true, .eager_only = true, .norm_input = {2, 4, 4, 4}, .mlp_gradient = {2, 2, 2, 4}},
    {.name = "falcon", .model_types = falcon_types, .residual = {4, 8, 8, 8}, .mlp = {4, 4, 4, 8},
     .frozen_residual = {2, 4, 4, 4}, .frozen_mlp = {2, 2, 2, 4}, .attention = split, .pairs = {2, 6, 6, 4},
     .outside = {4, 6, 6, 8}, .outside_tokens = 16, .fused_qkv = true, .parallel = true, .norm_input = {2, 4, 4, 4}, .mlp_gradient = {2, 2, 2, 4}},
    {.name = "olmo", .model_types = olmo_types, .residual = {12, 12, 18, 16}, .mlp = {8, 8, 8, 16},
     .frozen_residual = {8, 8, 8, 8}, .frozen_mlp = {6, 6, 6, 12}, .tokens = 16, .attention = split,
     .outside = {6, 6, 6, 8}, .outside_tokens = 16},
    {.name = "olmo2", .model_types = olmo2_types, .residual = {36, 36, 42, 40}, .mlp = {8, 8, 8, 16},
     .frozen_residual = {16, 16, 16, 16}, .frozen_mlp = {6, 6, 6, 12}, .tokens = 16, .attention = split,
     .outside = {10, 10, 10, 12}},
    {.name = "stablelm", .model_types = stablelm_types, .residual = {8, 18, 18, 16}, .mlp = {8, 8, 8, 16},
     .frozen_residual = {4, 8, 8, 8}, .frozen_mlp = {6, 6, 6, 12}, .tokens = 16, .attention = split_partial,
     .outside = {4, 6, 6, 8}, .outside_tokens = 16, .rotary_share = 4, .norm_input = {2, 4, 4, 4}},
    {.name = "starcoder2", .model_types = starcoder_types, .residual = {8, 16, 16, 16}, .mlp = {4, 4, 4, 8},
     .frozen_residual = {4, 8, 8, 8}, .frozen_mlp = {2, 2, 2, 4}, .tokens = 16, .attention = split,
     .outside = {4, 6, 6, 8}, .outside_tokens = 16, .norm_input = {2, 4, 4, 4}, .mlp_gradient = {2, 2, 2, 4}},
    {.name = "cohere", .model_types = cohere_types, .residual = {14, 14, 22, 16}, .mlp = {8, 8, 8, 16},
     .frozen_residual = {6, 6, 6, 6}, .frozen_mlp = {6, 6, 6, 12}, .tokens = 4, .attention = split,
     .outside = {14, 14, 14, 16}, .parallel = true},
    {.name = "glm", .model_types = glm_types, .residual = {28, 28, 36, 40}, .mlp = {8, 8, 8, 16},
     .frozen_residual = {16, 16, 16, 16}, .frozen_mlp = {6, 6, 6, 12}, .tokens = 16, .attention = split_wide,
     .rotary_share = 0, .fused_gate_up = true},
    {.name = "mixtral", .model_types = mixtral_types, .residual = {16, 16, 24, 24}, .mlp = {8, 8, 8, 16},
     .frozen_residual = {8, 8, 8, 8}, .frozen_mlp = {6, 6, 6, 12}, .tokens = 12, .attention = split},
    {.name = "qwen2_moe", .model_types = qwen2_moe_types, .residual = {18, 18, 32, 28}, .mlp = {8, 8, 8, 16},
     .frozen_residual = {10, 10, 10, 10}, .frozen_mlp = {6, 6, 6, 12}, .tokens = 10, .attention = split},
    {.name = "qwen3_moe", .model_types = qwen3_moe_types, .residual = {16, 16, 24, 24}, .mlp = {8, 8, 8, 16},
     .frozen_residual = {8, 8, 8, 8}, .frozen_mlp = {6, 6, 6, 12}, .attention = split},
};
// clang-format on

}  // namespace

std::span<const Recipe> all_recipes() {
  return table;
}

const Recipe& find_recipe(std::string_view model_type) {
  for (const Recipe& recipe : table) {
    if (std::find(recipe.model_types.begin(), recipe.model_types.end(), model_type) !=
        recipe.model_types.end())
      return recipe;
  }
  return table[0];
}

}  // namespace oomlint
