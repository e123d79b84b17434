#pragma once

#include <cstdint>
#include <string_view>

#include "lint/plan/bytes.h"
#include "lint/plan/words.h"

namespace oomlint {

/// Optimizer implementations that differ in bytes; the table from framework names is in optimizer.cpp.
enum class OptimizerId : std::uint8_t {
  adamw_torch, adamw_torch_fused, adamw_fp32_states, adamw_8bit, adamw_4bit, adamw_fp8, paged_adamw_32bit, paged_adamw_8bit,
  lion, lion_8bit, sgd, sgd_momentum, adafactor, adagrad, rmsprop, muon, galore, apollo, lomo, sophia, schedule_free, came, unknown
};

/// What a runtime does beyond what the config says: the switches of one stack profile at one version. Profiles are in
/// stacks/, one file each.
struct Stack {
  std::string_view name = "hf_trainer";
  bool count_logits = true;            ///< textbook: false
  bool count_transients = true;
  Bytes context{0};                    ///< CUDA context and kernels, outside the allocator
};

}  // namespace oomlint
