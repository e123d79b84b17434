#include "tests/support/data.h"
#include "tests/support/errors.h"
#include "tests/support/oracle.h"

#include <doctest/doctest.h>

using namespace oomlint;

TEST_CASE("peaks of FSDP2 are what traced ranks reached, and never 5 % low") {
  const auto path = test::data("oracle/fsdp_peaks.jsonl");
  if (!path) return;
  test::Errors errors;
  for (const test::OracleShards& run : test::oracle_shards(*path)) {
    const Bytes estimated = test::moments(estimate(run.plan, run.stack)).peak;
    errors.add(std::string(to_word(run.plan.sharding)) +
                   (run.plan.checkpointing == Checkpointing::none ? "" : ", checkpointing"),
               test::percent_off(estimated, run.peak), run.what + ", counted peak in " + run.at);
  }
  MESSAGE("FSDP2" << errors.table());
  CHECK(errors.count() > 20);
  for (const std::string& group : errors.groups()) {
    CAPTURE(group);
    CHECK(errors.mean(group) <= 5);
  }
  CHECK(errors.lowest() >= -5);
}
