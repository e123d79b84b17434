#include "lint/estimate/formulas.h"

#include <algorithm>

namespace oomlint {

namespace {

constexpr std::uint64_t default_bucket = 500'000'000;         // elements, DeepSpeed
constexpr std::uint64_t max_live_parameters = 1'000'000'000;  // elements, DeepSpeed stage 3
constexpr std::uint64_t sub_group = 1'000'000'000;            // elements, DeepSpeed stage 3

bool is_zero(Sharding sharding) {
  return sharding == Sharding::zero1 || sharding == Sharding::zero2 || sharding == Sharding::zero3;
}
bool is_fsdp(Sharding sharding) {
  return sharding == Sharding::fsdp || sharding == Sharding::fsdp_grad_op || sharding == Sharding::hsdp;
}

/// The reduction bucket of DeepSpeed's stages; a parameter larger than the bucket is reduced alone.
Bytes reduce_bucket(const Sizes& sizes, const TrainableBytes& trainable) {
  const ConcretePlan& plan = sizes.plan;
  const std::uint64_t asked = plan.reduce_bucket_elements > 0 ? plan.reduce_bucket_elements : default_bucket;
  const std::uint64_t largest =
      sizes.trains == Trains::adapters ? 0 : std::max(sizes.vocabulary_elements(), sizes.largest_matrix());
  return Bytes(std::min(std::max(asked, largest), trainable.parameters)) * 2;
}

// ZeRO as DeepSpeed does it (read in its source, commit edaa72212): flat 16-bit weights, gradients in the
// model's dtype, fp32 master weights and moments of the own partition, an fp32 gradient of the partition at
// the step.
void shard_zero(const Sizes& sizes, const TrainableBytes& trainable, Sharded& result) {
  const ConcretePlan& plan = sizes.plan;
  const std::uint64_t ranks = std::max<std::uint64_t>(1, plan.shard_group);
  result.master = result.master / ranks;
  result.optimizer = result.optimizer / ranks;
  const Bytes bucket = reduce_bucket(sizes, trainable);
  const Bytes partition = Bytes(trainable.parameters) / ranks;
  switch (plan.sharding) {
    case Sharding::zero1:
      result.communication = bucket;
      result.step = partition * 4;
      break;
    case Sharding::zero2:
      result.gradients = result.gradients / ranks;
      result.communication = bucket * 2;  // overlap_comm keeps two
      result.step = partition * 4;
      break;
    default: {
      result.gradients = result.gradients / ranks;
      result.communication = bucket;
      result.step = std::min(partition, Bytes(sub_group)) * 4;
      // Quantised weights stay whole on every rank.
      if (sizes.quantised()) break;
      result.weights = result.weights / ranks;
      const std::uint64_t all = sizes.counts.total;
      const std::uint64_t live = std::max(std::min(all, max_live_parameters), 2 * sizes.layer_elements());
      result.gathered_forward = Bytes(std::min(all, live)) * sizes.weight_bytes;
      result.gathered_backward = result.gathered_forward;
      break;
    }
  }
}

// FSDP2 with one group a layer and a root group (embedding, norm, head), counted in fake-tensor runs: weights
// are gathered in the compute dtype, the next layer is prefetched, gradients of a layer wait in 16 bits and
// in the reduction dtype. The shards themselves are the fp32 master where parameters are kept in fp32.
void shard_fsdp(const Sizes& sizes, const Stack& stack, const TrainableBytes& trainable, Sharded& result) {
  const ConcretePlan& plan = sizes.plan;
  const std::uint64_t ranks = std::max<std::uint64_t>(1, plan.shard_group);
  const std::uint64_t element = sizes.compute_bytes;
  const Bytes layer = sizes.quantised() ? result.weights / std::max<std::uint64_t>(1, sizes.layers)
                                        : Bytes(sizes.layer_elements()) * element;
  const Bytes root = (Bytes(sizes.counts.total) - Bytes(sizes.counts.layers)) * element;
  const Bytes whole = layer * sizes.layers + root;
  const bool keeps = plan.sharding == Sharding::fsdp_grad_op;
  if (plan.master_weights) result.weights = Bytes();
  result.weights = result.weights / ranks;
  result.adapters = result.adapters / ranks;
  result.master = result.master / ranks;
  result.optimizer = result.optimizer / ranks;
  result.gathered_forward = keeps ? whole : root + layer;
  result.gathered_backward = keeps ? whole : root + layer * 2;
  const std::uint64_t reduce = bytes_of(plan.gradient_dtype);
  const Bytes layer_gradients(trainable.layer_parameters);
  result.communication = layer_gradients * element + layer_gradients * reduce;
  if (plan.accumulation > 1 && stack.unsharded_accumulation) return;
  result.gradients = result.gradients / ranks;
}

}  // namespace

Sharded shard(const Sizes& sizes, const Stack& stack, const State& state, const TrainableBytes& trainable) {
  const ConcretePlan& plan = sizes.plan;
  Sharded result;
  result.weights = state.weights;
  result.adapters = state.adapters;
  result.master = state.master;
  result.gradients = state.gradients;
  result.optimizer = state.optimizer;
  if (is_zero(plan.sharding)) {
    shard_zero(sizes, trainable, result);
  } else if (is_fsdp(plan.sharding)) {
    shard_fsdp(sizes, stack, trainable, result);
  } else if (plan.sharding == Sharding::megatron) {
    const std::uint64_t ranks = std::max<std::uint64_t>(1, plan.shard_group);
    result.master = result.master / ranks;
    result.optimizer = result.optimizer / ranks;
  } else if (plan.sharding == Sharding::ddp && plan.world > 1) {
    result.communication = state.gradients;  // DDP's buckets are copies of the gradients
  }
  if (plan.offload_optimizer) {
    result.host += result.master + result.optimizer;
    result.master = result.optimizer = Bytes();
    result.step = Bytes();
    result.communication += Bytes(sizes.largest_matrix()) * 2;  // staging
  }
  if (plan.offload_parameters) {
    result.host += result.weights + result.adapters;
    result.weights = result.adapters = Bytes();
    if (is_fsdp(plan.sharding)) {  // FSDP's CPU offload takes gradients and states along
      result.host += result.gradients + result.master + result.optimizer;
      result.gradients = result.master = result.optimizer = Bytes();
    }
  }
  return result;
}

}  // namespace oomlint
