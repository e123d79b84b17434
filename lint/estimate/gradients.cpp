#include "lint/estimate/formulas.h"

#include <algorithm>

namespace oomlint {

// Gradients have the dtype of the parameter they belong to, under autocast too; engines that keep their own
// (DeepSpeed) say so through the plan's gradient dtype.
TrainableBytes trainable_bytes(const Sizes& sizes) {
  const ConcretePlan& plan = sizes.plan;
  const std::uint64_t tensor = std::max<std::uint64_t>(1, plan.tensor_parallel);
  const std::uint64_t stages = std::max<std::uint64_t>(1, plan.pipeline_parallel);
  const ParameterCounts& counts = sizes.counts;
  TrainableBytes bytes;
  Bytes parameters;
  switch (sizes.trains) {
    case Trains::everything:
      parameters = Bytes(sizes.local_layers()) * tensor +
                   (Bytes(counts.total) - Bytes(counts.layers)) / (stages > 1 ? 2 : 1);
      bytes.expert_parameters = sizes.local_experts();
      bytes.layer_parameters = sizes.layer_elements();
      break;
    case Trains::top_layers:
      parameters = Bytes(counts.per_layer) * (sizes.layers - sizes.lowest_trained) + Bytes(counts.head) +
                   Bytes(counts.final_norm);
      bytes.layer_parameters = sizes.layer_elements();
      break;
    case Trains::head_only:
      parameters = Bytes(counts.head > 0 ? counts.head : counts.final_norm);
      break;
    case Trains::adapters: {
      const AdapterCounts adapter = count_adapter(plan.model, plan.adapter);
      const std::uint32_t adapter_bytes = bytes_of(plan.adapter.dtype);
      const std::uint64_t low_rank = adapter.low_rank / stages;
      // Copies of embedding and head are deep copies: they keep the dtype of the original.
      const Bytes original = (Bytes(adapter.copies) + Bytes(adapter.biases)) * sizes.weight_bytes;
      bytes.parameters = (Bytes(low_rank) + Bytes(adapter.copies) + Bytes(adapter.biases)).count();
      bytes.stored = Bytes(low_rank) * adapter_bytes + original;
      bytes.gradients = bytes.stored;
      bytes.layer_parameters = sizes.layers > 0 ? low_rank / sizes.layers : 0;
      return bytes;
    }
  }
  bytes.parameters = (parameters / tensor).count();
  bytes.stored = Bytes(bytes.parameters) * sizes.weight_bytes;
  bytes.gradients = Bytes(bytes.parameters) * bytes_of(plan.gradient_dtype);
  return bytes;
}

}  // namespace oomlint
