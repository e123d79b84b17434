#include "lint/plan/bytes.h"
#include "lint/plan/fields.h"
#include "lint/plan/layer.h"
#include "lint/plan/training_plan.h"

#include <doctest/doctest.h>

#include <set>

using namespace oomlint;

namespace {

Origin at(OriginKind kind, FileIndex file = 0) {
  return {kind, file, {3, 7}, "key", {}};
}

}  // namespace

TEST_CASE("bytes saturate instead of wrapping, and ratios round up") {
  const Bytes huge(~std::uint64_t{0} - 1);
  CHECK((huge + Bytes(5)).overflowed());
  CHECK((huge * 3).overflowed());
  CHECK((Bytes(5) - Bytes(9)).count() == 0);
  CHECK((Bytes(100) * Ratio{112, 100}).count() == 112);
  CHECK((Bytes(1) * Ratio{112, 100}).count() == 2);
  CHECK((huge * Ratio{112, 100}).overflowed());
  CHECK((Bytes(7) / 2).count() == 4);
}

TEST_CASE("sizes are printed with their unit") {
  CHECK(to_string(Bytes(36'864)) == "36,864 B");
  CHECK(to_string(Bytes(std::uint64_t{512} << 20)) == "512.0 MiB");
  CHECK(to_string(Bytes(84'934'656'000)) == "79.1 GiB");
}

TEST_CASE("every field has a unique name by which it is found again") {
  std::set<std::string_view> names;
  for (const FieldInfo& row : all_fields()) {
    CHECK(names.insert(row.name).second);
    CHECK(field_named(row.name) == row.field);
    CHECK_FALSE(row.doc.empty());
    CHECK((row.type == FieldType::word) == (row.words != nullptr));
  }
  CHECK(field_named("learning_rate") == std::nullopt);
}

TEST_CASE("field values are read by type, and refusals say what is expected") {
  std::string why;
  CHECK(parse_value(Field::micro_batch, "8", why) == Scalar(std::int64_t{8}));
  CHECK(parse_value(Field::parameters, "1_000_000", why) == Scalar(std::int64_t{1'000'000}));
  CHECK(parse_value(Field::lora_targets, "q_proj, v_proj", why) ==
        Scalar(std::vector<std::string>{"q_proj", "v_proj"}));
  CHECK(parse_value(Field::weight_dtype, "bf16", why) == Scalar(std::string("bf16")));
  CHECK_FALSE(parse_value(Field::micro_batch, "4k", why));
  CHECK_FALSE(parse_value(Field::micro_batch, "-1", why));
  CHECK_FALSE(parse_value(Field::weight_dtype, "bfloat", why));
  CHECK(why == "expects one of fp32, fp16, bf16, fp8, int8, 4bit");
}

TEST_CASE("a later layer wins and the loser stays visible as the request") {
  TrainingPlan plan;
  stack(plan, {"config.yml", {{Field::micro_batch, std::int64_t{4}, at(OriginKind::given, 0)}}, {}});
  stack(plan, {"command line", {{Field::micro_batch, std::int64_t{8}, at(OriginKind::given, 1)}}, {}});
  const Value& value = plan[Field::micro_batch];
  CHECK(value.requested == Scalar(std::int64_t{4}));
  CHECK(value.effective == Scalar(std::int64_t{8}));
  CHECK(value.difference == Difference::overridden);
  CHECK(value.because == "command line decides");
}

TEST_CASE("a default never displaces what was given, an assumption displaces everything") {
  TrainingPlan plan;
  stack(plan, {"config.yml", {{Field::micro_batch, std::int64_t{4}, at(OriginKind::given)}}, {}});
  stack(plan, {"defaults", {{Field::micro_batch, std::int64_t{1}, at(OriginKind::framework_default)}}, {}});
  CHECK(plan.count(Field::micro_batch) == 4);
  stack(plan, {"--assume", {{Field::micro_batch, std::int64_t{2}, at(OriginKind::assumed)}}, {}});
  CHECK(plan.count(Field::micro_batch) == 2);
  CHECK(plan[Field::micro_batch].requested == Scalar(std::int64_t{4}));
  stack(plan, {"config.yml", {{Field::micro_batch, std::int64_t{16}, at(OriginKind::given)}}, {}});
  CHECK(plan.count(Field::micro_batch) == 2);
}

TEST_CASE("a settlement records why the effective value differs") {
  TrainingPlan plan;
  stack(plan, {"config.yml",
               {{Field::loss, std::string("fused"), at(OriginKind::given)}},
               {{Field::loss, std::string("plain"), Difference::ignored,
                 "a loss scale computes the loss outside the model", at(OriginKind::given)}}});
  CHECK(plan[Field::loss].difference == Difference::ignored);
  CHECK(plan.word<Loss>(Field::loss) == Loss::plain);
  CHECK(plan[Field::loss].requested == Scalar(std::string("fused")));
}

TEST_CASE("versions are read as far as they go") {
  CHECK(parse_version("4.57.6") == Version{4, 57, 6});
  CHECK(parse_version("v0.2") == Version{0, 2, 0});
  CHECK(parse_version("5.24.0.dev0") == Version{5, 24, 0});
  CHECK(parse_version("main") == std::nullopt);
}

TEST_CASE("what several keys of one file add up to is no contradiction") {
  TrainingPlan plan;
  stack(plan, {"config.yml",
               {{Field::method, std::string("lora"), at(OriginKind::given)},
                {Field::method, std::string("qlora"), at(OriginKind::derived)}},
               {}});
  CHECK(plan.word<Method>(Field::method) == Method::qlora);
  CHECK(plan[Field::method].difference == Difference::none);
  CHECK(plan[Field::method].requested == Scalar(std::string("lora")));
}

TEST_CASE("a file that leaves a value open does not disagree with the one that gives it") {
  TrainingPlan plan;
  stack(plan, {"ds.json", {{Field::micro_batch, Scalar(), at(OriginKind::given, 1)}}, {}});
  stack(plan, {"config.yml", {{Field::micro_batch, std::int64_t{4}, at(OriginKind::given, 0)}}, {}});
  CHECK(plan.count(Field::micro_batch) == 4);
  CHECK(plan[Field::micro_batch].difference == Difference::none);
}
