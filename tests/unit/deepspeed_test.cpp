#include "tests/support/dialects.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace oomlint {

extern const Dialect deepspeed;

namespace {

using test::Reading;

bool hits(std::string_view text, std::string_view id) {
  Versions versions;
  versions.set("deepspeed", {{0, 18, 0}, {0, 18, 0}, {}});
  const auto ids = Reading(deepspeed, "ds.json", text, versions).hits();
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

TEST_CASE("a ZeRO-3 file with offload") {
  const Reading reading(deepspeed, "ds.json", R"({
  "zero_optimization": {"stage": 3, "offload_optimizer": {"device": "cpu"}, "offload_param": {"device": "none"},
                        "reduce_bucket_size": 2e8},
  "bf16": {"enabled": true},
  "optimizer": {"type": "AdamW", "params": {"lr": 1e-5}},
  "train_micro_batch_size_per_gpu": 4,
  "gradient_accumulation_steps": 2
})");
  CHECK(reading[Field::sharding] == "zero3");
  CHECK(reading[Field::offload_optimizer] == "true");
  CHECK(reading[Field::offload_parameters] == "false");
  CHECK(reading[Field::reduce_bucket_elements] == "200000000");
  CHECK(reading[Field::compute_dtype] == "bf16");
  CHECK(reading[Field::weight_dtype] == "bf16");
  CHECK(reading[Field::master_weights] == "true");
  CHECK(reading[Field::optimizer] == "deepspeed_adamw");
  CHECK(reading[Field::micro_batch] == "4");
  CHECK(reading[Field::accumulation] == "2");
}

TEST_CASE("auto says nothing") {
  const Reading reading(deepspeed, "ds.json", R"({
  "zero_optimization": {"stage": 2, "reduce_bucket_size": "auto"},
  "bf16": {"enabled": "auto"}, "train_batch_size": "auto", "train_micro_batch_size_per_gpu": "auto",
  "gradient_accumulation_steps": "auto"
})");
  CHECK_FALSE(reading.plan()[Field::micro_batch].given());
  CHECK_FALSE(reading.plan()[Field::effective_batch].given());
  CHECK_FALSE(reading.plan_with_defaults()[Field::reduce_bucket_elements].known());
}

TEST_CASE("torch's optimizer on request, and DeepSpeed's other names") {
  CHECK(Reading(deepspeed, "ds.json",
                R"({"optimizer": {"type": "Adam", "params": {"torch_adam": true}}})")[Field::optimizer] ==
        "adamw_torch");
  CHECK(Reading(deepspeed, "ds.json", R"({"optimizer": {"type": "Lamb"}})")[Field::optimizer] == "lamb");
}

TEST_CASE("DeepSpeed's own checks") {
  constexpr std::string_view batch = "deepspeed/batch-not-divisible";
  CHECK(hits(
      R"({"train_batch_size": 30, "train_micro_batch_size_per_gpu": 4, "gradient_accumulation_steps": 2})",
      batch));
  CHECK_FALSE(hits(
      R"({"train_batch_size": 32, "train_micro_batch_size_per_gpu": 4, "gradient_accumulation_steps": 2})",
      batch));
  CHECK_FALSE(hits(R"({"train_batch_size": "auto", "train_micro_batch_size_per_gpu": 4})", batch));
  CHECK(hits(R"({"optimizer": {"type": "Adam"}})", "deepspeed/no-batch"));
  CHECK(hits(R"({"fp16": {"enabled": true}, "bf16": {"enabled": true}})", "deepspeed/fp16-and-bf16"));
  CHECK_FALSE(hits(R"({"fp16": {"enabled": "auto"}, "bf16": {"enabled": true}})", "deepspeed/fp16-and-bf16"));
  CHECK(hits(R"({"zero_optimization": {"stage": 2, "overlap_com": true}})", "deepspeed/unknown-zero-key"));
  CHECK_FALSE(
      hits(R"({"zero_optimization": {"stage": 2, "overlap_comm": true}})", "deepspeed/unknown-zero-key"));
  CHECK(hits(R"({"zero_optimization": {"stage": 2, "offload_optimizer": {"device": "cpu", "ratio": 0.3}}})",
             "deepspeed/partial-offload-below-stage-3"));
  CHECK(hits(R"({"zero_optimization": {"stage": 2, "offload_param": {"device": "cpu"}}})",
             "deepspeed/parameter-offload-below-stage-3"));
  CHECK_FALSE(hits(R"({"zero_optimization": {"stage": 3, "offload_param": {"device": "cpu"}}})",
                   "deepspeed/parameter-offload-below-stage-3"));
  CHECK(hits(R"({"bf16": {"enabled": true, "bf16_optimizer_states": true}})", "deepspeed/bf16-states-alone"));
  CHECK(hits(R"({"optimizer": {"type": "OneBitAdam"}, "zero_optimization": {"stage": 1}})",
             "deepspeed/one-bit-optimizer-with-zero"));
}

TEST_CASE("parameter offload below stage 3 does not count") {
  const TrainingPlan plan =
      Reading(deepspeed, "ds.json",
              R"({"zero_optimization": {"stage": 2, "offload_param": {"device": "cpu"}}})")
          .plan();
  CHECK(plan.flag(Field::offload_parameters) == false);
  CHECK(plan[Field::offload_parameters].difference == Difference::ignored);
}

TEST_CASE("which files are DeepSpeed's") {
  const auto accepts = [](std::string_view text) {
    return hold_against(test::document("a.json", text), deepspeed).accepted;
  };
  CHECK(accepts(R"({"zero_optimization": {"stage": 2}})"));
  CHECK(accepts(R"({"train_batch_size": 8, "steps_per_print": 10})"));
  CHECK_FALSE(accepts(R"({"train_batch_size": 8, "learning_rate": 0.1})"));
  CHECK_FALSE(accepts(R"({"name": "app", "version": "1.0.0", "scripts": {}})"));
}

}  // namespace
}  // namespace oomlint
