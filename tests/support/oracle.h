#pragma once

#include "lint/estimate/estimate.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace oomlint::test {

/// One traced run of the reference data (peaks.jsonl, activations.jsonl): the plan that describes it to the
/// estimator, and the bytes that were counted.
struct OracleRun {
  std::string id;
  std::string family;  ///< of the architecture: config.json's model_type
  std::string label;   ///< the run in a few words: shapes, method, dtypes, kernel, checkpointing
  std::string task;    ///< "causal": a decoder with the loss of its labels
  ConcretePlan plan;
  Stack stack;
  std::uint64_t parameters = 0;
  std::uint64_t trainable = 0;
  Bytes weights, gradients, optimizer;
  Bytes activations;              ///< alive at the end of forward for the sake of backward
  Bytes forward, backward, step;  ///< peaks of the second step's forward and backward, and of the update
  Bytes peak;                     ///< of both steps
  std::string at;                 ///< where it is: moment and operation
};

/// All runs of a file whose decoder the shape reader knows; others (encoders, vision) are left out.
[[nodiscard]] std::vector<OracleRun> oracle_runs(const std::filesystem::path& file);

/// The encoders among them, with the loss of masked words or of classes.
[[nodiscard]] std::vector<OracleRun> oracle_encoders(const std::filesystem::path& file);

/// One count of trainable parameters (lora_counts.jsonl).
struct OracleAdapter {
  std::string model;
  std::string what;  ///< targets, rank and options in a few words
  ModelShape shape;
  ConcreteAdapter adapter;
  std::uint64_t base = 0;
  std::uint64_t trainable = 0;
};
[[nodiscard]] std::vector<OracleAdapter> oracle_adapters(const std::filesystem::path& file);

/// One run of FSDP2 (fsdp_peaks.jsonl).
struct OracleShards {
  std::string what;
  ConcretePlan plan;
  Stack stack;
  Bytes forward, backward, peak;
  std::string at;  ///< the operation of the peak
};
[[nodiscard]] std::vector<OracleShards> oracle_shards(const std::filesystem::path& file);

/// What `estimate` says of the three moments that the reference data tell apart.
struct Moments {
  Bytes activations;
  Bytes forward, backward, step;
  Bytes peak;
};
[[nodiscard]] Moments moments(const Estimate& estimate);

}  // namespace oomlint::test
