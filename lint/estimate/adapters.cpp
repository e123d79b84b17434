#include "lint/estimate/formulas.h"

#include <algorithm>

namespace oomlint {

namespace {

Bytes low_rank_of(const LinearModule& module, const ConcreteAdapter& adapter) {
  if (adapter.kind != nullptr && adapter.kind->parts == AdapterParts::vectors)
    return Bytes(module.in + module.out) * module.count;
  Bytes elements = Bytes(adapter.rank) * (module.in + module.out) * module.count;
  if (adapter.dora) elements += Bytes(module.out) * module.count;
  if (adapter.bias) elements += Bytes(module.out) * module.count;
  return elements;
}

Bytes low_rank_in(const LayerModules& modules, const ConcreteAdapter& adapter) {
  Bytes elements;
  for (const LinearModule& module : modules.all()) {
    if (adapts(adapter, module)) elements += low_rank_of(module, adapter);
  }
  return elements;
}

Bytes adapted_biases(const LayerModules& modules, const ConcreteAdapter& adapter) {
  Bytes elements;
  for (const LinearModule& module : modules.all()) {
    if (module.biased && adapts(adapter, module)) elements += Bytes(module.out) * module.count;
  }
  return elements;
}

/// Whether the module reads the block's input, normalised: no gradient leaves it in the lowest layer.
bool reads_block_input(Role role, const Recipe& recipe) {
  const bool opens_mlp = role == Role::gate || role == Role::up;
  return role == Role::q || role == Role::k || role == Role::v || (recipe.parallel && opens_mlp);
}

}  // namespace

AdapterCounts count_adapter(const ModelShape& shape, const ConcreteAdapter& adapter) {
  Recipe recipe = find_recipe(shape.model_type);
  if (adapter.split_projections) recipe.fused_qkv = recipe.fused_gate_up = false;
  const std::uint64_t sparse =
      shape.moe ? shape.layers - std::min<std::uint64_t>(shape.layers, shape.moe->dense_layers) : 0;
  const std::uint64_t dense = shape.layers - sparse;
  const LayerModules plain(shape, recipe, false);
  const LayerModules routed(shape, recipe, true);

  const Bytes matrix = product({shape.vocabulary, shape.hidden_size});
  Bytes low_rank = low_rank_in(plain, adapter) * dense + low_rank_in(routed, adapter) * sparse;
  const Bytes edge = Bytes(adapter.rank) * (std::uint64_t{shape.vocabulary} + shape.hidden_size);
  if (adapter.embedding) low_rank += edge;
  if (adapter.head) low_rank += edge;
  if (adapter.kind != nullptr && adapter.kind->parts == AdapterParts::norms)
    low_rank += Bytes(count_parameters(shape).norms);
  low_rank += Bytes(adapter.virtual_tokens) * shape.hidden_size;
  Bytes copies;
  if (adapter.save_embedding) copies += matrix;
  if (adapter.save_head) copies += matrix;
  Bytes biases;
  if (adapter.base_biases == TrainedBias::all) biases = Bytes(count_parameters(shape).biases);
  if (adapter.base_biases == TrainedBias::adapted)
    biases = adapted_biases(plain, adapter) * dense + adapted_biases(routed, adapter) * sparse;
  return {low_rank.count(), copies.count(), biases.count()};
}

namespace {

/// Methods other than LoRA, by their table; fp32 adapters on a 16-bit model cast what they read, others read
/// it as it is.
AdapterActivations other_kind(const Sizes& sizes) {
  const ConcretePlan& plan = sizes.plan;
  const ConcreteAdapter& adapter = plan.adapter;
  const AdapterKind& kind = *adapter.kind;
  const bool wide = bytes_of(adapter.dtype) == 4 || !sizes.half_compute();
  const auto scaled = [&](std::uint64_t bytes) { return wide ? bytes : (bytes + 1) / 2; };
  AdapterActivations bytes;
  for (const LinearModule& module : sizes.modules.all()) {
    if (!adapts(adapter, module)) continue;
    const std::uint64_t per_token =
        kind.input * module.in + kind.output * module.out + kind.product * std::uint64_t{adapter.rank};
    bytes.per_layer += Bytes(sizes.tokens) * scaled(per_token);
    bytes.per_layer += product({module.in, module.out, scaled(kind.matrix)}) +
                       product({module.in, module.in, scaled(kind.square),
                                kind.by_rank ? std::max<std::uint32_t>(1, adapter.rank) : 1});
  }
  bytes.per_layer += product({sizes.tokens, sizes.hidden, scaled(kind.hidden)}) +
                     product({sizes.tokens, sizes.heads, adapter.virtual_tokens, scaled(kind.pairs)});
  return bytes;
}

}  // namespace

// Each adapted module keeps its input and the r-wide product between A and B: in fp32 where fp32 adapters run
// without autocast (peft casts the input), in 16 bits otherwise. 16-bit adapters without autocast and dropout
// read the tensor the base layer reads, so that modules with one input share one copy and the attention's
// output, which the kernel keeps anyway, costs nothing. Dropout keeps a byte mask beside the dropped-out
// input. The weight norm of DoRA is detached: what it saves is gone at once.
AdapterActivations adapter_activations(const Sizes& sizes) {
  AdapterActivations bytes;
  if (sizes.trains != Trains::adapters) return bytes;
  if (sizes.plan.adapter.kind != nullptr) return other_kind(sizes);
  const ConcretePlan& plan = sizes.plan;
  const ConcreteAdapter& adapter = plan.adapter;
  const bool wide = bytes_of(adapter.dtype) == 4 && !plan.autocast && sizes.half_compute();
  const std::uint64_t element = wide || !sizes.half_compute() ? 4 : 2;
  const bool shared = !wide && !plan.autocast && !adapter.dropout;

  const bool casts = plan.autocast && bytes_of(adapter.dtype) == 4;
  const bool keeps_attention = plan.attention != Attention::eager &&
                               sizes.recipe.attention.frozen_q[sizes.half_compute() ? 0 : 1] == 0;

  Bytes copies;  // 16-bit copies of fp32 adapter weights
  bool block_input = false;
  bool mlp_input = false;
  for (const LinearModule& module : sizes.modules.all()) {
    if (!adapts(adapter, module)) continue;
    // Routed tokens: every token visits `per_token` of the experts.
    const std::uint64_t visits =
        module.routed && plan.model.moe ? std::max<std::uint32_t>(1, plan.model.moe->per_token) : 1;
    const Bytes input = product({sizes.tokens, module.in, visits});
    const Bytes before = bytes.per_layer;
    bytes.per_layer += product({sizes.tokens, adapter.rank, element, visits});
    const bool from_block = module.role == Role::q || module.role == Role::k || module.role == Role::v;
    const bool from_mlp = module.role == Role::gate || module.role == Role::up;
    const bool lowest = reads_block_input(module.role, sizes.recipe);
    const bool free_copy = shared && ((from_block && block_input) || (from_mlp && mlp_input) ||
                                      (module.role == Role::o && keeps_attention) ||
                                      (module.role == Role::down && sizes.recipe.keeps_product));
    if (!free_copy) bytes.per_layer += input * element;
    if (adapter.dropout) bytes.per_layer += input;
    if (adapter.dropout && lowest) bytes.lowest_saving += input;
    if (adapter.dora) {
      // The magnitude's gradient needs the base layer's output and the adapter's.
      bytes.per_layer += product({sizes.tokens, module.out, sizes.compute_bytes + element, visits});
    }
    if (casts) copies += low_rank_of(module, adapter) * 2;
    if (casts && lowest) bytes.lowest_saving += product({adapter.rank, module.in, 2});
    if (from_mlp || module.role == Role::down) bytes.mlp += bytes.per_layer - before;
    block_input |= from_block;
    mlp_input |= from_mlp;
  }
  bytes.per_layer += copies;
  return bytes;
}

}  // namespace oomlint
