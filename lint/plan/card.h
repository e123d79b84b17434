#pragma once

#include "lint/plan/bytes.h"

#include <cstdint>
#include <string>

namespace oomlint {

/// The accelerator a run is meant for. `capacity` is what the driver reports (the smallest figure reported
/// for the name), never the number on the box.
struct Card {
  std::string key;   ///< "a100-80-sxm"; "24GiB" for a bare size
  std::string name;  ///< "A100 80GB SXM"
  Bytes capacity;
  double peak_flops_16bit = 0;      ///< dense bf16/fp16 FLOP/s with fp32 accumulation; 0 unknown
  double measured_flops_16bit = 0;  ///< best measured matmul rate; 0 unknown
  double memory_bandwidth = 0;      ///< bytes/s; 0 unknown
  double power_watts = 0;           ///< board power limit; 0 unknown
  bool has_bf16 = true;
  bool has_fp8 = false;
  bool has_flash = true;  ///< FlashAttention-2 kernels exist (Ampere or newer)
  std::string vendor;     ///< "nvidia", "amd", …
};

}  // namespace oomlint
