#pragma once

#include "lint/estimate/concrete_plan.h"
#include "lint/plan/bytes.h"
#include "lint/plan/fields.h"

#include <cstdint>
#include <string>
#include <vector>

namespace oomlint {

/// The moments of a run between which the peak lies.
enum class Phase : std::uint8_t {
  load,
  forward,
  loss,
  head_backward,
  layer_backward,
  end_of_backward,
  optimizer_step,
  evaluation,
  save,
  generation
};
[[nodiscard]] const char* to_string(Phase phase);

/// What a term is made of: one formula with its numbers, computed only when somebody prints it.
enum class TermKind : std::uint8_t {
  weights,
  adapter_weights,
  further_models,
  master_weights,
  gradients,
  optimizer_state,
  activations,
  checkpoints,
  recomputed_layer,
  logits,
  loss,
  transient,
  weight_copies,
  buffers,
  dequantised,
  optimizer_transient,
  given_activations,
  kv_cache,
  communication,
  gathered
};
[[nodiscard]] const char* to_string(TermKind kind);

/// One line of the sum. `inputs` are the fields the bytes depend on: they give the term its certainty and its
/// places in the config.
struct Term {
  TermKind kind;
  Bytes bytes;
  Dtype dtype = Dtype::fp32;
  std::string
      formula;  ///< with the numbers put in, e.g. "4,096 tokens × 128,256 × 12 B"; empty unless explaining
  std::vector<Field> inputs;
};

struct PhaseEstimate {
  Phase phase;
  std::vector<Term> terms;
  [[nodiscard]] Bytes total() const;
};

/// Memory of one GPU (of the rank that needs most) for one fully known plan. All sizes are device bytes.
struct Estimate {
  std::vector<PhaseEstimate> phases;
  std::size_t peak_index = 0;  ///< phase with the largest total
  Bytes allocated;             ///< total of that phase: what torch's max_memory_allocated would say
  Bytes reserved;              ///< with the caching allocator's rounding, fragmentation and growth
  Bytes context;               ///< outside the allocator: CUDA context, kernels, NCCL
  Bytes required;              ///< what must fit: reserved without the cached blocks a failing request frees
  Bytes device;                ///< reserved + context: what nvidia-smi would say
  Bytes host;                  ///< offloaded terms, in host memory
  bool rough = false;          ///< see Stack::rough
  [[nodiscard]] const PhaseEstimate& peak() const { return phases[peak_index]; }
};

enum class Explain : bool { no, yes };

/// Pure: no clock, no files, no globals. Formulas are in weights.cpp, activations.cpp, loss.cpp,
/// optimizer.cpp, …, one family a file, each with its source. `Explain::yes` fills the formula texts.
[[nodiscard]] Estimate estimate(const ConcretePlan& plan, const Stack& stack, Explain explain = Explain::no);

}  // namespace oomlint
