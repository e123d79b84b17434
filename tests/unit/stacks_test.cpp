#include "lint/estimate/concretise.h"
#include "lint/estimate/estimate.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace oomlint {

namespace {

// Two layers of the Llama kind: h = q = kv = 1,024, f = 2,048, 8 heads of 128, V = 32,000, untied.
ResolvedModel small_model(std::uint32_t kv_heads = 8) {
  ModelShape shape;
  shape.model_type = "llama";
  shape.complete = true;
  shape.layers = 2;
  shape.hidden_size = 1024;
  shape.intermediate_size = 2048;
  shape.heads = 8;
  shape.kv_heads = kv_heads;
  shape.head_dim = 128;
  shape.vocabulary = 32000;
  return {shape, Certainty::certain, "inline", "bf16"};
}
constexpr std::uint64_t layer_elements = 4 * 1024 * 1024 + 3 * 1024 * 2048 + 2 * 1024;  // 10,487,808
constexpr std::uint64_t matrix = 32000 * 1024;                                          // 32,768,000
constexpr std::uint64_t all_elements = 2 * layer_elements + 2 * matrix + 1024;          // 86,512,640
constexpr std::uint64_t logits = 512 * 32000;                                           // 16,384,000

using Fields = std::vector<std::pair<Field, Scalar>>;

struct Run {
  Run(std::string stack, const Fields& fields, const ResolvedModel& model = small_model()) {
    TrainingPlan plan;
    plan.set(Field::stack, std::move(stack), {});
    plan.set(Field::micro_batch, std::int64_t{1}, {});
    plan.set(Field::sequence_length, std::int64_t{512}, {});
    plan.set(Field::pad_to_length, true, {});
    for (const auto& [field, value] : fields) plan.set(field, value, {});
    concrete = concretise(plan, model, Scenario{});
    estimate = oomlint::estimate(concrete.plan, concrete.stack);
  }
  [[nodiscard]] std::uint64_t term(Phase wanted, TermKind kind) const {
    std::uint64_t sum = 0;
    for (const PhaseEstimate& phase : estimate.phases) {
      if (phase.phase != wanted) continue;
      for (const Term& term : phase.terms) {
        if (term.kind == kind) sum += term.bytes.count();
      }
    }
    return sum;
  }
  Concrete concrete;
  Estimate estimate;
};

Fields with(Fields fields, Fields more) {
  for (auto& each : more) fields.push_back(std::move(each));
  return fields;
}
Fields litgpt_lora() {
  return {{Field::method, std::string("lora")},
          {Field::lora_rank, std::int64_t{8}},
          {Field::lora_targets, std::vector<std::string>{"q_proj", "v_proj"}},
          {Field::lora_dropout, 0.05},
          {Field::compute_dtype, std::string("bf16")},
          {Field::weight_dtype, std::string("bf16")},
          {Field::adapter_dtype, std::string("bf16")},
          {Field::loss, std::string("chunked")}};
}

TEST_CASE("litgpt: adapters by role of the joint projection, all in 16 bits") {
  const Run run("litgpt", litgpt_lora());
  // r·E·h + r·(widths) = 8·2·1,024 + 8·2·1,024 a layer, two layers, 2 B.
  CHECK(run.term(Phase::load, TermKind::adapter_weights) == 2 * 32768 * 2);
  CHECK(run.term(Phase::optimizer_step, TermKind::optimizer_state) == 2 * 65536 * 2);
  // Embedding and head are two tensors.
  CHECK(run.term(Phase::load, TermKind::weights) == all_elements * 2);
}

TEST_CASE("litgpt: what a frozen layer saves in 16 bits") {
  const Run run("litgpt", litgpt_lora());
  constexpr std::uint64_t norms = 2 * (4 * 1024 + 4);  // fp32 inputs
  // dropped-out input, mask, two products of rank 8, scattered q and v.
  constexpr std::uint64_t qkv = 2 * 1024 + 1024 + 2 * 2 * 8 + 2 * (1024 + 1024);
  // rotated q and k and the output; log-sum-exp; v keeps the joint projection.
  constexpr std::uint64_t attention = 6 * 1024 + 4 * 8 + 2 * (1024 + 2 * 1024);
  constexpr std::uint64_t mlp = 6 * 2048;
  constexpr std::uint64_t layer = norms + qkv + attention + mlp;
  CHECK(layer == 40008);
  // The lowest layer's first norm saves nothing; final norm, labels and ids.
  constexpr std::uint64_t saved = 512 * (2 * layer - (4 * 1024 + 4) + (4 * 1024 + 4) + 12);
  CHECK(run.term(Phase::loss, TermKind::activations) == saved);
}

TEST_CASE("litgpt: grouped heads repeat v, the softcap keeps scores") {
  const Run grouped_heads("litgpt", litgpt_lora(), small_model(2));  // kv = 256
  constexpr std::uint64_t qkv = 2 * 1024 + 1024 + 2 * 2 * 8 + 2 * (1024 + 256);
  constexpr std::uint64_t layer = 2 * 4100 + qkv + 6 * 1024 + 32 + 2 * 1024 + 6 * 2048;
  CHECK(grouped_heads.term(Phase::loss, TermKind::activations) == 512 * (2 * layer + 12));
  ResolvedModel capped = small_model();
  capped.shape.attention_softcap = 50;
  const Run softcap("litgpt", litgpt_lora(), capped);
  // 8 bytes a head and pair instead of the log-sum-exp's 4 a head and token, two layers.
  CHECK(softcap.term(Phase::loss, TermKind::activations) ==
        512 * (2 * 40008 + 12) + 2 * 512 * 8 * (512 * 8 - 4));
}

TEST_CASE("litgpt: norms of q and k, and one key head") {
  ResolvedModel normed = small_model();
  normed.shape.qk_norm = QkNorm::head;
  const Run heads("litgpt", litgpt_lora(), normed);
  // fp32 inputs of both norms and a number a head: 4·(1,024 + 1,024) + 4·16 more in each of two layers.
  CHECK(heads.term(Phase::loss, TermKind::activations) == 512 * (2 * (40008 + 4 * 2048 + 4 * 16) + 12));
  // kv = 128: v is copied to all heads; until the end of 2024 it was a view of the joint projection.
  constexpr std::uint64_t rest =
      2 * 4100 + (2 * 1024 + 1024 + 2 * 2 * 8 + 2 * (1024 + 128)) + 6 * 1024 + 32 + 6 * 2048;
  const Run one("litgpt", litgpt_lora(), small_model(1));
  CHECK(one.term(Phase::loss, TermKind::activations) == 512 * (2 * (rest + 2 * 1024) + 12));
  const Run before("litgpt", with(litgpt_lora(), {{Field::framework_date, std::string("2024-05-01")}}),
                   small_model(1));
  CHECK(before.term(Phase::loss, TermKind::activations) == 512 * (2 * (rest + 2 * (1024 + 2 * 128)) + 12));
}

TEST_CASE("litgpt: fp32 logits in chunks that the loop holds") {
  const Run run("litgpt", litgpt_lora());
  CHECK(run.term(Phase::loss, TermKind::loss) == 4 * logits);
  // 4 held; the gradients of one chunk of 128 positions.
  CHECK(run.term(Phase::loss, TermKind::logits) == 4 * logits + 8 * 128 * 32000);
  // The next forward: the held 4, 16-bit and fp32 logits of its own.
  CHECK(run.term(Phase::forward, TermKind::loss) + run.term(Phase::forward, TermKind::logits) == 10 * logits);
  // Held until the layers' backward is over.
  CHECK(run.term(Phase::end_of_backward, TermKind::logits) == 4 * logits);
}

TEST_CASE("litgpt: full fine-tuning copies the shifted logits") {
  const Run run("litgpt", {{Field::method, std::string("full")},
                           {Field::compute_dtype, std::string("bf16")},
                           {Field::weight_dtype, std::string("bf16")},
                           {Field::loss, std::string("chunked")}});
  CHECK(run.term(Phase::loss, TermKind::loss) + run.term(Phase::loss, TermKind::logits) == 12 * logits);
  CHECK(run.term(Phase::forward, TermKind::loss) + run.term(Phase::forward, TermKind::logits) == 12 * logits);
  // Norms also keep the normalised tensor; q, k, v and o their inputs; the MLP silu and its input.
  constexpr std::uint64_t norms = 2 * (4 * 1024 + 2 * 1024 + 4);
  constexpr std::uint64_t attention = 2 * 1024 + 6 * 1024 + 32 + 2 * 3 * 1024 + 2 * 1024;
  constexpr std::uint64_t mlp = 8 * 2048 + 2 * 1024;
  CHECK(run.term(Phase::loss, TermKind::activations) ==
        512 * (2 * (norms + attention + mlp) + (6 * 1024 + 4) + 2 * 1024 + 12));
}

TEST_CASE("litgpt: bitsandbytes before 0.44 keeps inputs, the head is packed, paged states are not counted") {
  const Fields qlora = with(litgpt_lora(), {{Field::method, std::string("qlora")},
                                            {Field::quantisation, std::string("nf4")},
                                            {Field::framework_date, std::string("2024-03-20")}});
  const Run run("litgpt", qlora);
  constexpr std::uint64_t kept = 4 * 1024 + 2 * 1024 + 2 * 2048;
  CHECK(run.term(Phase::loss, TermKind::activations) ==
        512 * (2 * (40008 + kept) - 4100 - 2 * 1024 + 4100 + 2 * 1024 + 12));
  // The forward of the next micro batch runs beside the inputs of this one.
  CHECK(run.term(Phase::forward, TermKind::activations) - run.term(Phase::loss, TermKind::activations) ==
        512 * 2 * kept);
  constexpr std::uint64_t packed = matrix / 2 + matrix / 64 * 4 + 64;
  constexpr std::uint64_t linears = 4 * (1024 * 1024 / 2 + 1024 * 1024 / 64 * 4 + 64) +
                                    3 * (2 * 1024 * 1024 / 2 + 2 * 1024 * 1024 / 64 * 4 + 64);
  CHECK(run.term(Phase::load, TermKind::weights) ==
        2 * linears + packed + matrix * 2 + (4 * 1024 + 1024) * 2);
  CHECK(run.term(Phase::optimizer_step, TermKind::optimizer_state) == 0);
  const Run later("litgpt", with(qlora, {{Field::framework_date, std::string("2025-05-10")}}));
  CHECK(later.term(Phase::loss, TermKind::activations) == 512 * (2 * 40008 + 12));
}

TEST_CASE("litgpt: scripts of 2023 begin with the longest example") {
  const Fields lora = with(litgpt_lora(), {{Field::accumulation, std::int64_t{8}}});
  const Run old("litgpt", with(lora, {{Field::framework_date, std::string("2023-10-20")}}));
  CHECK(old.term(Phase::loss, TermKind::gradients) == 0);
  CHECK(old.term(Phase::forward, TermKind::loss) + old.term(Phase::forward, TermKind::logits) == 6 * logits);
  const Run august("litgpt", with(lora, {{Field::framework_date, std::string("2023-08-21")}}));
  CHECK(august.term(Phase::loss, TermKind::loss) == 2 * logits);
  // Norms in 16 bits: 2h + 2 instead of 4h + 4.
  CHECK(august.term(Phase::loss, TermKind::activations) == 512 * (2 * (40008 - 2 * 2050) + 12));
  const Run current("litgpt", lora);
  CHECK(current.term(Phase::loss, TermKind::gradients) == 65536 * 2);
}

TEST_CASE("litgpt: under autocast the frozen weights are cast at each use, the head's for every chunk") {
  const Run run("litgpt", with(litgpt_lora(), {{Field::weight_dtype, std::string("fp32")},
                                               {Field::adapter_dtype, std::string("fp32")},
                                               {Field::autocast, true}}));
  // Both layers' linears in 16 bits, without q, k and v of the lowest; 512 positions are 4 chunks. The norms'
  // fp32 inputs are the residual stream itself.
  constexpr std::uint64_t linears = (4 * 1024 * 1024 + 3 * 1024 * 2048) * 2;
  CHECK(run.term(Phase::loss, TermKind::weight_copies) == 2 * linears);
  CHECK(run.term(Phase::loss, TermKind::activations) + run.term(Phase::loss, TermKind::weight_copies) ==
        512 * (2 * 40008 + 12) + 2 * linears - 3 * 1024 * 1024 * 2 + 4 * matrix * 2);
}

TEST_CASE("litgpt: flat parameters keep whole gradients of frozen layers while accumulating") {
  const Fields sharded = with(litgpt_lora(), {{Field::world, std::int64_t{4}},
                                              {Field::accumulation, std::int64_t{8}},
                                              {Field::sharding, std::string("fsdp")},
                                              {Field::checkpointing, std::string("full")}});
  const Run run("litgpt", sharded);
  CHECK(run.term(Phase::layer_backward, TermKind::gradients) == 2 * layer_elements * 2);
  CHECK(run.term(Phase::load, TermKind::weights) == all_elements * 2 / 4);
  // The root and two layers are gathered; zeros for the frozen parts, and joined.
  constexpr std::uint64_t root = (2 * matrix + 1024) * 2;
  CHECK(run.term(Phase::layer_backward, TermKind::gathered) == root + 2 * layer_elements * 2);
  CHECK(run.term(Phase::layer_backward, TermKind::communication) == 2 * layer_elements * 2);
  const Run full("litgpt", with(sharded, {{Field::method, std::string("full")}}));
  CHECK(full.term(Phase::end_of_backward, TermKind::gradients) == all_elements * 2);
  // New gradients of embedding and head, and joined.
  CHECK(full.term(Phase::end_of_backward, TermKind::communication) == 2 * root);
}

Fields torchtune_full() {
  return {{Field::method, std::string("full")},
          {Field::compute_dtype, std::string("bf16")},
          {Field::weight_dtype, std::string("bf16")},
          {Field::adapter_dtype, std::string("bf16")},
          {Field::optimizer, std::string("adamw_torch_fused")}};
}

TEST_CASE("torchtune: what a layer saves, eager and compiled") {
  // 16h + 8f + 8q + 4·heads + 8, and 8h for the final norm and the head's input, labels and ids.
  constexpr std::uint64_t eager = 16 * 1024 + 8 * 2048 + 8 * 1024 + 4 * 8 + 8;
  const Run plain("torchtune", torchtune_full());
  CHECK(plain.term(Phase::loss, TermKind::activations) == 512 * (2 * eager + 8 * 1024 + 12));
  // The compiled layer makes silu and the fp32 norms again: 8h + 6f + 8q + 4·heads.
  constexpr std::uint64_t compiled = 8 * 1024 + 6 * 2048 + 8 * 1024 + 4 * 8;
  const Run faster("torchtune", with(torchtune_full(), {{Field::compile, true}}));
  CHECK(faster.term(Phase::loss, TermKind::activations) == 512 * (2 * compiled + 8 * 1024 + 12));
}

TEST_CASE("torchtune: logits by loss and date") {
  const auto in_flight = [](const Fields& more) {
    const Run run("torchtune", with(torchtune_full(), more));
    return run.term(Phase::loss, TermKind::loss) + run.term(Phase::loss, TermKind::logits);
  };
  const Scalar chunked = std::string("chunked");
  CHECK(in_flight({}) == 12 * logits);
  CHECK(in_flight({{Field::framework_date, std::string("2024-05-09")}}) == 16 * logits);
  // 16-bit chunks, the log-probabilities of all of them, the gradients of one of eight.
  CHECK(in_flight({{Field::loss, chunked}}) == 7 * logits);
  CHECK(in_flight({{Field::loss, chunked}, {Field::compile, true}}) == 2 * logits);
  const Run run("torchtune", with(torchtune_full(), {{Field::loss, chunked}, {Field::compile, true}}));
  // Six of eight chunks' gradients; the head's first two weight gradients and their sum.
  CHECK(run.term(Phase::head_backward, TermKind::logits) == 2 * logits * 6 / 8 + 3 * 2 * matrix);
}

TEST_CASE("torchtune: the step in backward leaves no gradients, offloading no checkpoints") {
  const Run run("torchtune", with(torchtune_full(), {{Field::optimizer_in_backward, true},
                                                     {Field::checkpointing, std::string("full")}}));
  CHECK(run.term(Phase::end_of_backward, TermKind::gradients) == 0);
  // The gradient of one matrix at a time: 1,024 × 2,048 in 16 bits.
  CHECK(run.term(Phase::layer_backward, TermKind::gradients) == 1024 * 2048 * 2);
  CHECK(run.term(Phase::loss, TermKind::checkpoints) == 512 * (2 * 2 * 1024 + 8 * 1024 + 12));
  const Run away("torchtune", with(torchtune_full(), {{Field::activation_offload, true}}));
  CHECK(away.term(Phase::loss, TermKind::checkpoints) == 512 * 12);
}

TEST_CASE("torchtune: recipes turn expandable segments on from 0.3") {
  CHECK(Run("torchtune", torchtune_full()).concrete.plan.expandable_segments);
  CHECK_FALSE(Run("torchtune", with(torchtune_full(), {{Field::framework_date, std::string("2024-05-09")}}))
                  .concrete.plan.expandable_segments);
}

TEST_CASE("torchtune: NF4 leaves embedding and head in 16 bits; adapters share the inputs") {
  const Run run("torchtune", with(torchtune_full(),
                                  {{Field::method, std::string("qlora")},
                                   {Field::quantisation, std::string("nf4_double")},
                                   {Field::lora_rank, std::int64_t{8}},
                                   {Field::lora_targets, std::vector<std::string>{"q_proj", "v_proj"}}}));
  // Half a byte, a byte per 64, 4 bytes per 16,384 and 1,092 for the tables.
  constexpr std::uint64_t square = 1024 * 1024 / 2 + 1024 * 1024 / 64 + 1024 * 1024 / 16384 * 4 + 1092;
  constexpr std::uint64_t wide = 2048 * 1024 / 2 + 2048 * 1024 / 64 + 2048 * 1024 / 16384 * 4 + 1092;
  CHECK(run.term(Phase::load, TermKind::weights) ==
        2 * (4 * square + 3 * wide) + (2 * matrix + 5 * 1024) * 2);
  // Norms 4h + 4 each, three of the MLP's four, attention as before; one shared input and two products.
  constexpr std::uint64_t layer = 2 * 4100 + 6 * 2048 + 8 * 1024 + 32 + 2 * 1024 + 2 * 2 * 8;
  CHECK(run.term(Phase::loss, TermKind::activations) == 512 * (2 * layer - 4100 + 4 * 1024 + 12));
}

Fields torchtitan_run() {
  return {{Field::task, std::string("pretrain")},
          {Field::method, std::string("full")},
          {Field::weight_dtype, std::string("fp32")},
          {Field::compute_dtype, std::string("bf16")},
          {Field::gradient_dtype, std::string("fp32")},
          {Field::sharding, std::string("fsdp")},
          {Field::world, std::int64_t{8}},
          {Field::optimizer, std::string("adamw_torch_fused")}};
}

TEST_CASE("torchtitan: fp32 shards, 16-bit gathers, fp32 reduction") {
  const Run run("torchtitan", with(torchtitan_run(), {{Field::framework_date, std::string("2025-02-06")}}));
  CHECK(run.term(Phase::loss, TermKind::weights) == 0);
  CHECK(run.term(Phase::loss, TermKind::master_weights) == all_elements * 4 / 8);
  CHECK(run.term(Phase::loss, TermKind::optimizer_state) == all_elements * 8 / 8);
  CHECK(run.term(Phase::optimizer_step, TermKind::gradients) == all_elements * 4 / 8);
  // One root unit and the last layer stay gathered; later only the head's unit.
  constexpr std::uint64_t root = (2 * matrix + 1024) * 2;
  CHECK(run.term(Phase::loss, TermKind::gathered) == root + layer_elements * 2);
  // The head's gradient waits for the embedding's; down's own; those of the layer above in fp32.
  CHECK(run.term(Phase::layer_backward, TermKind::communication) ==
        matrix * 2 + 2048 * 1024 * 2 + layer_elements * 4);
  const Run later("torchtitan", torchtitan_run());
  CHECK(later.term(Phase::loss, TermKind::gathered) == matrix * 2);
  const Run never("torchtitan", with(torchtitan_run(), {{Field::sharding, std::string("fsdp_grad_op")}}));
  CHECK(never.term(Phase::loss, TermKind::gathered) == all_elements * 2);
}

TEST_CASE("torchtitan: what a layer saves by checkpointing") {
  const auto saved = [](const Fields& more) {
    const Run run("torchtitan", with(torchtitan_run(), more));
    return run.term(Phase::loss, TermKind::activations) + run.term(Phase::loss, TermKind::checkpoints);
  };
  const Scalar selective = std::string("selective");
  const Scalar before_kernel = std::string("2025-02-06");
  // Outside: ids, labels, the final norm and the head's input.
  constexpr std::uint64_t python_end = 8 * 1024 + 12;
  constexpr std::uint64_t end = 4 * 1024 + 12;
  CHECK(saved({{Field::framework_date, before_kernel}}) ==
        512 * (2 * (16 * 1024 + 8 * 1024 + 8 * 2048 + 32) + python_end));
  CHECK(saved({}) == 512 * (2 * (8 * 1024 + 8 * 1024 + 8 * 2048 + 32) + end));
  CHECK(saved({{Field::compile, true}}) == 512 * (2 * (8 * 1024 + 8 * 1024 + 6 * 2048 + 32) + end));
  // Layer input, q, v, attention output, gate, down projection.
  constexpr std::uint64_t operators = 2 * 1024 + 2 * (2 * 1024 + 1024 + 2048) + 32 + 2 * 1024;
  CHECK(saved({{Field::checkpointing, selective}}) == 512 * (2 * operators + end));
  CHECK(saved({{Field::checkpointing, selective}, {Field::compile, true}}) ==
        512 * (2 * (operators - 2 * 1024) + end));
  // Two layers of which one is recomputed.
  constexpr std::uint64_t layer = 8 * 1024 + 8 * 1024 + 8 * 2048 + 32;
  CHECK(saved({{Field::checkpointing, selective}, {Field::checkpointing_every, std::int64_t{2}}}) ==
        512 * (layer + 2 * 1024 + end));
}

TEST_CASE("torchtitan: bytes per logit by date, compiler and tensor parallelism") {
  const auto in_flight = [](const Fields& more) {
    const Run run("torchtitan", with(torchtitan_run(), more));
    return run.term(Phase::loss, TermKind::loss) + run.term(Phase::loss, TermKind::logits);
  };
  CHECK(in_flight({}) == 12 * logits);
  CHECK(in_flight({{Field::framework_date, std::string("2024-06-06")}}) == 20 * logits);
  CHECK(in_flight({{Field::compile, true}}) == 4 * logits);
  CHECK(in_flight({{Field::compile, true}, {Field::compiled_loss, false}}) == 12 * logits);
  CHECK(in_flight({{Field::compile, true}, {Field::framework_date, std::string("2025-02")}}) == 12 * logits);
  CHECK(in_flight({{Field::tensor_parallel, std::int64_t{2}}}) == 16 * logits / 2);
}

TEST_CASE("torchtitan: reserved memory has a pool a stream and a hole where the logits were") {
  const Run run("torchtitan", with(torchtitan_run(), {{Field::sequence_length, std::int64_t{8192}}}));
  CHECK(run.estimate.peak().phase == Phase::loss);
  // Allocated: the loss. Besides: 2 B per logit, head and layer gathered, the gradient shards, page rounding.
  const std::uint64_t beside =
      2 * 16 * logits + (matrix + layer_elements) * 2 + all_elements * 4 / 8 + (205ULL << 20);
  CHECK(run.estimate.reserved.count() == run.estimate.allocated.count() + beside);
}

TEST_CASE("torchtitan: a pipeline's first stage has the micro batches, its last the loss") {
  const Run run("torchtitan", with(torchtitan_run(), {{Field::pipeline_parallel, std::int64_t{2}},
                                                      {Field::micro_batch, std::int64_t{4}},
                                                      {Field::checkpointing, std::string("full")}}));
  CHECK(run.concrete.plan.pipeline_micro_batches == 4);
  CHECK(run.concrete.plan.micro_batch == 1);
  ConcretePlan first = run.concrete.plan;
  first.stage = PipelineStage::first;
  const Estimate begin = estimate(first, run.concrete.stack);
  // Two micro batches of a stage of one layer in flight, no logits; one layer and one matrix of gradients
  // stay whole in fp32.
  const PhaseEstimate& forward = begin.phases[1];
  const auto bytes = [&](TermKind kind) {
    std::uint64_t sum = 0;
    for (const Term& term : forward.terms) {
      if (term.kind == kind) sum += term.bytes.count();
    }
    return sum;
  };
  constexpr std::uint64_t stage = layer_elements + matrix + 512;
  CHECK(bytes(TermKind::master_weights) == stage * 4 / 4);
  CHECK(bytes(TermKind::gradients) == stage * 4);
  CHECK(bytes(TermKind::checkpoints) == 512 * (2 * 2 * 1024 + 4 * 1024 + 12));
  CHECK(bytes(TermKind::loss) + bytes(TermKind::logits) == 0);
}

}  // namespace

}  // namespace oomlint
