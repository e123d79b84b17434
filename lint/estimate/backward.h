#pragma once

#include "lint/estimate/formulas.h"

namespace oomlint {

/// What the layers' backward depends on; all of it computed before.
struct BackwardInputs {
  const ConcretePlan& plan;
  const Stack& stack;
  const Sizes& sizes;
  const TrainableBytes& trainable;
  const ActivationBytes& activations;
  const LayerBackward& layer;
  const Sharded& sharded;
  Bytes dequantised;  ///< the largest matrix of a quantised base, unpacked
};

/// One moment of the layers' backward, in bytes of one device.
struct BackwardPoint {
  LayerShards shards;
  Bytes below;  ///< saved by the layers that are still to come
  Bytes layer;  ///< saved by, or recomputed for, this layer
  Bytes transient;
  Bytes dequantised;  ///< a weight, while its product is computed
  [[nodiscard]] Bytes total() const {
    return shards.gathered + shards.communication + shards.gradients + below + layer + transient +
           dequantised;
  }
};

/// The highest moment within the backward of the uppermost and the lowest layers. The model has a layer.
[[nodiscard]] BackwardPoint highest_point(const BackwardInputs& inputs);

}  // namespace oomlint
