#pragma once

#include "lint/plan/bytes.h"

#include <cstdint>
#include <string_view>

namespace oomlint {

/// Optimizer implementations that differ in bytes; the table from framework names is in optimizer.cpp.
enum class OptimizerId : std::uint8_t {
  adamw_torch,
  adamw_torch_fused,
  adamw_fp32_states,
  adamw_8bit,
  adamw_4bit,
  adamw_fp8,
  paged_adamw_32bit,
  paged_adamw_8bit,
  lion,
  lion_fp32_state,
  lion_8bit,
  sgd,
  sgd_momentum,
  adafactor,
  adagrad,
  rmsprop,
  rmsprop_fp32_state,
  rmsprop_8bit,
  ademamix,
  ademamix_8bit,
  paged_ademamix_8bit,
  muon,
  galore,
  apollo,
  lomo,
  sophia,
  schedule_free,
  came,
  unknown
};

/// What the runtime holds per logit, in bytes: from the loss to its backward (`saved`), and besides that
/// while the loss is computed and while its gradient is. The versions behind the numbers are listed with the
/// profiles.
struct LogitCopies {
  std::uint32_t saved = 0;  ///< 0: as the family's recipe says
  std::uint32_t forward = 6;
  std::uint32_t backward = 8;
  std::uint32_t held = 0;         ///< of outputs the caller keeps alive until the end of backward
  std::uint32_t chunk = 0;        ///< of the logits of one chunk only, during the loss's backward
  std::uint32_t chunk_rows = 0;   ///< positions of a sequence in a chunk; 0: no chunks of fixed size
  std::uint32_t head_chunks = 0;  ///< calls of the head whose weight gradients are summed; 0: one
  std::uint32_t kernel = 4;       ///< logits and gradient of a loss kernel; 2 where it writes over the logits
  std::uint32_t hole = 0;  ///< left in reserved memory where freed logits are too small for what comes next
};

/// Whose model code the layers are: decides what a layer saves for backward (blocks/).
enum class Blocks : std::uint8_t { transformers, litgpt, torchtune, torchtitan, megatron };

/// How an optimizer step walks the parameters; decides its temporaries.
enum class StepLoop : std::uint8_t { fused, foreach, single };

/// What a runtime does beyond what the config says: the switches of one stack profile at one version, with
/// the quantities that differ between runs of one stack (growth, context) at one end of their range. Profiles
/// are in stacks/, one file each.
struct Stack {
  std::string_view name = "hf_trainer";
  bool flat_sums = false;  ///< the four buckets as a sum: no logits, transients, allocator or context
  Blocks blocks = Blocks::transformers;
  LogitCopies logits;
  bool keeps_chunks = false;  ///< a chunked loss holds the logits of all chunks, as `logits` says
  StepLoop step_loop = StepLoop::fused;
  std::uint32_t step_copies = 1;        ///< gradient-sized temporaries of a foreach step (torch 2.0: 2)
  bool repeats_kv = false;              ///< SDPA repeats K and V to all heads even without a mask
  bool fused_norms = false;             ///< one kernel for RMSNorm, which keeps its input only
  bool selective_operators = false;     ///< selective checkpointing keeps the outputs of some operators
  bool narrow_norms = false;            ///< RMSNorm computes in the dtype of its input
  bool dequantises_forward = false;     ///< one dequantised matrix is alive in forward too
  std::uint32_t dequantised_bytes = 2;  ///< of one element of a dequantised matrix, with copies
  bool keeps_quantised_inputs = false;  ///< 4-bit layers hold their inputs until the next graph replaces them
  bool pages_states = false;            ///< paged states are managed memory, which torch does not count
  bool longest_first = false;           ///< the first micro batch of the run holds the longest example
  bool accumulates_in_place = false;    ///< weight gradients are added to a standing buffer as they are made
  bool gradients_stay = false;          ///< gradients are zeroed, not freed, between steps
  bool unsharded_accumulation = false;  ///< FSDP without synchronisation while accumulating
  bool split_root = false;        ///< FSDP: the embedding is a unit of its own and released after forward
  bool stream_pools = false;      ///< FSDP 2: gathered weights and gradient shards have pools of their own
  bool loads_together = false;    ///< diffusion: text encoder and autoencoder are loaded beside the model
  bool encodes_apart = false;     ///< diffusion: they have done their work before the model is loaded
  bool pipeline_stages = false;   ///< the first and the last pipeline stage are estimated apart
  bool flat_parameters = false;   ///< FSDP 1: one flat tensor a unit, whose gradient covers frozen parts too
  Ratio varying_growth{3, 1};     ///< reserved over allocated of the length-dependent part, varying lengths
  Ratio constant_growth{29, 24};  ///< the same when every micro batch has one shape
  Ratio static_growth{103, 100};  ///< block rounding of everything else
  bool rough = false;             ///< some layers are counted by analogy: no claim rests on them alone
  Bytes buffers{};                ///< tables on the device that are no parameters
  Bytes standing_gradients{};     ///< temporary gradients that are never given back
  Bytes context{};                ///< CUDA context, kernels and communication buffers outside the allocator
};

}  // namespace oomlint
