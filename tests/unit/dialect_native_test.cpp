#include "tests/support/dialects.h"

#include <doctest/doctest.h>

#include <string>

namespace oomlint {

extern const Dialect native;

namespace {
using test::Reading;
}

TEST_CASE("native: every field of the plan is a key under its own name") {
  for (const FieldInfo& field : all_fields()) {
    INFO(field.name);
    CHECK(is_known_key(native, field.name));
  }
  CHECK(is_known_key(native, "oomlint"));
  CHECK_FALSE(is_known_key(native, "micro_bach"));
  CHECK(nearest_known_key(native, "micro_bach") == "micro_batch");
}

TEST_CASE("native: recognised by its version, and only by that") {
  CHECK(hold_against(test::document("a.yml", "oomlint: 1\nmodel: a\n"), native).accepted);
  CHECK_FALSE(hold_against(test::document("a.yml", "oomlint: 2\nmodel: a\n"), native).accepted);
  CHECK_FALSE(hold_against(test::document("a.yml", "model: a\n"), native).accepted);
}

TEST_CASE("native: flat sums, a generation and the textbook profile") {
  const Reading run(
      native, "a.yml",
      "oomlint: 1\nstack: textbook\nparameters: 7e9\nweight_bytes: 0.5\nmethod: lora\n"
      "generation: {layers: 32, kv_width: 1024, tokens: 4096, requests: 8, bytes_per_element: 2}\n");
  CHECK(run[Field::stack] == "textbook");
  CHECK(run[Field::parameters] == "7000000000");
  CHECK(run[Field::weight_bytes] == "0.5");
  CHECK(run[Field::generation_layers] == "32");
  CHECK(run[Field::generation_bytes_per_element] == "2");
  CHECK(native.is_fragment(test::document("a.yml", "oomlint: 1\nmicro_batch: 2\n")));
  CHECK_FALSE(native.is_fragment(run.document()));
}

TEST_CASE("native: a value that is no value of its field is given but unknown") {
  const TrainingPlan plan =
      Reading(native, "a.yml", "oomlint: 1\nmicro_batch: many\nmethod: strange\n").plan();
  CHECK(plan[Field::micro_batch].given());
  CHECK_FALSE(plan[Field::micro_batch].known());
  CHECK_FALSE(plan[Field::method].known());
}

}  // namespace oomlint
