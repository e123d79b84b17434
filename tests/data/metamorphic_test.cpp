#include "tests/support/data.h"
#include "tests/support/oracle.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

using namespace oomlint;

namespace {

/// Plans of the traced models, one of each kind of run, on one device and divided.
struct Subject {
  std::string label;
  ConcretePlan plan;
  Stack stack;
};

std::vector<Subject> subjects() {
  std::vector<Subject> all;
  if (const auto path = test::data("oracle/peaks.jsonl")) {
    for (const test::OracleRun& run : test::oracle_runs(*path)) {
      all.push_back({run.label, run.plan, run.stack});
      for (const Sharding sharding : {Sharding::fsdp, Sharding::zero3}) {
        Subject divided{run.label + " " + std::string(to_word(sharding)), run.plan, run.stack};
        divided.plan.sharding = sharding;
        divided.plan.world = divided.plan.shard_group = 8;
        if (all.size() % 7 == 0) all.push_back(divided);
      }
    }
  }
  return all;
}

Bytes term_of(const PhaseEstimate& phase, TermKind kind) {
  Bytes sum;
  for (const Term& term : phase.terms) {
    if (term.kind == kind) sum += term.bytes;
  }
  return sum;
}

/// What stays on a device from step to step.
Bytes persistent(const Estimate& estimate) {
  const auto step =
      std::find_if(estimate.phases.begin(), estimate.phases.end(),
                   [](const PhaseEstimate& phase) { return phase.phase == Phase::optimizer_step; });
  Bytes sum;
  for (const TermKind kind : {TermKind::weights, TermKind::adapter_weights, TermKind::master_weights,
                              TermKind::gradients, TermKind::optimizer_state})
    sum += term_of(*step, kind);
  return sum;
}

/// No phase, and so no peak, is lower after the change.
void never_lower(const std::vector<Subject>& all, const std::function<bool(ConcretePlan&)>& change) {
  std::size_t changed = 0;
  for (const Subject& subject : all) {
    ConcretePlan more = subject.plan;
    if (!change(more)) continue;
    ++changed;
    CAPTURE(subject.label);
    const Estimate before = estimate(subject.plan, subject.stack);
    const Estimate after = estimate(more, subject.stack);
    REQUIRE(before.phases.size() == after.phases.size());
    for (std::size_t i = 0; i < before.phases.size(); ++i) {
      CAPTURE(std::string(to_string(before.phases[i].phase)));
      CHECK(after.phases[i].total() >= before.phases[i].total());
    }
    CHECK(after.allocated >= before.allocated);
    CHECK(after.reserved >= before.reserved);
    CHECK(after.required >= before.required);
  }
  CHECK((all.empty() || changed > 0));
}

bool adapts(const ConcretePlan& plan) {
  return plan.method == Method::lora || plan.method == Method::qlora;
}
}  // namespace

TEST_CASE("terms add up to their phase, and the highest phase is the peak") {
  for (const Subject& subject : subjects()) {
    CAPTURE(subject.label);
    const Estimate run = estimate(subject.plan, subject.stack);
    Bytes highest;
    for (const PhaseEstimate& phase : run.phases) {
      Bytes sum;
      for (const Term& term : phase.terms) sum += term.bytes;
      CHECK(sum == phase.total());
      highest = std::max(highest, sum);
    }
    CHECK(run.allocated == highest);
    CHECK(run.peak().total() == highest);
    CHECK(run.reserved >= run.required);
    CHECK(run.required >= run.allocated);
    CHECK(run.device == run.reserved + run.context);
  }
}

TEST_CASE("more of it never needs less memory") {
  const std::vector<Subject> all = subjects();
  SUBCASE("a larger micro batch") {
    never_lower(all, [](ConcretePlan& plan) { return ++plan.micro_batch > 2; });
  }
  SUBCASE("longer sequences") {
    never_lower(all, [](ConcretePlan& plan) { return (plan.sequence_length += 64) > 0; });
  }
  SUBCASE("another layer") {
    never_lower(all, [](ConcretePlan& plan) { return ++plan.model.layers > 0; });
  }
  SUBCASE("a larger vocabulary") {
    never_lower(all, [](ConcretePlan& plan) { return (plan.model.vocabulary += 1000) > 0; });
  }
  SUBCASE("a wider MLP") {
    never_lower(
        all, [](ConcretePlan& plan) { return !plan.model.moe && (plan.model.intermediate_size += 64) > 0; });
  }
  SUBCASE("a higher rank") {
    never_lower(all, [](ConcretePlan& plan) { return adapts(plan) && (plan.adapter.rank *= 2) > 0; });
  }
  SUBCASE("adapters on more modules") {
    never_lower(all, [](ConcretePlan& plan) {
      if (!adapts(plan) || plan.adapter.gate) return false;
      plan.adapter.gate = plan.adapter.up = plan.adapter.down = true;
      return true;
    });
  }
  SUBCASE("outputs held by the loop") {
    for (const Subject& subject : all) {
      Stack stack = subject.stack;
      stack.logits.held += 2;
      CHECK(estimate(subject.plan, stack).allocated >= estimate(subject.plan, subject.stack).allocated);
    }
  }
}

TEST_CASE("recomputing layers never needs more, once there are two") {
  std::size_t compared = 0;
  for (const Subject& subject : subjects()) {
    if (subject.plan.model.layers < 2) continue;
    CAPTURE(subject.label);
    Bytes last;
    for (const Checkpointing kind : {Checkpointing::full, Checkpointing::selective, Checkpointing::none}) {
      ConcretePlan plan = subject.plan;
      plan.checkpointing = kind;
      const Bytes saved = test::moments(estimate(plan, subject.stack)).activations;
      CHECK(saved >= last);
      last = saved;
      ++compared;
    }
  }
  MESSAGE(compared << " plans compared");
}

TEST_CASE(
    "a fused loss never needs more than the logits it replaces, where there are more of them than features") {
  for (const Subject& subject : subjects()) {
    if (subject.plan.model.vocabulary <= 8 * subject.plan.model.hidden_size) continue;
    CAPTURE(subject.label);
    ConcretePlan fused = subject.plan;
    fused.loss = Loss::fused;
    CHECK(estimate(fused, subject.stack).allocated <= estimate(subject.plan, subject.stack).allocated);
  }
}

TEST_CASE("a higher stage of ZeRO never keeps more") {
  for (const Subject& subject : subjects()) {
    CAPTURE(subject.label);
    ConcretePlan plan = subject.plan;
    plan.world = plan.shard_group = 8;
    plan.master_weights = true;
    Bytes last = Bytes::saturated();
    for (const Sharding stage : {Sharding::ddp, Sharding::zero1, Sharding::zero2, Sharding::zero3}) {
      plan.sharding = stage;
      const Bytes kept = persistent(estimate(plan, subject.stack));
      CHECK(kept <= last);
      last = kept;
    }
  }
}

TEST_CASE("more devices to divide over never need more on each") {
  for (const Subject& subject : subjects()) {
    for (const Sharding sharding :
         {Sharding::fsdp, Sharding::fsdp_grad_op, Sharding::zero2, Sharding::zero3}) {
      CAPTURE(subject.label);
      CAPTURE(std::string(to_word(sharding)));
      ConcretePlan plan = subject.plan;
      plan.sharding = sharding;
      plan.world = plan.shard_group = 8;
      const Estimate few = estimate(plan, subject.stack);
      plan.world = plan.shard_group = 64;
      const Estimate many = estimate(plan, subject.stack);
      CHECK(persistent(many) <= persistent(few));
      CHECK(many.allocated <= few.allocated);
    }
  }
}

TEST_CASE("smaller storage and smaller states never need more") {
  for (const Subject& subject : subjects()) {
    CAPTURE(subject.label);
    ConcretePlan plan = subject.plan;
    plan.optimizer = OptimizerId::adamw_fp32_states;
    const Bytes whole = persistent(estimate(plan, subject.stack));
    plan.optimizer = OptimizerId::adamw_8bit;
    CHECK(persistent(estimate(plan, subject.stack)) <= whole);
    if (subject.plan.method != Method::qlora) continue;
    ConcretePlan sixteen = subject.plan;
    sixteen.quantisation = Quantisation::int8;
    CHECK(persistent(estimate(subject.plan, subject.stack)) <= persistent(estimate(sixteen, subject.stack)));
  }
}
