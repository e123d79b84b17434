#include "lint/estimate/formulas.h"
#include "tests/support/data.h"
#include "tests/support/errors.h"
#include "tests/support/oracle.h"

#include <doctest/doctest.h>

using namespace oomlint;

TEST_CASE("counts of traced models and of their adapters are exact") {
  const auto path = test::data("oracle/peaks.jsonl");
  if (!path) return;
  const auto runs = test::oracle_runs(*path);
  for (const test::OracleRun& run : runs) {
    CAPTURE(run.label);
    CHECK(trainable_bytes(Sizes(run.plan)).parameters == run.trainable);
    if (run.plan.quantisation != Quantisation::none) continue;  // its rows count packed bytes as parameters
    const std::uint64_t adapters = run.plan.method == Method::full ? 0 : run.trainable;
    CHECK(count_parameters(run.plan.model).total + adapters == run.parameters);
  }
  CHECK(runs.size() > 500);
}

TEST_CASE("what peft makes trainable is counted exactly") {
  const auto path = test::data("oracle/lora_counts.jsonl");
  if (!path) return;
  const auto rows = test::oracle_adapters(*path);
  for (const test::OracleAdapter& row : rows) {
    CAPTURE(row.model);
    CAPTURE(row.what);
    // Encoders were built to predict masked words, with a head that belongs to the task: a linear layer,
    // which all-linear means too, a norm, and a bias for each word.
    const bool encoder = find_recipe(row.shape.model_type).encoder;
    const std::uint64_t hidden = row.shape.hidden_size;
    const std::uint64_t head = encoder ? hidden * hidden + 3 * hidden + row.shape.vocabulary : 0;
    const bool everywhere = row.what.starts_with("\"all-linear\"");
    const std::uint64_t head_adapter = encoder && everywhere ? 2 * hidden * row.adapter.rank : 0;
    CHECK(count_parameters(row.shape).total + head == row.base);
    CHECK(count_adapter(row.shape, row.adapter).total() + head_adapter == row.trainable);
  }
  MESSAGE(rows.size() << " adapters compared");
  CHECK(rows.size() > 100);
}

TEST_CASE("weights, gradients and optimizer state of traced models are what was alive") {
  const auto path = test::data("oracle/peaks.jsonl");
  if (!path) return;
  for (const test::OracleRun& run : test::oracle_runs(*path)) {
    CAPTURE(run.label);
    const Sizes sizes(run.plan);
    const TrainableBytes trainable = trainable_bytes(sizes);
    const Bytes adapters = sizes.trains == Trains::adapters ? trainable.stored : Bytes();
    CHECK(test::percent_off(weight_bytes(sizes).total() + adapters, run.weights) ==
          doctest::Approx(0).epsilon(0.02));
    CHECK(trainable.gradients == run.gradients);
    // Counters of the steps, one number a parameter, are left out.
    CHECK(test::percent_off(optimizer_state(sizes, trainable), run.optimizer) ==
          doctest::Approx(0).epsilon(0.1));
  }
}
