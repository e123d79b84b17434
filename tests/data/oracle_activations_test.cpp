#include "tests/support/data.h"
#include "tests/support/errors.h"
#include "tests/support/oracle.h"

#include <doctest/doctest.h>

using namespace oomlint;

namespace {
/// Of the mean error of a family and method, in percent.
constexpr double allowed = 1;
}  // namespace

TEST_CASE("what a model saves for backward is what traced models saved") {
  const auto path = test::data("oracle/activations.jsonl");
  if (!path) return;
  test::Errors errors;
  for (const test::OracleRun& run : test::oracle_runs(*path)) {
    const Bytes estimated = test::moments(estimate(run.plan, run.stack)).activations;
    errors.add(run.family + " " + std::string(to_word(run.plan.method)),
               test::percent_off(estimated, run.activations), run.label);
  }
  MESSAGE("activations" << errors.table());
  CHECK(errors.count() > 500);
  for (const std::string& group : errors.groups()) {
    CAPTURE(group);
    CHECK(errors.mean(group) <= allowed);
  }
  CHECK(errors.share_within(5) >= 0.99);
}
