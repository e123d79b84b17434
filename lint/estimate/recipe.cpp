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
constexpr Types foundry_types[] = {"llm_foundry_mpt"};
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

constexpr Types bert_types[] = {"bert",      "roberta", "xlm-roberta", "electra",
                                "camembert", "deberta", "deberta-v2",  "mpnet"};
constexpr Types distilbert_types[] = {"distilbert"};
constexpr Types vit_types[] = {"vit", "deit", "dinov2", "siglip", "siglip_vision_model"};
constexpr Types clip_types[] = {"clip", "clip_text_model"};
constexpr Types t5_types[] = {"t5", "mt5", "umt5", "longt5"};
constexpr Types bart_types[] = {"bart", "mbart", "pegasus", "marian", "m2m_100", "whisper"};

// Encoders: q, k, v and the attention's output, all of one width.
constexpr AttentionRecipe split_even{0, {8, 16}, {0, 0}};

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
    // As llm-foundry defines it: the same layer in front of a fused kernel, and no upcast of the residual.
    {.name = "llm_foundry_mpt", .model_types = foundry_types, .residual = {8, 12, 12, 16}, .mlp = {4, 4, 4, 8},
     .frozen_residual = {4, 8, 8, 8}, .frozen_mlp = {2, 2, 2, 4}, .tokens = 16, .attention = split,
     .outside = {4, 6, 6, 8}, .outside_tokens = 16, .rotary_share = 0, .fused_qkv = true, .norm_input = {2, 4, 4, 4}, .mlp_gradient = {2, 2, 2, 4}, .adds_positions = true},
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
    // Encoders and, in the last two rows, a layer of an encoder and one of its decoder together, on the source's length.
    {.name = "bert", .model_types = bert_types, .residual = {10, 18, 18, 18}, .mlp = {4, 4, 4, 8},
     .frozen_residual = {6, 10, 10, 10}, .frozen_mlp = {2, 2, 2, 4}, .tokens = 16, .attention = split_even,
     .pairs = {5, 7, 7, 9}, .outside = {3, 5, 5, 5}, .outside_tokens = 16, .saved_logits = {2, 6, 6, 4},
     .rotary_share = 0, .dropout = 2, .pair_dropout = {3, 1, 1, 5}, .norm_input = {2, 4, 4, 4},
     .mlp_gradient = {2, 2, 2, 4}, .mask_head = {8, 10, 10, 16}, .encoder = true, .upcasts_logits = false,
     .adds_positions = true},
    {.name = "distilbert", .model_types = distilbert_types, .residual = {9, 17, 17, 17}, .mlp = {4, 4, 4, 8},
     .frozen_residual = {5, 9, 9, 9}, .frozen_mlp = {2, 2, 2, 4}, .tokens = 16, .attention = split_even,
     .pairs = {5, 7, 7, 9}, .outside = {3, 5, 5, 5}, .outside_tokens = 16, .saved_logits = {2, 6, 6, 4},
     .rotary_share = 0, .dropout = 1, .pair_dropout = {3, 1, 1, 5}, .norm_input = {2, 4, 4, 4},
     .mlp_gradient = {2, 2, 2, 4}, .mask_head = {8, 10, 10, 16}, .encoder = true, .upcasts_logits = false,
     .adds_positions = true},
    {.name = "vit", .model_types = vit_types, .residual = {8, 16, 16, 16}, .mlp = {4, 4, 4, 8},
     .frozen_residual = {4, 8, 8, 8}, .frozen_mlp = {2, 2, 2, 4}, .tokens = 16, .attention = split_even,
     .outside = {4, 4, 4, 8}, .outside_tokens = 8, .rotary_share = 0, .norm_input = {2, 4, 4, 4},
     .mlp_gradient = {2, 2, 2, 4}, .encoder = true, .upcasts_logits = false, .adds_positions = true},
    {.name = "clip", .model_types = clip_types, .residual = {8, 16, 16, 16}, .mlp = {6, 6, 6, 12},
     .frozen_residual = {4, 8, 8, 8}, .frozen_mlp = {4, 4, 4, 8}, .tokens = 16, .attention = split_even,
     .outside = {2, 4, 4, 4}, .outside_tokens = 8, .rotary_share = 0, .norm_input = {2, 4, 4, 4},
     .encoder = true, .upcasts_logits = false, .adds_positions = true},
    {.name = "t5", .model_types = t5_types, .residual = {71, 83, 83, 97}, .mlp = {10, 10, 10, 18},
     .frozen_residual = {40, 48, 48, 56}, .frozen_mlp = {6, 6, 6, 12}, .tokens = 20, .attention = split_even,
     .pairs = {15, 21, 21, 27}, .outside = {24, 22, 22, 28}, .outside_tokens = 16, .saved_logits = {2, 6, 6, 4},
     .rotary_share = 0, .paired = true, .upcasts_logits = false},
    {.name = "bart", .model_types = bart_types, .residual = {41, 63, 63, 77}, .mlp = {8, 8, 8, 16},
     .frozen_residual = {24, 36, 36, 44}, .frozen_mlp = {4, 4, 4, 8}, .tokens = 40, .attention = split_even,
     .pairs = {6, 18, 18, 12}, .outside = {10, 12, 12, 18}, .outside_tokens = 32, .saved_logits = {2, 4, 4, 4},
     .rotary_share = 0, .norm_input = {2, 4, 4, 4}, .mlp_gradient = {2, 2, 2, 4}, .paired = true,
     .upcasts_logits = false, .adds_positions = true},
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
