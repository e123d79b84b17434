#include "lint/estimate/sizes.h"

#include <algorithm>

namespace oomlint {

namespace {

std::uint64_t divided(std::uint64_t number, std::uint64_t by) {
  return by <= 1 ? number : (number + by - 1) / by;
}

Precision precision_of(const ConcretePlan& plan) {
  const bool half_weights = bytes_of(plan.weight_dtype) <= 2;
  if (plan.autocast) return half_weights ? Precision::half_autocast : Precision::mixed;
  return half_weights ? Precision::half : Precision::single;
}

Trains trains_of(const ConcretePlan& plan) {
  switch (plan.method) {
    case Method::lora:
    case Method::qlora:
    case Method::dora:
    case Method::adapter:
      return Trains::adapters;
    case Method::head:
      return Trains::head_only;
    case Method::freeze:
      return Trains::top_layers;
    case Method::full:
      break;
  }
  return plan.first_trainable_layer > 0 ? Trains::top_layers : Trains::everything;
}

}  // namespace

std::uint32_t bytes_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::fp32:
      return 4;
    case Dtype::fp16:
    case Dtype::bf16:
      return 2;
    case Dtype::fp8:
    case Dtype::int8:
    case Dtype::four_bit:
      return 1;
  }
  return 4;
}

Sizes::Sizes(const ConcretePlan& from)
    : plan(from),
      recipe(find_recipe(from.model.model_type)),
      precision(precision_of(from)),
      trains(trains_of(from)),
      counts(count_parameters(from.model)),
      modules(from.model, recipe, from.model.moe.has_value()) {
  const ModelShape& shape = plan.model;
  const std::uint64_t tensor = std::max<std::uint64_t>(1, plan.tensor_parallel);
  const std::uint64_t stages = std::max<std::uint64_t>(1, plan.pipeline_parallel);
  batch = plan.micro_batch;
  length = divided(plan.sequence_length, plan.context_parallel);
  tokens = product({batch, length}).count();
  hidden = shape.hidden_size;
  mlp = divided(shape.intermediate_size, tensor);
  q = divided(product({shape.heads, shape.head_dim}).count(), tensor);
  kv = divided(product({shape.kv_heads, shape.head_dim}).count(), tensor);
  if (shape.mla) {
    const std::uint64_t wide = std::uint64_t{shape.mla->nope} + shape.mla->rope;
    q = kv = divided(shape.heads * wide, tensor);
  }
  heads = divided(shape.heads, tensor);
  kv_heads = divided(shape.kv_heads, tensor);
  vocabulary = divided(shape.vocabulary, tensor);
  layers = divided(shape.layers, stages);
  if (stages > 1 && plan.stage != PipelineStage::last) {
    const std::uint64_t pieces =
        plan.pipeline_micro_batches > 0 ? plan.pipeline_micro_batches : plan.accumulation;
    in_flight = std::min(stages, std::max<std::uint64_t>(1, pieces));
  }
  if (stages > 1 && plan.virtual_pipeline > 1) {
    // Interleaved: chunks of layers, of which stage i holds 2 · (stages - i - 1) + (chunks - 1) · stages + 1.
    const std::uint64_t chunks = plan.virtual_pipeline;
    const std::uint64_t below = plan.stage == PipelineStage::last ? 0 : stages - 1;
    const std::uint64_t alive = std::min(std::max<std::uint64_t>(1, plan.accumulation) * chunks,
                                         2 * below + (chunks - 1) * stages + 1);
    in_flight = divided(alive, chunks);
  }
  if (trains == Trains::head_only) lowest_trained = layers;
  if (trains == Trains::top_layers)
    lowest_trained = std::min(layers, divided(plan.first_trainable_layer, stages));
  weight_bytes = bytes_of(plan.weight_dtype);
  compute_bytes = plan.autocast || weight_bytes < 4 ? 2 : 4;
  residual_bytes = std::max<std::uint32_t>(weight_bytes, 2);
}

namespace {

/// Devices over which a layer's experts are divided.
std::uint64_t expert_split(const ConcretePlan& plan) {
  return product({std::max<std::uint64_t>(1, plan.expert_parallel),
                  std::max<std::uint64_t>(1, plan.expert_tensor_parallel)})
      .count();
}

}  // namespace

// Engines that divide all parameters over all ranks have divided the experts by them already.
std::uint64_t Sizes::local_experts() const {
  const std::uint64_t stages = std::max<std::uint64_t>(1, plan.pipeline_parallel);
  const bool shards = plan.sharding == Sharding::fsdp || plan.sharding == Sharding::fsdp_grad_op ||
                      plan.sharding == Sharding::hsdp || plan.sharding == Sharding::zero3;
  const std::uint64_t split = shards ? std::max<std::uint64_t>(1, plan.tensor_parallel) : expert_split(plan);
  return divided(divided(counts.experts, stages), split);
}

std::uint64_t Sizes::local_layers() const {
  const std::uint64_t tensor = std::max<std::uint64_t>(1, plan.tensor_parallel);
  const std::uint64_t stages = std::max<std::uint64_t>(1, plan.pipeline_parallel);
  const std::uint64_t dense = counts.layers - std::min(counts.layers, counts.experts);
  return divided(divided(dense, stages), tensor) + local_experts();
}

std::uint64_t Sizes::layer_elements() const {
  const std::uint64_t sparse =
      plan.model.moe ? plan.model.layers - std::min(plan.model.layers, plan.model.moe->dense_layers) : 0;
  const std::uint64_t experts = sparse > 0 ? std::min(counts.per_layer, counts.experts / sparse) : 0;
  return divided(counts.per_layer - experts, std::max<std::uint64_t>(1, plan.tensor_parallel)) +
         divided(experts, expert_split(plan));
}

std::uint64_t Sizes::matrix_elements() const {
  Bytes sum;
  for (const LinearModule& module : modules.all())
    sum +=
        product({module.in, module.out, module.count}) + Bytes(module.biased ? module.out * module.count : 0);
  return divided(sum.count(), std::max<std::uint64_t>(1, plan.tensor_parallel));
}

std::uint64_t Sizes::vocabulary_elements() const {
  return product({vocabulary, hidden}).count();
}

std::uint64_t Sizes::mlp_elements(std::optional<Role> role) const {
  Bytes sum;
  for (const LinearModule& module : modules.all()) {
    const bool in_mlp = module.role == Role::gate || module.role == Role::up || module.role == Role::down;
    if (in_mlp && (!role || *role == module.role)) sum += product({module.in, module.out, module.count});
  }
  return divided(sum.count(), std::max<std::uint64_t>(1, plan.tensor_parallel));
}

Bytes Sizes::root_elements() const {
  const Bytes root = Bytes(counts.total) - Bytes(counts.layers);
  return root / std::max<std::uint64_t>(1, plan.tensor_parallel) / (plan.pipeline_parallel > 1 ? 2 : 1);
}

std::uint64_t Sizes::largest_matrix() const {
  std::uint64_t largest = 0;
  for (const LinearModule& module : modules.all())
    largest = std::max(largest, product({module.in, module.out}).count());
  return divided(largest, std::max<std::uint64_t>(1, plan.tensor_parallel));
}

}  // namespace oomlint
