#pragma once

#include "lint/estimate/concrete_plan.h"
#include "lint/estimate/modules.h"
#include "lint/estimate/recipe.h"
#include "lint/plan/bytes.h"
#include "lint/plan/model_shape.h"

#include <cstdint>
#include <initializer_list>
#include <optional>

namespace oomlint {

/// A product that saturates.
[[nodiscard]] constexpr Bytes product(std::initializer_list<std::uint64_t> factors) {
  Bytes result(1);
  for (const std::uint64_t factor : factors) result = result * factor;
  return result;
}

/// Bytes of one element; 4-bit storage is not counted in elements (storage.h).
[[nodiscard]] std::uint32_t bytes_of(Dtype dtype);

/// Which parameters train.
enum class Trains : std::uint8_t { everything, adapters, top_layers, head_only };

/// The dimensions of a run on one device, from which the formulas compute: tensor parallelism has divided the
/// widths it divides, context parallelism the tokens, pipeline parallelism the layers.
struct Sizes {
  explicit Sizes(const ConcretePlan& plan);

  const ConcretePlan& plan;
  const Recipe& recipe;
  Precision precision = Precision::half;
  Trains trains = Trains::everything;
  ParameterCounts counts;    ///< of the whole model
  LayerModules modules;      ///< of a typical layer
  std::uint64_t batch = 1;   ///< sequences of a micro batch
  std::uint64_t length = 0;  ///< tokens of a sequence on this device
  std::uint64_t tokens = 0;  ///< of a micro batch on this device
  std::uint64_t hidden = 0;  ///< width of the residual stream
  std::uint64_t mlp = 0, q = 0, kv = 0, heads = 0, kv_heads = 0, vocabulary = 0;  ///< local widths
  std::uint64_t layers = 0;                                                       ///< on this device
  std::uint64_t in_flight = 1;       ///< micro batches whose activations a pipeline stage holds
  std::uint64_t lowest_trained = 0;  ///< layers below save nothing for backward
  std::uint32_t weight_bytes = 2;    ///< of an unquantised weight
  std::uint32_t compute_bytes = 2;
  std::uint32_t residual_bytes = 2;  ///< of one feature of the residual stream
  [[nodiscard]] bool half_compute() const { return compute_bytes == 2; }
  [[nodiscard]] bool casts_weights() const { return precision == Precision::mixed; }
  [[nodiscard]] std::size_t column() const { return static_cast<std::size_t>(precision); }
  [[nodiscard]] bool quantised() const { return plan.quantisation != Quantisation::none; }
  /// The weights of all layers on this device, and those of routed experts among them: elements.
  [[nodiscard]] std::uint64_t local_layers() const;
  [[nodiscard]] std::uint64_t local_experts() const;
  /// The weights of one typical layer, of a head or embedding matrix, of the largest single matrix: elements.
  [[nodiscard]] std::uint64_t layer_elements() const;
  [[nodiscard]] std::uint64_t matrix_elements() const;  ///< linear weights and biases of one layer
  [[nodiscard]] std::uint64_t vocabulary_elements() const;
  [[nodiscard]] std::uint64_t largest_matrix() const;
  /// What lies outside the layers: embedding, final norm, head, towers; of one pipeline stage at most half.
  [[nodiscard]] Bytes root_elements() const;
  /// Linear weights of one layer's MLP, experts included; of all its modules, or of those of one role.
  [[nodiscard]] std::uint64_t mlp_elements(std::optional<Role> role = std::nullopt) const;
};

}  // namespace oomlint
