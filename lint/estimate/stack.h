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

/// What the runtime holds per logit, in bytes, besides the 4 of the saved log-probabilities: while the loss
/// is computed, and while its gradient is. The versions behind the numbers are listed with the profiles.
struct LogitCopies {
  std::uint32_t forward = 6;
  std::uint32_t backward = 8;
  std::uint32_t held = 0;  ///< of outputs the caller keeps alive during backward
};

/// How an optimizer step walks the parameters; decides its temporaries.
enum class StepLoop : std::uint8_t { fused, foreach, single };

/// What a runtime does beyond what the config says: the switches of one stack profile at one version, with
/// the quantities that differ between runs of one stack (growth, context) at one end of their range. Profiles
/// are in stacks/, one file each.
struct Stack {
  std::string_view name = "hf_trainer";
  bool flat_sums = false;  ///< the four buckets as a sum: no logits, transients, allocator or context
  LogitCopies logits;
  StepLoop step_loop = StepLoop::fused;
  std::uint32_t step_copies = 1;        ///< gradient-sized temporaries of a foreach step (torch 2.0: 2)
  bool repeats_kv = false;              ///< SDPA repeats K and V to all heads even without a mask
  bool dequantises_forward = false;     ///< one dequantised matrix is alive in forward too
  bool gradients_stay = false;          ///< gradients are zeroed, not freed, between steps
  bool unsharded_accumulation = false;  ///< FSDP without synchronisation while accumulating
  Ratio varying_growth{3, 1};     ///< reserved over allocated of the length-dependent part, varying lengths
  Ratio constant_growth{29, 24};  ///< the same when every micro batch has one shape
  Ratio static_growth{103, 100};  ///< block rounding of everything else
  Bytes context{};                ///< CUDA context, kernels and communication buffers outside the allocator
};

}  // namespace oomlint
