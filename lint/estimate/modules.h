#pragma once

#include "lint/estimate/concrete_plan.h"
#include "lint/estimate/recipe.h"
#include "lint/plan/model_shape.h"

#include <array>
#include <cstdint>
#include <span>

namespace oomlint {

/// A linear projection of a decoder layer by what it does; a joint projection has the first of its roles.
enum class Role : std::uint8_t { q, k, v, o, gate, up, down, shared_gate };

struct LinearModule {
  Role role = Role::q;
  std::uint64_t in = 0, out = 0;
  std::uint64_t count = 1;  ///< copies in the layer (experts)
  bool biased = false;
  bool routed = false;  ///< belongs to a routed expert
};

/// The linear projections of one decoder layer, in forward order.
class LayerModules {
 public:
  LayerModules() = default;
  /// Of layer `index`: leading layers of a mixture of experts may have a dense MLP.
  LayerModules(const ModelShape& shape, const Recipe& recipe, bool sparse);
  [[nodiscard]] std::span<const LinearModule> all() const { return {modules_.data(), size_}; }

 private:
  void add(const LinearModule& module) { modules_[size_++] = module; }
  void add_attention(const ModelShape& shape, const Recipe& recipe);
  void add_mlp(const ModelShape& shape, std::uint64_t width, std::uint64_t count, bool joined, bool routed);
  std::array<LinearModule, 16> modules_{};
  std::size_t size_ = 0;
};

/// Whether the adapter sits on the module.
[[nodiscard]] bool adapts(const ConcreteAdapter& adapter, const LinearModule& module);

}  // namespace oomlint
