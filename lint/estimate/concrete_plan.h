#pragma once

#include "lint/estimate/adapter_kinds.h"
#include "lint/estimate/diffusion_models.h"
#include "lint/estimate/stack.h"
#include "lint/plan/bytes.h"
#include "lint/plan/model_shape.h"
#include "lint/plan/words.h"

#include <cstdint>
#include <optional>

namespace oomlint {

/// Biases of the base model that train beside the adapters.
enum class TrainedBias : std::uint8_t { none, adapted, all };

/// The adapter of a LoRA-like method. Targets are roles, not names: dialects and the catalogue map "q_proj",
/// "query_key_value", "all-linear" to them.
struct ConcreteAdapter {
  std::uint32_t rank = 0;
  Dtype dtype = Dtype::fp32;
  bool q = false, k = false, v = false, o = false, gate = false, up = false, down = false, experts = false;
  bool embedding = false, head = false;            ///< adapters on the embedding / head
  bool save_embedding = false, save_head = false;  ///< modules_to_save: full trainable copies
  bool shared_gate = false;                        ///< on the gate of a shared expert
  bool dropout = false, dora = false;
  bool bias = false;               ///< the adapters have biases of their own
  bool split_projections = false;  ///< q, k, v (gate, up) have adapters of their own though they are joint
  TrainedBias base_biases = TrainedBias::none;
  const AdapterKind* kind = nullptr;  ///< of a method other than LoRA
  std::uint64_t virtual_tokens = 0;
};

/// Parts of a layer that Megatron recomputes one by one.
struct RecomputedParts {
  bool norms = false, mlp = false, experts = false, expert_activation = false, latent_up = false;
};

/// Training of a diffusion transformer, instead of the language model's layers.
struct DiffusionPlan {
  const DiffusionModel* model = nullptr;
  std::uint64_t height = 0, width = 0;  ///< pixels
  std::uint64_t frames = 1;
  std::uint32_t targets = 0;  ///< bits of adapted modules; 0: the attention's projections
  bool cached = false;        ///< text encoder and autoencoder are not on the device during the steps
};

/// Sums given flatly instead of shapes (native dialect, textbook profile).
struct FlatSums {
  std::uint64_t parameters = 0;
  std::uint64_t adapter_parameters = 0;
  Ratio weight_bytes{2, 1};  ///< bytes per parameter; 4-bit storage is a half
  std::uint32_t gradient_bytes = 4, moment_bytes = 8, master_bytes = 0;  ///< per trainable parameter
  Bytes activation_bytes;
};

/// Keys and values kept for generation: 2 · layers · width · tokens · requests · bytes.
struct Generation {
  std::uint64_t layers = 0, kv_width = 0, tokens = 0, requests = 0, bytes_per_element = 2;
};

/// The stage of a pipeline a device holds: the first has the most micro batches in flight, the last the loss;
/// `any` has both.
enum class PipelineStage : std::uint8_t { any, first, last };

/// A training run with nothing left open: what the estimator computes on. Lengths in tokens, batches in
/// sequences, degrees in devices.
struct ConcretePlan {
  ModelShape model;
  Task task = Task::sft;
  Method method = Method::full;
  Dtype weight_dtype = Dtype::bf16;  ///< of the tensors that are not quantised, after any preparation
  Dtype compute_dtype = Dtype::bf16;
  bool autocast = false;  ///< torch.autocast around forward and loss
  Dtype gradient_dtype = Dtype::bf16;
  bool master_weights = false;
  Quantisation quantisation = Quantisation::none;
  std::uint32_t quantisation_group = 0;  ///< weights that share a scale; 0: the format's usual number
  bool quantised_head = false;           ///< the output projection is stored quantised too
  ConcreteAdapter adapter;
  OptimizerId optimizer = OptimizerId::adamw_torch;
  bool optimizer_paged = false;
  bool optimizer_in_backward = false;  ///< gradients are used and freed as they are made
  std::uint64_t micro_batch = 1;
  std::uint64_t accumulation = 1;
  std::uint64_t evaluation_batch = 0;  ///< 0: no evaluation
  bool evaluation_keeps_logits = false;
  std::uint64_t sequence_length = 0;
  bool model_dropout = true;  ///< the dropout a family has by default is on
  bool sequence_parallel = false;
  bool activation_offload = false;
  bool varying_lengths =
      false;                  ///< micro batches of different length: reserved memory grows with the records
  bool padding_mask = false;  ///< a mask reaches the attention kernel
  std::uint32_t first_trainable_layer = 0;  ///< gradients and saved activations only from here up
  Checkpointing checkpointing = Checkpointing::none;
  std::uint32_t checkpointing_every = 0;  ///< selective: one layer in so many is recomputed; 0: operators
  RecomputedParts recomputed;
  Attention attention = Attention::sdpa;
  Loss loss = Loss::plain;
  bool compile = false, compiled_loss = false;
  bool expandable_segments = false;
  Sharding sharding = Sharding::none;
  std::uint64_t world = 1;
  std::uint64_t shard_group = 1;  ///< devices a state is divided over
  std::uint64_t tensor_parallel = 1, pipeline_parallel = 1, context_parallel = 1, expert_parallel = 1;
  std::uint64_t pipeline_micro_batches = 0;  ///< micro batches a pipeline step is cut into; 0: accumulation
  std::uint64_t expert_tensor_parallel = 1, virtual_pipeline = 1;
  PipelineStage stage = PipelineStage::any;
  bool offload_optimizer = false, offload_parameters = false;
  std::uint64_t reduce_bucket_elements = 0;
  std::uint64_t frozen_copies =
      0;  ///< further models of the same shape beside the trained one (reference, teacher)
  DiffusionPlan diffusion;
  std::optional<FlatSums> flat;
  std::optional<Generation> generation;
};

}  // namespace oomlint
