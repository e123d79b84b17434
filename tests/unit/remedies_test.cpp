#include "lint/engine/remedies.h"

#include "lint/engine/remedy_moves.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace oomlint {
namespace {

constexpr Bytes gib(std::uint64_t count) {
  return Bytes(count << 30);
}

/// A toy estimator with the right shape: states by method, activations by micro batch × length, both shrunk
/// by the knobs a real run has. The card has 24 GiB.
struct Toy {
  std::uint64_t state = 0;        ///< GiB of full training states
  std::uint64_t per_example = 0;  ///< MiB of activations of one example of 1,024 tokens
  TrainingPlan plan;
  Card card;
  int evaluations = 0;

  Toy(std::uint64_t state_gib, std::uint64_t example_mib) : state(state_gib), per_example(example_mib) {
    card.has_bf16 = true;
    card.capacity = gib(24);
    given(Field::method, std::string("full"));
    given(Field::micro_batch, std::int64_t{1});
    given(Field::accumulation, std::int64_t{1});
    given(Field::sequence_length, std::int64_t{1024});
    given(Field::checkpointing, std::string("none"));
    given(Field::attention, std::string("sdpa"));
    given(Field::loss, std::string("plain"));
    given(Field::optimizer, std::string("adamw_torch"));
  }

  void given(Field field, Scalar value) {
    plan.set(field, std::move(value), {OriginKind::given, 0, {}, {}, {}});
  }

  static Evaluation judge(const TrainingPlan& p, std::uint64_t state_gib, std::uint64_t example_mib) {
    Bytes states = gib(state_gib);
    const auto method = p.word<Method>(Field::method).value_or(Method::full);
    if (method == Method::lora) states = states / 4;
    if (method == Method::qlora) states = states / 12;
    if (p.text(Field::optimizer)->find("8bit") != std::string_view::npos) states = states * Ratio{3, 4};
    if (p.text(Field::sharding).value_or("none") == "zero3") {
      states = states / static_cast<std::uint64_t>(p.count(Field::world).value_or(1));
    }
    const auto tokens =
        static_cast<std::uint64_t>(*p.count(Field::micro_batch) * *p.count(Field::sequence_length));
    Bytes activations = Bytes(example_mib << 20) * tokens / 1024;
    if (p.word<Checkpointing>(Field::checkpointing) != Checkpointing::none) activations = activations / 4;
    if (p.word<Loss>(Field::loss) != Loss::plain) activations = activations * Ratio{7, 8};

    Evaluation evaluation;
    evaluation.estimated = true;
    PhaseEstimate peak{Phase::layer_backward,
                       {{TermKind::weights, states, Dtype::bf16, {}, {}},
                        {TermKind::activations, activations, Dtype::bf16, {}, {}}}};
    evaluation.likely.phases.push_back(peak);
    const Bytes need = states + activations;
    evaluation.likely.device = evaluation.device.likely = evaluation.need.likely = need;
    evaluation.usable = gib(24);
    const Bytes limit = evaluation.usable * Ratio{90, 100};
    evaluation.verdict = need > evaluation.usable ? Verdict::over
                         : need > limit           ? Verdict::tight
                                                  : Verdict::fits;
    return evaluation;
  }

  std::vector<Remedy> remedies(const SpellEdits& spell = {}) {
    RunReport run;
    run.plan = plan;
    run.card = card;
    run.evaluation = judge(plan, state, per_example);
    return search_remedies(
        run,
        [&](std::span<const PlanEdit> edits) {
          ++evaluations;
          TrainingPlan changed = plan;
          for (const PlanEdit& edit : edits)
            changed.set(edit.field, edit.value, {OriginKind::given, 0, {}, {}, {}});
          return judge(changed, state, per_example);
        },
        spell);
  }
};

const Scalar* value_of(const Remedy& remedy, Field field) {
  const auto found = std::find_if(remedy.edits.begin(), remedy.edits.end(),
                                  [&](const PlanEdit& e) { return e.field == field; });
  return found == remedy.edits.end() ? nullptr : &found->value;
}

bool turns(const std::vector<Remedy>& remedies, Field field) {
  return std::any_of(remedies.begin(), remedies.end(),
                     [&](const Remedy& each) { return value_of(each, field) != nullptr; });
}

TEST_CASE("remedies: activations dominate") {
  Toy toy(6, 3000);
  toy.given(Field::micro_batch, std::int64_t{12});
  const auto remedies = toy.remedies();
  REQUIRE(!remedies.empty());
  for (const Remedy& remedy : remedies) {
    CHECK(remedy.after.verdict == Verdict::fits);
    CHECK(!remedy.cost.empty());
    for (const PlanEdit& edit : remedy.edits) {
      const bool allowed = edit.field == Field::micro_batch || edit.field == Field::accumulation ||
                           edit.field == Field::checkpointing || edit.field == Field::sequence_length ||
                           edit.field == Field::attention || edit.field == Field::loss ||
                           edit.field == Field::activation_offload;
      CHECK_MESSAGE(allowed, name_of(edit.field));
    }
  }
  CHECK(toy.evaluations <= max_remedy_evaluations);
}

TEST_CASE("remedies: a smaller micro batch is the largest that fits and keeps the effective batch") {
  Toy toy(6, 3000);
  toy.given(Field::micro_batch, std::int64_t{12});
  toy.given(Field::accumulation, std::int64_t{2});
  const auto remedies = toy.remedies();
  const auto swap = std::find_if(remedies.begin(), remedies.end(),
                                 [](const Remedy& r) { return value_of(r, Field::micro_batch); });
  REQUIRE(swap != remedies.end());
  // 24 examples a step on a device; 21.6 - 6 GiB hold five examples of 3,000 MiB, of the divisors of 24 that
  // is four.
  CHECK(*value_of(*swap, Field::micro_batch) == Scalar(std::int64_t{4}));
  CHECK(*value_of(*swap, Field::accumulation) == Scalar(std::int64_t{6}));
  CHECK(swap->cost.find("contrastive") != std::string::npos);
  CHECK(!swap->changes_numerics);
}

TEST_CASE("remedies: states dominate") {
  Toy toy(40, 100);
  toy.given(Field::micro_batch, std::int64_t{4});
  const auto remedies = toy.remedies();
  REQUIRE(!remedies.empty());
  CHECK(turns(remedies, Field::method));
  CHECK(!turns(remedies, Field::accumulation));
  CHECK(!turns(remedies, Field::micro_batch));
  CHECK(!turns(remedies, Field::checkpointing));
}

TEST_CASE("remedies: sharding is offered only with several devices") {
  Toy alone(40, 100);
  CHECK(!turns(alone.remedies(), Field::sharding));
  Toy eight(40, 100);
  eight.given(Field::world, std::int64_t{8});
  const auto remedies = eight.remedies();
  REQUIRE(!remedies.empty());
  CHECK(*value_of(remedies.front(), Field::sharding) == Scalar(std::string("zero3")));
}

TEST_CASE("remedies: one oversized example is never met with accumulation") {
  Toy toy(2, 60000);
  const auto remedies = toy.remedies();
  REQUIRE(!remedies.empty());
  CHECK(!turns(remedies, Field::accumulation));
  CHECK(turns(remedies, Field::checkpointing));
}

TEST_CASE("remedies: the learning rate and the cache are no knobs") {
  for (const Move& move : possible_moves([] {
         RunReport run;
         run.plan = Toy(40, 30000).plan;
         return run;
       }())) {
    for (const MoveStep& step : move.steps) {
      CHECK(step.title.find("learning rate") == std::string::npos);
      CHECK(step.title.find("cache") == std::string::npos);
      const bool accumulates = std::any_of(step.edits.begin(), step.edits.end(),
                                           [](const PlanEdit& e) { return e.field == Field::accumulation; });
      const bool shrinks = std::any_of(step.edits.begin(), step.edits.end(),
                                       [](const PlanEdit& e) { return e.field == Field::micro_batch; });
      CHECK(accumulates == shrinks);
    }
  }
}

TEST_CASE("remedies: pairs when no single move is enough, none of whose parts suffices") {
  Toy toy(12, 30000);  // one example of 29 GiB: 7 GiB checkpointed, or half as long
  toy.given(Field::sequence_length, std::int64_t{2048});
  const auto remedies = toy.remedies();
  REQUIRE(!remedies.empty());
  for (const Remedy& remedy : remedies) {
    CHECK(remedy.edits.size() >= 2);
    CHECK(remedy.title.find(" + ") != std::string::npos);
    for (std::size_t i = 0; i < remedy.edits.size(); ++i) {
      TrainingPlan one = toy.plan;
      one.set(remedy.edits[i].field, remedy.edits[i].value, {});
      CHECK(Toy::judge(one, toy.state, toy.per_example).verdict != Verdict::fits);
    }
  }
}

TEST_CASE("remedies: a recipe when no pair is enough") {
  Toy toy(160, 60000);
  toy.given(Field::micro_batch, std::int64_t{2});
  const auto remedies = toy.remedies();
  REQUIRE(remedies.size() == 1);
  CHECK(remedies.front().after.verdict == Verdict::fits);
  CHECK(turns(remedies, Field::method));
  CHECK(toy.evaluations <= max_remedy_evaluations);
}

TEST_CASE("remedies: nothing is offered where nothing helps, where the run fits, and without a card") {
  CHECK(Toy(4000, 100).remedies().empty());
  CHECK(Toy(4, 100).remedies().empty());
  RunReport run;
  run.plan = Toy(40, 100).plan;
  CHECK(search_remedies(run, [](std::span<const PlanEdit>) { return Evaluation{}; }).empty());
}

TEST_CASE("remedies: cheapest first, and the one with keys first among equals") {
  Toy toy(6, 3000);
  toy.given(Field::micro_batch, std::int64_t{12});
  const auto remedies = toy.remedies();
  REQUIRE(remedies.size() >= 2);
  CHECK(value_of(remedies.front(), Field::micro_batch) != nullptr);
  CHECK(value_of(remedies[1], Field::checkpointing) != nullptr);
}

TEST_CASE("bisection finds the last size that fits") {
  for (std::size_t count = 0; count < 12; ++count) {
    for (std::size_t fitting = 0; fitting <= count; ++fitting) {
      const auto last = last_that_fits(count, [&](std::size_t index) { return index < fitting; });
      CHECK(last == (fitting == 0 ? std::nullopt : std::optional(fitting - 1)));
    }
  }
}

TEST_CASE("every field that a remedy edits is marked as one in the field table") {
  Toy toy(400, 4096);
  toy.given(Field::weight_dtype, std::string("fp32"));
  toy.given(Field::attention, std::string("eager"));
  toy.given(Field::world, std::int64_t{8});
  toy.given(Field::micro_batch, std::int64_t{8});
  toy.given(Field::evaluation_batch, std::int64_t{8});
  toy.given(Field::generation_tokens, std::int64_t{4096});
  toy.given(Field::generation_requests, std::int64_t{8});
  toy.given(Field::completion_length, std::int64_t{512});
  std::size_t edits = 0;
  for (const std::string_view sharding : {"ddp", "zero3", "fsdp_grad_op"}) {
    toy.given(Field::sharding, std::string(sharding));
    RunReport run;
    run.plan = toy.plan;
    run.card = toy.card;
    for (const Move& move : possible_moves(run)) {
      for (const MoveStep& step : move.steps) {
        for (const PlanEdit& edit : step.edits) {
          ++edits;
          CHECK_MESSAGE(info(edit.field).remedy, name_of(edit.field));
        }
      }
    }
  }
  CHECK(edits > 50);
}

}  // namespace
}  // namespace oomlint
