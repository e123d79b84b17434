#include "lint/estimate/backward.h"

#include <algorithm>

namespace oomlint {

namespace {

/// Where in a layer: in the backward of its MLP, of the norm before it or of its attention, or while it runs
/// forward again.
enum class Place : std::uint8_t { mlp, norm, attention, forward };

/// `index` counts from the lowest layer.
BackwardPoint backward_at(const BackwardInputs& in, std::uint64_t index, Place place) {
  const bool recomputes = in.plan.checkpointing != Checkpointing::none;
  BackwardPoint point;
  point.layer = in.activations.layer;
  // What a recomputed layer has kept besides its input is part of what it saves.
  const bool told = in.activations.input > Bytes() && in.activations.input < in.activations.checkpoint;
  const Bytes input = told ? in.activations.input : in.activations.checkpoint;
  point.below = recomputes ? in.activations.checkpoint * index + input
                           : in.activations.layer * (index - std::min(index, in.sizes.lowest_trained));
  // Micro batches that a pipeline stage has in flight beside this one.
  point.below += in.activations.checkpoint * in.sizes.layers * (in.sizes.in_flight - 1);
  LayerMoment moment{index, {}};
  if (place != Place::forward) point.dequantised = in.dequantised;
  const bool everything = in.sizes.trains == Trains::everything;
  switch (place) {
    case Place::mlp:
      point.transient = in.layer.in_mlp;
      if (everything) moment.own = Bytes(in.sizes.mlp_elements(Role::down));
      break;
    case Place::norm:
    case Place::attention:
      point.layer = point.layer > in.activations.mlp ? point.layer - in.activations.mlp : Bytes();
      point.transient = place == Place::norm ? in.layer.in_norm : in.layer.in_attention;
      if (everything) moment.own = Bytes(in.sizes.mlp_elements());
      break;
    case Place::forward:
      point.transient = in.layer.recomputing;
      break;
  }
  point.shards = shards_at(in.sizes, in.stack, in.sharded, in.trainable, moment);
  return point;
}

}  // namespace

BackwardPoint highest_point(const BackwardInputs& in) {
  const std::uint64_t lowest = std::min(in.sizes.lowest_trained, in.sizes.layers - 1);
  const std::uint64_t highest_layer = in.sizes.layers - 1;
  BackwardPoint highest;
  // Between the ends everything is linear in the layer's index; next to them buffers come and go.
  for (const std::uint64_t index : {highest_layer, std::max(highest_layer, lowest + 1) - 1,
                                    std::min(lowest + 1, highest_layer), lowest}) {
    for (const Place place : {Place::mlp, Place::norm, Place::attention, Place::forward}) {
      const BackwardPoint point = backward_at(in, index, place);
      if (point.total() > highest.total()) highest = point;
    }
  }
  return highest;
}

}  // namespace oomlint
