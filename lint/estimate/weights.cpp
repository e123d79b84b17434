#include "lint/estimate/formulas.h"

#include <algorithm>

namespace oomlint {

namespace {

/// Formats that quantise the routed experts only (gpt-oss checkpoints).
bool experts_only(Quantisation format) {
  return format == Quantisation::mxfp4;
}

/// Stored bytes less what the same weights would take unquantised, over all layers.
Bytes quantised_layers(const Sizes& sizes) {
  const ConcretePlan& plan = sizes.plan;
  const std::uint64_t layers = plan.model.layers;
  const std::uint64_t dense =
      plan.model.moe ? std::min<std::uint64_t>(layers, plan.model.moe->dense_layers) : layers;
  Bytes packed;
  Bytes elements;
  const auto add = [&](const LayerModules& modules, std::uint64_t times) {
    for (const LinearModule& module : modules.all()) {
      if (experts_only(plan.quantisation) && !module.routed) continue;
      packed += stored_bytes(plan.quantisation, module.in, module.out, plan.quantisation_group) *
                module.count * times;
      elements += product({module.in, module.out, module.count, times});
    }
  };
  add(LayerModules(plan.model, sizes.recipe, true), layers - dense);
  add(LayerModules(plan.model, sizes.recipe, false), dense);
  const Bytes rest = Bytes(sizes.counts.layers) - elements;
  return packed + rest * sizes.weight_bytes;
}

}  // namespace

WeightBytes weight_bytes(const Sizes& sizes) {
  const std::uint64_t tensor = std::max<std::uint64_t>(1, sizes.plan.tensor_parallel);
  const std::uint64_t stages = std::max<std::uint64_t>(1, sizes.plan.pipeline_parallel);
  WeightBytes bytes;
  bytes.layers = sizes.quantised() ? quantised_layers(sizes) / tensor / stages
                                   : Bytes(sizes.local_layers()) * sizes.weight_bytes;
  bytes.vocabulary = (Bytes(sizes.counts.total) - Bytes(sizes.counts.layers)) * sizes.weight_bytes / tensor;
  if (sizes.plan.quantised_head && sizes.quantised() && sizes.counts.head > 0) {
    const Bytes plain = Bytes(sizes.vocabulary_elements()) * sizes.weight_bytes;
    bytes.vocabulary =
        bytes.vocabulary - plain +
        stored_bytes(sizes.plan.quantisation, sizes.hidden, sizes.vocabulary, sizes.plan.quantisation_group);
  }
  // The first and the last stage of a pipeline hold embedding and head; the larger of them counts.
  if (stages > 1) bytes.vocabulary = bytes.vocabulary / 2;
  return bytes;
}

}  // namespace oomlint
