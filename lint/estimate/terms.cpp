#include "lint/estimate/terms.h"

#include <array>

namespace oomlint {

namespace {

using F = Field;

constexpr std::array weights{F::model, F::weight_dtype, F::quantisation, F::sharding};
constexpr std::array adapters{F::lora_rank, F::lora_targets, F::adapter_dtype};
constexpr std::array further{F::reference_model, F::weight_dtype};
constexpr std::array master{F::model, F::master_weights, F::sharding};
constexpr std::array gradients{F::method, F::gradient_dtype, F::sharding};
constexpr std::array optimizer{F::optimizer, F::method, F::sharding};
constexpr std::array activations{F::micro_batch, F::sequence_length, F::checkpointing, F::attention,
                                 F::compute_dtype};
constexpr std::array checkpoints{F::micro_batch, F::sequence_length, F::checkpointing};
constexpr std::array logits{F::micro_batch, F::sequence_length, F::vocabulary, F::loss};
constexpr std::array transients{F::micro_batch, F::sequence_length};
constexpr std::array copies{F::autocast, F::weight_dtype};
constexpr std::array model{F::model};
constexpr std::array dequantised{F::quantisation};
constexpr std::array optimizer_step{F::optimizer};
constexpr std::array given{F::activation_bytes};
constexpr std::array cache{F::generation_layers, F::generation_kv_width, F::generation_tokens,
                           F::generation_requests};
constexpr std::array communication{F::sharding, F::reduce_bucket_elements};
constexpr std::array gathered{F::sharding};

}  // namespace

const char* to_string(Phase phase) {
  switch (phase) {
    case Phase::load:
      return "load";
    case Phase::forward:
      return "forward";
    case Phase::loss:
      return "loss";
    case Phase::head_backward:
      return "head backward";
    case Phase::layer_backward:
      return "layer backward";
    case Phase::end_of_backward:
      return "end of backward";
    case Phase::optimizer_step:
      return "optimizer step";
    case Phase::evaluation:
      return "evaluation";
    case Phase::save:
      return "save";
    case Phase::generation:
      return "generation";
  }
  return "";
}

const char* to_string(TermKind kind) {
  switch (kind) {
    case TermKind::weights:
      return "weights";
    case TermKind::adapter_weights:
      return "adapter weights";
    case TermKind::further_models:
      return "further models";
    case TermKind::master_weights:
      return "master weights";
    case TermKind::gradients:
      return "gradients";
    case TermKind::optimizer_state:
      return "optimizer state";
    case TermKind::activations:
    case TermKind::given_activations:
      return "activations";
    case TermKind::checkpoints:
      return "checkpoints";
    case TermKind::recomputed_layer:
      return "recomputed layer";
    case TermKind::logits:
      return "logits";
    case TermKind::loss:
      return "loss";
    case TermKind::transient:
      return "transients";
    case TermKind::weight_copies:
      return "weight copies";
    case TermKind::buffers:
      return "buffers";
    case TermKind::dequantised:
      return "dequantised weights";
    case TermKind::optimizer_transient:
      return "optimizer temporaries";
    case TermKind::kv_cache:
      return "KV cache";
    case TermKind::communication:
      return "communication buffers";
    case TermKind::gathered:
      return "gathered weights";
  }
  return "";
}

std::span<const Field> inputs_of(TermKind kind) {
  switch (kind) {
    case TermKind::weights:
      return weights;
    case TermKind::adapter_weights:
      return adapters;
    case TermKind::further_models:
      return further;
    case TermKind::master_weights:
      return master;
    case TermKind::gradients:
      return gradients;
    case TermKind::optimizer_state:
      return optimizer;
    case TermKind::activations:
    case TermKind::recomputed_layer:
      return activations;
    case TermKind::checkpoints:
      return checkpoints;
    case TermKind::logits:
    case TermKind::loss:
      return logits;
    case TermKind::transient:
      return transients;
    case TermKind::weight_copies:
      return copies;
    case TermKind::buffers:
      return model;
    case TermKind::dequantised:
      return dequantised;
    case TermKind::optimizer_transient:
      return optimizer_step;
    case TermKind::given_activations:
      return given;
    case TermKind::kv_cache:
      return cache;
    case TermKind::communication:
      return communication;
    case TermKind::gathered:
      return gathered;
  }
  return {};
}

bool grows_with_tokens(TermKind kind) {
  switch (kind) {
    case TermKind::activations:
    case TermKind::checkpoints:
    case TermKind::recomputed_layer:
    case TermKind::logits:
    case TermKind::loss:
    case TermKind::transient:
      return true;
    default:
      return false;
  }
}

std::string times(std::initializer_list<std::uint64_t> factors, std::uint64_t bytes) {
  std::string text;
  for (const std::uint64_t factor : factors) text += grouped(factor) + " × ";
  return text + std::to_string(bytes) + " B";
}

Bytes PhaseEstimate::total() const {
  Bytes sum;
  for (const Term& term : terms) sum += term.bytes;
  return sum;
}

}  // namespace oomlint
