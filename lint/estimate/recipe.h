#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace oomlint {

/// Which dtypes meet in a layer; decides what it saves for backward.
enum class Precision : std::uint8_t {
  half,           ///< 16-bit weights, 16-bit arithmetic
  half_autocast,  ///< 16-bit weights under autocast
  mixed,          ///< fp32 weights under 16-bit autocast
  single,         ///< fp32 weights, fp32 arithmetic
};

/// A coefficient for each Precision, in bytes per element.
using ByPrecision = std::array<std::uint8_t, 4>;

/// What a fused attention kernel leaves saved, in bytes per token: `fused` counts the width q + 2·kv of a
/// joint projection in units of the compute dtype; q and kv are given for 16-bit and for fp32 arithmetic.
struct AttentionRecipe {
  std::uint8_t fused = 0;
  std::array<std::uint8_t, 2> q{4, 8};
  std::array<std::uint8_t, 2> kv{4, 8};
  std::array<std::uint8_t, 2> frozen_q{0, 0};  ///< less of q where the output projection does not train
  std::array<std::uint8_t, 2> normed{6, 8};    ///< more of q and kv with a norm on each head's query and key
};

/// What one decoder layer of a family saves for backward, as coefficients: bytes per token times `residual`
/// (hidden width) and `mlp` (MLP width), plus `tokens` bytes a token. The frozen columns apply where only
/// adapters train; what the adapters themselves save comes on top. `pairs` is per head and pair of tokens,
/// without a fused kernel. All coefficients were counted from saved tensors of the models as transformers
/// defines them (fake-tensor runs of torch 2.15 and transformers 5.24).
struct Recipe {
  std::string_view name;
  std::span<const std::string_view> model_types;
  ByPrecision residual, mlp;
  ByPrecision frozen_residual, frozen_mlp;
  std::uint8_t tokens = 8;
  AttentionRecipe attention;
  ByPrecision pairs{6, 6, 6, 4};
  ByPrecision outside{8, 8, 10, 12};     ///< per token and hidden feature, outside the layers
  std::uint8_t outside_tokens = 12;      ///< labels, ids, norm statistics
  ByPrecision saved_logits{4, 4, 4, 4};  ///< bytes per logit kept from the loss to its backward
  std::uint8_t rotary_share = 1;  ///< one in so many features of a head is rotated; 0: no rotary tables
  std::uint8_t dropout = 0;       ///< bytes per token and hidden feature that vanish without model dropout
  ByPrecision pair_dropout{};     ///< bytes per head and pair that vanish without it
  bool fused_qkv = false;         ///< one projection for q, k and v
  bool fused_gate_up = false;
  bool parallel = false;    ///< attention and MLP read the same residual
  bool eager_only = false;  ///< the family has no fused attention path
  ByPrecision norm_input{4, 4, 4,
                         4};  ///< per token and hidden feature: what a frozen norm keeps of its input
  ByPrecision mlp_gradient{4, 4, 4, 8};  ///< per token and MLP feature: alive in the MLP's backward besides
  /// Of an encoder's masked-language head, per token and hidden feature.
  ByPrecision mask_head{};
  bool encoder = false;         ///< reads in both directions; trained for classes unless it is pre-trained
  bool paired = false;          ///< a layer stands for one of the encoder and one of the decoder
  bool upcasts_logits = true;   ///< the loss is computed in fp32
  bool adds_positions = false;  ///< the first layer's input is not the token embedding itself
  bool keeps_product = false;   ///< the MLP's activation keeps its own output, which `down` reads
  std::uint8_t full_every =
      0;  ///< one layer in so many attends to everything, the others to a window; 0: all alike
};

/// The recipe of an architecture by its `model_type`; the Llama recipe for types without a row.
[[nodiscard]] const Recipe& find_recipe(std::string_view model_type);
[[nodiscard]] std::span<const Recipe> all_recipes();

}  // namespace oomlint
