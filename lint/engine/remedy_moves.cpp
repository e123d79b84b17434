#include "lint/engine/remedy_moves.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace oomlint {

namespace {

constexpr std::int64_t adapter_rank = 16;

PlanEdit say(Field field, std::string_view word) {
  return {field, std::string(word)};
}
PlanEdit size(Field field, std::int64_t count) {
  return {field, count};
}
PlanEdit turn(Field field, bool flag) {
  return {field, flag};
}

std::string change(std::string_view what, std::int64_t from, std::int64_t to) {
  return std::string(what) + " " + grouped(static_cast<std::uint64_t>(from)) + " → " +
         grouped(static_cast<std::uint64_t>(to));
}

bool is_sharded(Sharding sharding) {
  return sharding != Sharding::none && sharding != Sharding::ddp;
}

/// Collects the moves of one run.
class Moves {
 public:
  explicit Moves(const RunReport& run)
      : run_(run),
        plan_(run.plan),
        method_(plan_.word<Method>(Field::method).value_or(Method::full)),
        quantisation_(plan_.word<Quantisation>(Field::quantisation).value_or(Quantisation::none)),
        sharding_(plan_.word<Sharding>(Field::sharding).value_or(Sharding::none)) {}

  std::vector<Move> all() {
    smaller_micro_batch();
    checkpointing();
    shorter_sequence();
    fused_attention();
    fused_loss();
    activation_offload();
    adapters();
    quantised_base();
    smaller_optimizer();
    lower_precision();
    sharding();
    offload();
    evaluation();
    generation();
    return std::move(moves_);
  }

 private:
  void add(Knob knob, Dominant acts_on, MoveStep step, std::string cost, double slowdown, bool numerics,
           double quality) {
    add(knob, acts_on, std::vector<MoveStep>{std::move(step)}, std::move(cost), slowdown, numerics, quality);
  }
  void add(Knob knob, Dominant acts_on, std::vector<MoveStep> steps, std::string cost, double slowdown,
           bool numerics, double quality) {
    if (steps.empty()) return;
    moves_.push_back({knob, acts_on, std::move(steps), std::move(cost), slowdown, numerics, quality});
  }
  [[nodiscard]] bool trains_adapters() const {
    return method_ == Method::lora || method_ == Method::qlora || method_ == Method::dora ||
           method_ == Method::adapter;
  }
  [[nodiscard]] Checkpointing checkpointing_now() const {
    return plan_.word<Checkpointing>(Field::checkpointing).value_or(Checkpointing::none);
  }
  /// Recomputing one forward: 6 → 8 FLOPs per parameter and token, with frozen weights 4 → 6 (spec: compute).
  [[nodiscard]] double recompute_slowdown() const { return trains_adapters() ? 1.5 : 4.0 / 3.0; }
  [[nodiscard]] std::string recompute_cost() const {
    return trains_adapters() ? "about half more compute" : "about a third more compute";
  }

  // A micro batch that divides micro batch × accumulation keeps the effective batch.
  void smaller_micro_batch() {
    const auto micro = plan_.count(Field::micro_batch);
    const std::int64_t accumulation = plan_.count(Field::accumulation).value_or(1);
    if (!micro || *micro <= 1 || accumulation < 1) return;
    const std::int64_t product = *micro * accumulation;
    std::vector<MoveStep> steps;
    for (std::int64_t smaller = 1; smaller < *micro; ++smaller) {
      if (product % smaller != 0) continue;
      steps.push_back({{size(Field::micro_batch, smaller), size(Field::accumulation, product / smaller)},
                       change("micro batch", *micro, smaller) + ", " +
                           change("accumulation", accumulation, product / smaller)});
    }
    add(Knob::micro_batch, Dominant::activations, std::move(steps),
        "more, smaller passes a step; the effective batch stays " + std::to_string(product) +
            " a device, but operations over the batch (BatchNorm, contrastive losses) see fewer examples",
        1.1, false, 0);
  }

  void checkpointing() {
    const Checkpointing now = checkpointing_now();
    if (!plan_[Field::checkpointing].known() ||
        (now != Checkpointing::none && now != Checkpointing::selective))
      return;
    add(Knob::checkpointing, Dominant::activations,
        {{say(Field::checkpointing, "full")}, "activation checkpointing"}, recompute_cost(),
        recompute_slowdown(), false, 0);
  }

  // Down to a quarter: beyond that it is another data set.
  void shorter_sequence() {
    const auto length = plan_.count(Field::sequence_length);
    if (!length || *length < 256) return;
    const std::int64_t unit = *length >= 2048 ? 256 : 64;
    std::vector<MoveStep> steps;
    for (std::int64_t shorter = (*length / 4 + unit - 1) / unit * unit; shorter < *length; shorter += unit) {
      steps.push_back({{size(Field::sequence_length, shorter)}, change("sequence length", *length, shorter)});
    }
    const bool packed = plan_.flag(Field::packing).value_or(false);
    add(Knob::length, Dominant::activations, std::move(steps),
        packed ? "longer examples are cut or dropped, and a step sees fewer tokens"
               : "longer examples are cut or dropped",
        1.0, true, 0.8);
  }

  void fused_attention() {
    if (plan_.word<Attention>(Field::attention) != Attention::eager) return;
    const ModelShape& shape = run_.model.shape;
    const bool half = plan_.word<Dtype>(Field::compute_dtype).value_or(Dtype::fp32) != Dtype::fp32;
    if (run_.card && run_.card->has_flash && half && !shape.attention_sinks) {
      add(Knob::attention, Dominant::activations,
          {{say(Field::attention, "flash")}, "FlashAttention instead of eager attention"},
          "needs the flash-attn package", 0.9, true, 0);
    }
    // The fused kernels torch chooses from know neither score capping nor sinks.
    if (shape.attention_softcap == 0 && !shape.attention_sinks) {
      add(Knob::attention, Dominant::activations,
          {{say(Field::attention, "sdpa")}, "fused attention (sdpa) instead of eager"},
          "none beyond rounding", 0.9, true, 0);
    }
  }

  void fused_loss() {
    if (plan_.word<Loss>(Field::loss).value_or(Loss::plain) != Loss::plain) return;
    add(Knob::loss, Dominant::activations, {{say(Field::loss, "fused")}, "fused cross-entropy loss"},
        "needs a fused-loss kernel; logits are not available to metrics", 1.0, true, 0);
  }

  void activation_offload() {
    if (plan_.flag(Field::activation_offload).value_or(false) || !plan_[Field::checkpointing].known()) return;
    const Checkpointing now = checkpointing_now();
    if (now == Checkpointing::offloaded) return;
    if (now == Checkpointing::full) {
      add(Knob::offload, Dominant::activations,
          {{turn(Field::activation_offload, true)}, "saved activations in host memory"},
          "traffic to host memory in every step", 1.3, false, 0);
    } else {
      add(Knob::checkpointing, Dominant::activations,
          {{say(Field::checkpointing, "full"), turn(Field::activation_offload, true)},
           "activation checkpointing with the checkpoints in host memory"},
          recompute_cost() + " and traffic to host memory in every step", recompute_slowdown() * 1.3, false,
          0);
    }
  }

  [[nodiscard]] std::vector<PlanEdit> adapter_edits() const {
    return {size(Field::lora_rank, adapter_rank),
            {Field::lora_targets, std::vector<std::string>{"all-linear"}}};
  }

  void adapters() {
    if (method_ != Method::full && method_ != Method::freeze) return;
    std::vector<PlanEdit> edits{say(Field::method, "lora")};
    for (PlanEdit& each : adapter_edits()) edits.push_back(std::move(each));
    add(Knob::method, Dominant::state,
        {std::move(edits), "LoRA of rank 16 on all linear layers instead of full training"},
        "only adapters train: another kind of result", 0.9, true, 1.0);
  }

  void quantised_base() {
    const bool halves = quantisation_ == Quantisation::int8 && trains_adapters();
    if ((quantisation_ != Quantisation::none && !halves) || method_ == Method::head) return;
    std::vector<PlanEdit> edits{say(Field::method, "qlora"), say(Field::quantisation, "nf4")};
    if (trains_adapters()) {
      add(Knob::method, Dominant::state, {std::move(edits), "frozen base in 4 bits (QLoRA)"},
          "dequantisation in every pass, small loss of precision in the base", 1.3, true, 0.3);
      return;
    }
    for (PlanEdit& each : adapter_edits()) edits.push_back(std::move(each));
    add(Knob::method, Dominant::state,
        {std::move(edits), "QLoRA: 4-bit base, LoRA of rank 16 on all linear layers"},
        "only adapters train, on a base of less precision", 1.3, true, 1.2);
  }

  // bitsandbytes states are not offered to sharded runs: FSDP2 and DeepSpeed refuse or replace them.
  void smaller_optimizer() {
    const auto name = plan_.text(Field::optimizer);
    if (!name || name->find("adam") == std::string_view::npos || is_sharded(sharding_)) return;
    const bool eight_bit =
        name->find("8bit") != std::string_view::npos || name->find("4bit") != std::string_view::npos;
    const bool paged = name->find("paged") != std::string_view::npos;
    if (!eight_bit) {
      add(Knob::optimizer, Dominant::state, {{say(Field::optimizer, "adamw_8bit")}, "8-bit AdamW states"},
          "optimizer states in 8 bits", 1.0, true, 0.1);
    }
    if (!paged) {
      add(Knob::optimizer, Dominant::state,
          {{say(Field::optimizer, "paged_adamw_8bit")}, "paged 8-bit AdamW states"},
          "optimizer states in 8 bits, moved to host memory when the GPU is full", 1.2, true, 0.1);
    }
  }

  void lower_precision() {
    if (plan_.word<Dtype>(Field::weight_dtype) != Dtype::fp32) return;
    if (run_.card && !run_.card->has_bf16) return;
    if (trains_adapters()) {
      add(Knob::precision, Dominant::state,
          {{say(Field::weight_dtype, "bf16")}, "frozen base loaded in bf16 instead of fp32"},
          "rounds the frozen weights", 1.0, true, 0.05);
    } else {
      add(Knob::precision, Dominant::state,
          {{say(Field::weight_dtype, "bf16")}, "weights held in bf16 instead of fp32"},
          "small updates are lost to rounding", 1.0, true, 0.5);
    }
  }

  void sharding() {
    if (plan_.count(Field::world).value_or(1) <= 1) return;
    const auto offer = [&](std::string_view word, std::string title, double slowdown) {
      add(Knob::sharding, Dominant::state, {{say(Field::sharding, word)}, std::move(title)},
          "more communication in every step", slowdown, false, 0);
    };
    const bool plain = !is_sharded(sharding_);
    if (plain || sharding_ == Sharding::zero1)
      offer("zero2", "ZeRO-2: optimizer states and gradients divided over the devices", 1.1);
    if (plain || sharding_ == Sharding::zero1 || sharding_ == Sharding::zero2) {
      offer("zero3", "ZeRO-3: weights, gradients and optimizer states divided over the devices", 1.3);
    }
    if (sharding_ == Sharding::fsdp_grad_op)
      offer("fsdp", "FSDP full sharding: weights are divided too", 1.2);
  }

  void offload() {
    if (!is_sharded(sharding_) || sharding_ == Sharding::megatron) return;
    if (!plan_.flag(Field::offload_optimizer).value_or(false)) {
      add(Knob::offload, Dominant::state,
          {{turn(Field::offload_optimizer, true)}, "optimizer states in host memory"},
          "the optimizer step runs at the speed of the host", 1.6, false, 0);
    }
    const bool whole = sharding_ == Sharding::zero3 || sharding_ == Sharding::fsdp;
    if (whole && !plan_.flag(Field::offload_parameters).value_or(false)) {
      add(Knob::offload, Dominant::state,
          {{turn(Field::offload_optimizer, true), turn(Field::offload_parameters, true)},
           "weights and optimizer states in host memory"},
          "weights cross the bus in every pass", 2.5, false, 0);
    }
  }

  void evaluation() {
    if (!plan_.flag(Field::evaluation).value_or(true)) return;
    if (plan_.flag(Field::evaluation_keeps_logits).value_or(false)) {
      add(Knob::evaluation, Dominant::evaluation,
          {{turn(Field::evaluation_keeps_logits, false)}, "evaluation that keeps only the loss"},
          "no metrics from predictions", 1.0, false, 0.1);
    }
    const auto batch = plan_.count(Field::evaluation_batch);
    if (!batch || *batch <= 1) return;
    std::vector<MoveStep> steps;
    for (std::int64_t smaller = 1; smaller < *batch; ++smaller) {
      steps.push_back(
          {{size(Field::evaluation_batch, smaller)}, change("evaluation batch", *batch, smaller)});
    }
    add(Knob::evaluation, Dominant::evaluation, std::move(steps), "slower evaluation", 1.02, false, 0);
  }

  void generation() {
    for (const auto& [field, what] : {std::pair{Field::generation_tokens, "tokens kept per request"},
                                      std::pair{Field::generation_requests, "concurrent requests"},
                                      std::pair{Field::completion_length, "completion length"}}) {
      const auto now = plan_.count(field);
      if (!now || *now <= 1) continue;
      std::vector<MoveStep> steps;
      const std::int64_t unit = std::max<std::int64_t>(1, *now / 32);
      for (std::int64_t smaller = unit; smaller < *now; smaller += unit) {
        steps.push_back({{size(field, smaller)}, change(what, *now, smaller)});
      }
      add(Knob::generation, Dominant::generation, std::move(steps), "shorter or fewer generations", 1.0, true,
          0.5);
    }
  }

  const RunReport& run_;
  const TrainingPlan& plan_;
  Method method_;
  Quantisation quantisation_;
  Sharding sharding_;
  std::vector<Move> moves_;
};

bool is_state(TermKind kind) {
  switch (kind) {
    case TermKind::weights:
    case TermKind::adapter_weights:
    case TermKind::master_weights:
    case TermKind::gradients:
    case TermKind::optimizer_state:
    case TermKind::weight_copies:
    case TermKind::optimizer_transient:
    case TermKind::communication:
    case TermKind::gathered:
      return true;
    default:
      return false;
  }
}

}  // namespace

double Move::price() const {
  return (slowdown - 1.0) + (changes_numerics ? 0.05 : 0.0) + quality;
}

Dominant dominant_part(const Evaluation& evaluation) {
  if (evaluation.likely.phases.empty()) return Dominant::state;
  const PhaseEstimate& peak = evaluation.likely.peak();
  if (peak.phase == Phase::evaluation) return Dominant::evaluation;
  Bytes state, passing, cache;
  for (const Term& term : peak.terms) {
    (term.kind == TermKind::kv_cache ? cache : is_state(term.kind) ? state : passing) += term.bytes;
  }
  if (cache > state && cache > passing) return Dominant::generation;
  if (state >= passing * 2) return Dominant::state;
  const bool too_much_alone =
      evaluation.usable.count() > 0 && state + evaluation.likely.context > evaluation.usable;
  return state >= passing && too_much_alone ? Dominant::state : Dominant::activations;
}

std::vector<Move> possible_moves(const RunReport& run) {
  return Moves(run).all();
}

}  // namespace oomlint
