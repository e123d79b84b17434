#include "lint/estimate/nominal_shape.h"

#include "lint/estimate/recipe.h"

#include <algorithm>
#include <cmath>

namespace oomlint {

namespace {

struct Size {
  double parameters;
  std::uint32_t layers, hidden, heads, kv_heads;
};

// Published decoder-only models of the Llama kind, one a size.
constexpr Size sizes[] = {
    {0.14e9, 30, 576, 9, 3},  {0.36e9, 32, 960, 15, 5},  {0.5e9, 24, 896, 14, 2},
    {1.2e9, 16, 2048, 32, 8}, {1.7e9, 24, 2048, 32, 32}, {3.2e9, 28, 3072, 24, 8},
    {7e9, 32, 4096, 32, 32},  {8e9, 32, 4096, 32, 8},    {13e9, 40, 5120, 40, 40},
    {24e9, 40, 5120, 32, 8},  {32e9, 64, 5120, 40, 8},   {65e9, 80, 8192, 64, 64},
    {70e9, 80, 8192, 64, 8},  {123e9, 88, 12288, 96, 8}, {405e9, 126, 16384, 128, 8},
};

constexpr std::uint32_t usual_vocabulary = 32'000;

}  // namespace

ModelShape nominal_shape(std::uint64_t parameters, const ModelShape& hint) {
  const double wanted = std::max(1.0, static_cast<double>(parameters));
  const auto distance = [&](const Size& size) { return std::abs(std::log(size.parameters / wanted)); };
  const Size& nearest =
      *std::min_element(std::begin(sizes), std::end(sizes),
                        [&](const Size& a, const Size& b) { return distance(a) < distance(b); });
  ModelShape shape = hint;
  shape.complete = true;
  if (shape.layers == 0) shape.layers = nearest.layers;
  if (shape.hidden_size == 0) shape.hidden_size = nearest.hidden;
  if (shape.heads == 0) shape.heads = nearest.heads;
  if (shape.kv_heads == 0) shape.kv_heads = std::min(shape.heads, nearest.kv_heads);
  if (shape.head_dim == 0) shape.head_dim = std::max(1U, shape.hidden_size / std::max(1U, shape.heads));
  if (shape.vocabulary == 0) shape.vocabulary = usual_vocabulary;
  const Recipe& recipe = find_recipe(hint.model_type);
  if ((recipe.encoder || recipe.paired) && hint.layers > 0 && hint.intermediate_size > 0) {
    // All that an encoder's layers are made of is known: the rest lies outside them, a decoder's layers too.
    shape.gated_mlp = false;
    const std::uint64_t known = count_parameters(shape).total - shape.tower_parameters;
    if (known <= parameters) {
      shape.tower_parameters = parameters - known;
      return shape;
    }
  }
  // The MLP takes what is left of the total.
  shape.intermediate_size = 0;
  const std::uint64_t others = count_parameters(shape).total;
  const std::uint64_t per_feature =
      std::uint64_t{shape.gated_mlp ? 3U : 2U} * shape.hidden_size * std::max(1U, shape.layers);
  const std::uint64_t left = parameters > others ? parameters - others : 0;
  shape.intermediate_size =
      static_cast<std::uint32_t>(std::clamp<std::uint64_t>(left / per_feature, shape.hidden_size, 1U << 20U));
  return shape;
}

}  // namespace oomlint
