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

/// Gradients stay whole on every device while it accumulates without synchronisation.
bool stays_whole(const Sizes& sizes, const Stack& stack) {
  const ConcretePlan& plan = sizes.plan;
  return (plan.accumulation > 1 || plan.pipeline_micro_batches > 1) && stack.unsharded_accumulation;
}

/// What the pools of the gathering and the reducing stream grow to: the two largest groups one after the
/// other, and the gradient shards.
Bytes stream_pools(const Sizes& sizes, const Stack& stack, const Sharded& sharded,
                   const TrainableBytes& trainable) {
  const Bytes head = Bytes(sizes.vocabulary_elements()) * sizes.compute_bytes;
  const Bytes largest = stack.split_root ? std::max(head, sharded.layer) : sharded.root;
  return largest + sharded.layer + trainable.gradients / std::max<std::uint64_t>(1, sizes.plan.shard_group);
}

// FSDP2 with a group a layer and a root group (embedding, final norm, head), counted in fake-tensor runs.
// Weights are gathered in the compute dtype, one layer ahead; the root group stays gathered from forward to
// backward and is reduced last. The shards themselves are the fp32 master where parameters are kept in fp32.
void shard_fsdp(const Sizes& sizes, const Stack& stack, const TrainableBytes& trainable, Sharded& result) {
  const ConcretePlan& plan = sizes.plan;
  const std::uint64_t ranks = std::max<std::uint64_t>(1, plan.shard_group);
  const std::uint64_t element = sizes.compute_bytes;
  result.layer = sizes.quantised() ? result.weights / std::max<std::uint64_t>(1, sizes.layers)
                                   : Bytes(sizes.layer_elements()) * element;
  const Bytes root = sizes.root_elements();
  result.root = root * element;
  if (plan.master_weights) result.weights = Bytes();
  result.weights = result.weights / ranks;
  result.adapters = result.adapters / ranks;
  result.master = result.master / ranks;
  result.optimizer = result.optimizer / ranks;
  const bool keeps = plan.sharding == Sharding::fsdp_grad_op;
  result.gathered_forward = result.root + result.layer * (keeps ? sizes.layers : 1);
  if (stack.split_root && !keeps) {
    // Norm and head are a group, the embedding another, released like the layers.
    result.gathered_forward = Bytes(sizes.vocabulary_elements()) * element;
    result.root = Bytes();
  }
  if (sizes.trains == Trains::everything) result.end = root * (element + bytes_of(plan.gradient_dtype));
  if (stack.flat_parameters) {
    // The gradient of a flat tensor covers its frozen parts; the root has none where only adapters train.
    // Embedding's and head's gradients are joined when both are there.
    result.gathered_end = result.root;
    if (sizes.trains == Trains::adapters) result.gradients = result.layer * sizes.layers;
    if (sizes.trains == Trains::everything) result.end = result.root * 2;
  }
  if (!stays_whole(sizes, stack)) {
    result.gradients = result.gradients / ranks;
  } else if (plan.expert_parallel > 1) {
    // Experts that are divided by themselves hold no more than their own, in their own dtype. Where the
    // model's dimensions are not known, neither is how much of it they are: all of it, so that nothing is
    // made up.
    const std::uint64_t experts =
        trainable.expert_parameters > 0 ? trainable.expert_parameters : trainable.parameters;
    result.gradients = result.gradients - Bytes(experts) * bytes_of(plan.gradient_dtype) +
                       Bytes(experts) * sizes.weight_bytes / ranks;
  }
  if (stack.stream_pools) result.pools = stream_pools(sizes, stack, result, trainable);
}

/// FSDP 1: gathered ahead as in FSDP 2; one new flat gradient, which where only adapters train is joined from
/// their part and zeros.
LayerShards flat_shards_at(const Sizes& sizes, const Stack& stack, const Sharded& sharded,
                           const LayerMoment& moment) {
  LayerShards shards;
  shards.gathered = sharded.root + sharded.layer * (moment.index > 0 ? 2 : 1);
  const bool adapters = sizes.trains == Trains::adapters;
  const bool early = made_early(sizes.plan, stack);
  shards.communication = sharded.layer * (adapters ? 2 : 1);
  if (!adapters) shards.communication += Bytes(sizes.vocabulary_elements()) * sizes.compute_bytes;
  const std::uint64_t above = sizes.layers - 1 - moment.index;
  const std::uint64_t ranks =
      stays_whole(sizes, stack) ? 1 : std::max<std::uint64_t>(1, sizes.plan.shard_group);
  shards.gradients = early ? sharded.gradients : sharded.layer * above / ranks;
  return shards;
}

// Megatron's distributed optimizer: fp32 weights and moments divided over the ranks that hold the same
// parameters, which for routed experts are those of other data groups only. A 16-bit gradient buffer is
// copied to fp32 shards at the step.
void shard_megatron(const Sizes& sizes, const TrainableBytes& trainable, Sharded& result) {
  const ConcretePlan& plan = sizes.plan;
  const std::uint64_t ranks = std::max<std::uint64_t>(1, plan.shard_group);
  const std::uint64_t groups =
      product({std::max<std::uint64_t>(1, plan.pipeline_parallel), plan.expert_parallel,
               std::max<std::uint64_t>(1, plan.expert_tensor_parallel)})
          .count();
  const std::uint64_t expert_ranks =
      ranks == 1 ? 1 : std::max<std::uint64_t>(1, plan.world / std::max<std::uint64_t>(1, groups));
  const std::uint64_t all = std::max<std::uint64_t>(1, trainable.parameters);
  const auto divided = [&](Bytes bytes) {
    const std::uint64_t an_element = bytes.count() / all;
    const Bytes experts = Bytes(trainable.expert_parameters) * an_element;
    return (bytes - experts) / ranks + experts / expert_ranks;
  };
  result.master = divided(result.master);
  result.optimizer = divided(result.optimizer);
  if (bytes_of(plan.gradient_dtype) < 4) result.step = divided(Bytes(trainable.parameters) * 4);
}

}  // namespace

bool made_early(const ConcretePlan& plan, const Stack& stack) {
  const bool accumulates = plan.accumulation > 1 || plan.pipeline_micro_batches > 1;
  return (accumulates && !stack.longest_first) || stack.gradients_stay;
}

bool divides_states(const ConcretePlan& plan) {
  return is_fsdp(plan.sharding) || plan.sharding == Sharding::zero2 || plan.sharding == Sharding::zero3;
}

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
    shard_megatron(sizes, trainable, result);
  } else if (plan.sharding == Sharding::ddp && plan.world > 1) {
    result.communication = state.gradients;  // DDP's buckets are copies of the gradients
  }
  if (!is_fsdp(plan.sharding)) result.end = result.communication;
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

// At a layer: its own weights and, resharding, those of the next one below, already fetched; without
// resharding all that are not done. Its own gradients in the dtype they are made in, the layer above in the
// reduction's input, the head's gradient until the root group is reduced.
LayerShards shards_at(const Sizes& sizes, const Stack& stack, const Sharded& sharded,
                      const TrainableBytes& trainable, const LayerMoment& moment) {
  const ConcretePlan& plan = sizes.plan;
  const bool adapters = sizes.trains == Trains::adapters;
  const std::uint64_t reduce = bytes_of(adapters ? plan.adapter.dtype : plan.gradient_dtype);
  const std::uint64_t above = sizes.layers - 1 - moment.index;
  const Bytes head = sizes.trains == Trains::everything ? Bytes(sizes.vocabulary_elements()) : Bytes();
  const Bytes layers_above = Bytes(trainable.layer_parameters) * above;
  const bool early = made_early(plan, stack);
  const std::uint64_t ranks =
      sharded.gradients < trainable.gradients ? std::max<std::uint64_t>(1, plan.shard_group) : 1;
  LayerShards shards;
  if (plan.optimizer_in_backward) {
    shards.gathered = sharded.gathered_backward;
    shards.communication = sharded.communication;
    shards.gradients = Bytes(sizes.largest_matrix()) * reduce;
    return shards;
  }
  if (!is_fsdp(plan.sharding)) {
    shards.gathered = sharded.gathered_backward;
    shards.communication = sharded.communication;
    shards.gradients = early ? sharded.gradients : (layers_above + head + moment.own) * reduce / ranks;
    return shards;
  }
  if (stack.flat_parameters) return flat_shards_at(sizes, stack, sharded, moment);
  const bool keeps = plan.sharding == Sharding::fsdp_grad_op;
  shards.gathered = sharded.root + sharded.layer * (keeps ? moment.index + 1 : moment.index > 0 ? 2 : 1);
  const std::uint64_t made_in = adapters ? reduce : sizes.compute_bytes;
  shards.communication = (head + moment.own) * made_in;
  if (stack.split_root && !keeps) {
    // A head of its own is reduced while the topmost layer runs.
    shards.communication = moment.own * made_in;
    if (above == 0) shards.communication += head * (made_in + reduce);
  }
  if (above > 0) shards.communication += Bytes(trainable.layer_parameters) * reduce;
  const Bytes reduced = layers_above * reduce;
  if (stays_whole(sizes, stack)) {
    const std::uint64_t group = std::max<std::uint64_t>(1, plan.shard_group);
    shards.gradients = sharded.gradients - reduced + reduced / group;
  } else {
    shards.gradients = early ? sharded.gradients : reduced / ranks;
  }
  return shards;
}

}  // namespace oomlint
