#include "lint/estimate/modules.h"

namespace oomlint {

void LayerModules::add_attention(const ModelShape& shape, const Recipe& recipe) {
  const std::uint64_t hidden = shape.hidden_size;
  const std::uint64_t heads = shape.heads;
  if (shape.mla) {
    const ModelLatentAttention& mla = *shape.mla;
    const std::uint64_t query = heads * (std::uint64_t{mla.nope} + mla.rope);
    if (mla.q_lora > 0) {
      add({Role::q, hidden, mla.q_lora, 1, false, false});
      add({Role::q, mla.q_lora, query, 1, false, false});
    } else {
      add({Role::q, hidden, query, 1, false, false});
    }
    add({Role::k, hidden, std::uint64_t{mla.kv_lora} + mla.rope, 1, false, false});
    add({Role::k, mla.kv_lora, heads * (std::uint64_t{mla.nope} + mla.v), 1, false, false});
    add({Role::o, heads * mla.v, hidden, 1, shape.bias.o, false});
    return;
  }
  const std::uint64_t q = heads * shape.head_dim;
  const std::uint64_t kv = std::uint64_t{shape.kv_heads} * shape.head_dim;
  if (recipe.fused_qkv) {
    add({Role::q, hidden, q + 2 * kv, 1, shape.bias.q, false});
  } else {
    add({Role::q, hidden, q, 1, shape.bias.q, false});
    add({Role::k, hidden, kv, 1, shape.bias.k, false});
    add({Role::v, hidden, kv, 1, shape.bias.v, false});
  }
  add({Role::o, q, hidden, 1, shape.bias.o, false});
}

void LayerModules::add_mlp(const ModelShape& shape, std::uint64_t width, std::uint64_t count, bool joined,
                           bool routed) {
  const std::uint64_t hidden = shape.hidden_size;
  const bool biased = routed ? shape.moe->expert_bias : shape.bias.mlp;
  if (!shape.gated_mlp) {
    add({Role::up, hidden, width, count, biased, routed});
  } else if (joined) {
    add({Role::gate, hidden, 2 * width, count, biased, routed});
  } else {
    add({Role::gate, hidden, width, count, biased, routed});
    add({Role::up, hidden, width, count, biased, routed});
  }
  add({Role::down, width, hidden, count, biased, routed});
}

LayerModules::LayerModules(const ModelShape& shape, const Recipe& recipe, bool sparse) {
  add_attention(shape, recipe);
  if (!sparse || !shape.moe) {
    add_mlp(shape, shape.intermediate_size, 1, recipe.fused_gate_up, false);
    return;
  }
  add_mlp(shape, shape.moe->intermediate_size, shape.moe->experts, false, true);
  if (shape.moe->shared_intermediate_size > 0)
    add_mlp(shape, shape.moe->shared_intermediate_size, 1, false, false);
  if (shape.moe->shared_gate) add({Role::shared_gate, shape.hidden_size, 1, 1, false, false});
}

bool adapts(const ConcreteAdapter& adapter, const LinearModule& module) {
  if (module.routed && !adapter.experts) return false;
  switch (module.role) {
    case Role::q:
      return adapter.q;
    case Role::k:
      return adapter.k;
    case Role::v:
      return adapter.v;
    case Role::o:
      return adapter.o;
    case Role::gate:
      return adapter.gate;
    case Role::up:
      return adapter.up;
    case Role::down:
      return adapter.down;
    case Role::shared_gate:
      return adapter.shared_gate;
  }
  return false;
}

}  // namespace oomlint
