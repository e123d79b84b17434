#pragma once

#include "lint/engine/report.h"

#include <cstdint>
#include <string>
#include <vector>

namespace oomlint {

/// What most of the peak is made of; it decides which moves are worth trying. States dominate from two thirds
/// of the peak on, or when they are the larger part and too much by themselves.
enum class Dominant : std::uint8_t { state, activations, evaluation, generation };
[[nodiscard]] Dominant dominant_part(const Evaluation& evaluation);

/// The knob a move turns; a combination turns each knob once.
enum class Knob : std::uint8_t {
  micro_batch,
  checkpointing,
  length,
  attention,
  loss,
  evaluation,
  method,
  optimizer,
  sharding,
  offload,
  precision,
  generation
};

/// One setting of a knob.
struct MoveStep {
  std::vector<PlanEdit> edits;
  std::string title;
};

/// One candidate. A graded move has several steps, mildest last: the search finds the mildest that fits.
struct Move {
  Knob knob;
  Dominant acts_on;
  std::vector<MoveStep> steps;  ///< ascending in bytes
  std::string cost;
  double slowdown = 1.0;
  bool changes_numerics = false;
  double quality = 0;  ///< what it may take from the result: 0 nothing, 1 another kind of training
  /// The order remedies are offered in: time, then numerics, then quality.
  [[nodiscard]] double price() const;
};

/// All moves that this run allows, in the order of the symptom table. Never the learning rate, the
/// allocator's cache, or accumulation by itself; accumulation only together with a smaller micro batch and
/// the same effective batch.
[[nodiscard]] std::vector<Move> possible_moves(const RunReport& run);

}  // namespace oomlint
