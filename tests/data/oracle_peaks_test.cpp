#include "tests/support/data.h"
#include "tests/support/errors.h"
#include "tests/support/oracle.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace oomlint;

TEST_CASE("peaks are what traced models reached") {
  const auto path = test::data("oracle/peaks.jsonl");
  if (!path) return;
  test::Errors peaks;
  test::Errors moments;
  for (const test::OracleRun& run : test::oracle_runs(*path)) {
    const test::Moments estimated = test::moments(estimate(run.plan, run.stack));
    const std::string what = run.label + ", counted peak in " + run.at;
    peaks.add(run.family + " " + std::string(to_word(run.plan.method)),
              test::percent_off(estimated.peak, run.peak), what);
    moments.add("forward", test::percent_off(estimated.forward, run.forward), what);
    moments.add("backward", test::percent_off(estimated.backward, run.backward), what);
    moments.add("optimizer step", test::percent_off(estimated.step, run.step), what);
  }
  MESSAGE("peaks" << peaks.table());
  MESSAGE("moments" << moments.table());
  CHECK(peaks.count() > 500);
  for (const std::string& group : peaks.groups()) {
    CAPTURE(group);
    CHECK(peaks.mean(group) <= 1);
  }
  CHECK(peaks.share_within(5) >= 0.99);
  CHECK(peaks.share_within(1) >= 0.95);
  for (const std::string& moment : moments.groups()) {
    CAPTURE(moment);
    CHECK(moments.mean(moment) <= 1);
  }
}

TEST_CASE("every kernel, checkpointing and step of the traced models is compared") {
  const auto path = test::data("oracle/peaks.jsonl");
  if (!path) return;
  test::Errors errors;
  for (const test::OracleRun& run : test::oracle_runs(*path)) {
    const Bytes estimated = test::moments(estimate(run.plan, run.stack)).peak;
    const double percent = test::percent_off(estimated, run.peak);
    errors.add(std::string(to_word(run.plan.attention)) + (run.plan.padding_mask ? " with a mask" : ""),
               percent, run.label);
    errors.add(std::string("checkpointing ") + std::string(to_word(run.plan.checkpointing)), percent,
               run.label);
    errors.add(run.plan.accumulation > 1 ? "accumulates" : "one micro batch", percent, run.label);
  }
  MESSAGE("ways to run" << errors.table());
  for (const char* group : {"eager", "sdpa", "sdpa with a mask", "flash", "checkpointing none",
                            "checkpointing full", "accumulates", "one micro batch"}) {
    CAPTURE(group);
    const auto groups = errors.groups();
    CHECK(std::find(groups.begin(), groups.end(), group) != groups.end());
    CHECK(errors.mean(group) <= 1);
  }
}

// The traced models have three narrow layers: what is not counted of them (token types, the pooler, the
// transform of the masked-language head) weighs 2 to 4 % here, and nothing in a model of use.
TEST_CASE("encoders save what traced ones saved, and their peaks are close") {
  const auto path = test::data("oracle/peaks.jsonl");
  if (!path) return;
  test::Errors saved;
  test::Errors peaks;
  for (const test::OracleRun& run : test::oracle_encoders(*path)) {
    const test::Moments estimated = test::moments(estimate(run.plan, run.stack));
    const std::string what = run.label + ", counted peak in " + run.at;
    if (run.plan.checkpointing == Checkpointing::none)
      saved.add(run.family, test::percent_off(estimated.activations, run.activations), what);
    peaks.add(run.family, test::percent_off(estimated.peak, run.peak), what);
  }
  MESSAGE("activations of encoders" << saved.table(1));
  MESSAGE("peaks of encoders" << peaks.table());
  CHECK(peaks.count() == 27);
  for (const std::string& family : peaks.groups()) {
    CAPTURE(family);
    CHECK(saved.mean(family) <= 1);
    CHECK(peaks.mean(family) <= 5);
  }
}
