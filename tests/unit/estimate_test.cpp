#include "lint/estimate/estimate.h"

#include "lint/estimate/evaluate.h"
#include "lint/estimate/formulas.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace oomlint;

namespace {

// A Llama of two layers, small enough to count by hand.
constexpr std::uint64_t hidden = 64, mlp = 128, heads = 4, q = 64, kv = 32, layers = 2, vocabulary = 1000;
constexpr std::uint64_t batch = 2, length = 8, tokens = batch * length;
constexpr std::uint64_t layer_parameters = 2 * hidden * q + 2 * hidden * kv + 3 * hidden * mlp + 2 * hidden;
constexpr std::uint64_t parameters = 2 * vocabulary * hidden + layers * layer_parameters + hidden;
static_assert(layer_parameters == 36'992 && parameters == 202'048);

// bf16 throughout: 2 bytes a weight and a gradient, two moments of 2 bytes.
constexpr std::uint64_t weights = 2 * parameters, states = weights + 4 * parameters;
constexpr std::uint64_t layer_saved = tokens * (16 * hidden + 8 * mlp + 4 * q + 4 * kv + 4 * heads + 8);
constexpr std::uint64_t outside = tokens * (8 * hidden + 12) + 4 * length * (hidden / heads);
constexpr std::uint64_t logits = tokens * vocabulary;
static_assert(layer_saved == 39'296 && outside == 8'896 && logits == 16'000);

ConcretePlan tiny_llama() {
  ConcretePlan plan;
  ModelShape& shape = plan.model;
  shape.model_type = "llama";
  shape.complete = true;
  shape.layers = layers;
  shape.hidden_size = hidden;
  shape.intermediate_size = mlp;
  shape.heads = heads;
  shape.kv_heads = 2;
  shape.head_dim = hidden / heads;
  shape.vocabulary = vocabulary;
  plan.micro_batch = batch;
  plan.sequence_length = length;
  plan.optimizer = OptimizerId::adamw_torch_fused;
  return plan;
}

Bytes total_of(const Estimate& estimate, Phase phase) {
  const auto found = std::find_if(estimate.phases.begin(), estimate.phases.end(),
                                  [&](const PhaseEstimate& p) { return p.phase == phase; });
  return found == estimate.phases.end() ? Bytes() : found->total();
}

Bytes term_of(const Estimate& estimate, Phase phase, TermKind kind) {
  Bytes sum;
  for (const PhaseEstimate& p : estimate.phases) {
    for (const Term& term : p.terms) {
      if (p.phase == phase && term.kind == kind) sum += term.bytes;
    }
  }
  return sum;
}

TrainingPlan read_plan() {
  TrainingPlan plan;
  const Origin given{OriginKind::given, 0, {}, "", ""};
  plan.set(Field::method, Scalar(std::string("full")), given);
  plan.set(Field::micro_batch, Scalar(std::int64_t{4}), given);
  plan.set(Field::sequence_length, Scalar(std::int64_t{2048}), given);
  plan.set(Field::stack, Scalar(std::string("hf_trainer")), given);
  return plan;
}

ResolvedModel tiny_model() {
  ResolvedModel model;
  model.shape = tiny_llama().model;
  model.certainty = Certainty::high;
  model.how = "inline";
  model.checkpoint_dtype = "bf16";
  return model;
}
}  // namespace

TEST_CASE("phases of a full fine-tune are the sums worked out by hand") {
  const Estimate run = estimate(tiny_llama(), Stack{});
  const std::uint64_t saved = layers * layer_saved + outside + 4 * logits;
  CHECK(total_of(run, Phase::load).count() == weights);
  // 16-bit logits and their fp32 copy beside the log-probabilities, then two fp32 gradients of them.
  CHECK(total_of(run, Phase::forward).count() == states + saved + 6 * logits);
  CHECK(total_of(run, Phase::loss).count() == states + saved + 8 * logits);
  // The log-probabilities are gone; gradients of the 16-bit logits and of the head.
  CHECK(total_of(run, Phase::head_backward).count() ==
        states + saved - 4 * logits + 2 * logits + 2 * vocabulary * hidden);
  // Highest in the lowest layer, at the MLP's norm: gradients of the head, the upper layer and the MLP.
  const std::uint64_t gradients = 2 * (vocabulary * hidden + layer_parameters + 3 * hidden * mlp);
  const std::uint64_t layer_left = layer_saved - tokens * 8 * mlp - tokens * 8 * hidden;
  CHECK(total_of(run, Phase::layer_backward).count() ==
        states + gradients + layer_left + 28 * tokens * hidden);
  CHECK(total_of(run, Phase::end_of_backward).count() == states + 2 * parameters + 2 * tokens * hidden);
  CHECK(total_of(run, Phase::optimizer_step).count() == states + 2 * parameters);
  CHECK(run.peak().phase == Phase::end_of_backward);
  CHECK(run.allocated.count() == 1'618'432);
}

TEST_CASE("a step over lists of tensors needs another copy of the gradients") {
  ConcretePlan plan = tiny_llama();
  plan.optimizer = OptimizerId::adamw_torch;
  Stack stack;
  stack.step_loop = StepLoop::foreach;
  const Estimate run = estimate(plan, stack);
  CHECK(total_of(run, Phase::optimizer_step).count() == states + 4 * parameters);
  CHECK(run.peak().phase == Phase::optimizer_step);
}

TEST_CASE("recomputed layers keep their input") {
  ConcretePlan plan = tiny_llama();
  plan.checkpointing = Checkpointing::full;
  const Estimate run = estimate(plan, Stack{});
  CHECK(term_of(run, Phase::loss, TermKind::checkpoints).count() == layers * 2 * tokens * hidden + outside);
  CHECK(term_of(run, Phase::layer_backward, TermKind::checkpoints).count() == 2 * tokens * hidden);
}

TEST_CASE("selective recomputation keeps the odd matrix products and the attention") {
  ConcretePlan plan = tiny_llama();
  plan.checkpointing = Checkpointing::selective;
  const Estimate run = estimate(plan, Stack{});
  const std::uint64_t kept =
      tokens * (2 * hidden + 2 * hidden + 2 * q + 2 * q + 2 * kv + 2 * mlp + 4 * heads);
  CHECK(term_of(run, Phase::loss, TermKind::checkpoints).count() == layers * kept + outside);
}

TEST_CASE("adapters of a frozen model train in fp32") {
  ConcretePlan plan = tiny_llama();
  plan.method = Method::lora;
  plan.adapter.rank = 4;
  plan.adapter.q = plan.adapter.v = true;
  const std::uint64_t adapters = layers * 4 * ((hidden + q) + (hidden + kv));
  const Estimate run = estimate(plan, Stack{});
  CHECK(term_of(run, Phase::optimizer_step, TermKind::adapter_weights).count() == 4 * adapters);
  CHECK(term_of(run, Phase::optimizer_step, TermKind::gradients).count() == 4 * adapters);
  CHECK(term_of(run, Phase::optimizer_step, TermKind::optimizer_state).count() == 8 * adapters);
  // The frozen norms and MLP keep less; q's and v's adapters each keep an fp32 copy of their input and the
  // rank-wide product.
  const std::uint64_t layer =
      tokens * (8 * hidden + 6 * mlp + 4 * q + 4 * kv + 4 * heads + 8) + 2 * tokens * (4 * hidden + 4 * 4);
  const std::uint64_t rest = 8 * tokens + 4 * length * (hidden / heads);
  CHECK(term_of(run, Phase::loss, TermKind::activations).count() == layers * layer + rest);
}

TEST_CASE("a layer below the lowest trained one saves nothing and has no gradient") {
  ConcretePlan plan = tiny_llama();
  plan.method = Method::freeze;
  plan.first_trainable_layer = 1;
  const Estimate run = estimate(plan, Stack{});
  CHECK(term_of(run, Phase::loss, TermKind::activations).count() == layer_saved + outside);
  const std::uint64_t trained = layer_parameters + vocabulary * hidden + hidden;
  CHECK(term_of(run, Phase::optimizer_step, TermKind::gradients).count() == 2 * trained);
}

TEST_CASE("shards of FSDP and what is gathered") {
  ConcretePlan plan = tiny_llama();
  plan.sharding = Sharding::fsdp;
  plan.world = plan.shard_group = 4;
  plan.master_weights = true;
  plan.gradient_dtype = Dtype::fp32;
  const Estimate run = estimate(plan, Stack{});
  const std::uint64_t root = 2 * (2 * vocabulary * hidden + hidden);
  CHECK(term_of(run, Phase::loss, TermKind::master_weights).count() == 4 * parameters / 4);
  CHECK(term_of(run, Phase::loss, TermKind::optimizer_state).count() == 8 * parameters / 4);
  CHECK(term_of(run, Phase::loss, TermKind::weights).count() == 0);
  CHECK(term_of(run, Phase::loss, TermKind::gathered).count() == root + 2 * layer_parameters);
  CHECK(term_of(run, Phase::optimizer_step, TermKind::gradients).count() == 4 * parameters / 4);
  // In the lowest layer nothing is fetched ahead; the upper layer's gradients are on their way in fp32.
  CHECK(term_of(run, Phase::layer_backward, TermKind::gathered).count() == root + 2 * layer_parameters);
  CHECK(term_of(run, Phase::layer_backward, TermKind::communication).count() ==
        2 * (vocabulary * hidden + 3 * hidden * mlp) + 4 * layer_parameters);
}

TEST_CASE("formulas are written only when asked for, and bytes do not depend on it") {
  const Estimate silent = estimate(tiny_llama(), Stack{});
  const Estimate told = estimate(tiny_llama(), Stack{}, Explain::yes);
  REQUIRE(silent.phases.size() == told.phases.size());
  for (std::size_t i = 0; i < silent.phases.size(); ++i) {
    CHECK(silent.phases[i].total() == told.phases[i].total());
    for (const Term& term : silent.phases[i].terms) CHECK(term.formula.empty());
    for (const Term& term : told.phases[i].terms) CHECK(!term.formula.empty());
  }
}

TEST_CASE("what nobody said becomes an interval, in the order of the quantities") {
  const Evaluation run = evaluate(read_plan(), tiny_model(), nullptr, HeadroomPolicy{}, Explain::yes);
  REQUIRE(run.estimated);
  for (const Interval& interval : {run.allocated, run.reserved, run.device}) {
    CHECK(interval.low <= interval.likely);
    CHECK(interval.likely <= interval.high);
  }
  CHECK(run.reserved.low >= run.allocated.low);
  CHECK(run.device.low >= run.reserved.low);
  double shares = 0;
  for (const Unknown& unknown : run.unknowns) shares += unknown.share;
  CHECK(shares == doctest::Approx(1));
}

TEST_CASE("knowing the longest example narrows the interval") {
  const Evaluation open = evaluate(read_plan(), tiny_model(), nullptr, HeadroomPolicy{});
  TrainingPlan plan = read_plan();
  plan.set(Field::longest_example, Scalar(std::int64_t{2048}), {OriginKind::given, 0, {}, "", ""});
  const Evaluation told = evaluate(plan, tiny_model(), nullptr, HeadroomPolicy{});
  CHECK(told.allocated.low > open.allocated.low);
  CHECK(told.allocated.high <= open.allocated.high);
  CHECK(told.allocated.high - told.allocated.low < open.allocated.high - open.allocated.low);
}
