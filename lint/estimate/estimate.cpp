#include "lint/estimate/estimate.h"

#include "lint/estimate/backward.h"
#include "lint/estimate/diffusion.h"
#include "lint/estimate/flat.h"
#include "lint/estimate/formulas.h"
#include "lint/estimate/terms.h"
#include "lint/estimate/totals.h"

#include <algorithm>

namespace oomlint {

namespace {

/// All numbers of one run, computed once; the phases are sums of them.
class Run {
 public:
  Run(const ConcretePlan& plan, const Stack& stack, Explain explain)
      : plan_(plan),
        stack_(stack),
        explain_(explain),
        sizes_(plan),
        trainable_(trainable_bytes(sizes_)),
        activations_(activation_bytes(sizes_, stack)),
        layer_(stack.blocks == Blocks::megatron ? megatron_layer_backward(sizes_)
                                                : layer_backward_bytes(sizes_, stack)),
        loss_(loss_bytes(sizes_, stack)),
        weights_(weight_bytes(sizes_)) {
    State state;
    state.weights = weights_.total();
    if (sizes_.trains == Trains::adapters) state.adapters = trainable_.stored;
    if (plan.master_weights) state.master = Bytes(trainable_.parameters) * 4;
    state.gradients = trainable_.gradients;
    state.optimizer = optimizer_state(sizes_, trainable_);
    further_ = state.weights * plan.frozen_copies;
    sharded_ = shard(sizes_, stack, state, trainable_);
    if (plan.optimizer_in_backward) sharded_.gradients = Bytes();
    if (made_early(plan, stack)) early_gradients_ = sharded_.gradients;
    if (sizes_.quantised()) dequantised_ = Bytes(sizes_.largest_matrix()) * stack.dequantised_bytes;
    if (stack.pages_states && plan.optimizer_paged) {
      sharded_.host += sharded_.optimizer;
      sharded_.optimizer = Bytes();
    }
  }

  [[nodiscard]] std::vector<PhaseEstimate> phases() const {
    std::vector<PhaseEstimate> all;
    all.reserve(10);
    all.push_back(load());
    all.push_back(forward());
    all.push_back(loss());
    all.push_back(head_backward());
    all.push_back(layer_backward());
    all.push_back(end_of_backward());
    all.push_back(optimizer_step());
    if (plan_.evaluation_batch > 0) all.push_back(evaluation());
    all.push_back(save());
    if (plan_.generation) all.push_back(generation());
    return all;
  }
  [[nodiscard]] Bytes host() const { return sharded_.host; }
  /// Reserved beside what the phases hold on the main stream.
  [[nodiscard]] Pools pools() const {
    return {sharded_.pools, loss_.hole, sharded_.gradients < trainable_.gradients};
  }

 private:
  PhaseBuilder at(Phase phase) const { return {phase, explain_}; }

  void add_weights(PhaseBuilder& phase) const {
    const Dtype dtype = plan_.weight_dtype;
    phase.add(TermKind::weights, sharded_.weights, dtype, [&] {
      return grouped(sizes_.counts.total) + " parameters, " + std::string(to_word(dtype)) +
             (sizes_.quantised() ? " and " + std::string(to_word(plan_.quantisation)) : std::string()) +
             shared();
    });
    phase.add(TermKind::adapter_weights, sharded_.adapters, plan_.adapter.dtype,
              [&] { return times({trainable_.parameters}, bytes_of(plan_.adapter.dtype)) + shared(); });
    phase.add(TermKind::buffers, stack_.buffers, Dtype::fp32, [&] { return "rotary tables"; });
    phase.add(TermKind::further_models, further_, dtype,
              [&] { return std::to_string(plan_.frozen_copies) + " × the weights"; });
  }
  void add_states(PhaseBuilder& phase) const {
    add_weights(phase);
    phase.add(TermKind::gradients, stack_.standing_gradients, plan_.weight_dtype,
              [&] { return "a 16-bit gradient of every shape of weight, kept by fused accumulation"; });
    phase.add(TermKind::master_weights, sharded_.master, Dtype::fp32,
              [&] { return times({trainable_.parameters}, 4) + shared(); });
    phase.add(TermKind::optimizer_state, sharded_.optimizer, state_dtype(), [&] {
      return grouped(trainable_.parameters) +
             " parameters: " + std::string(optimizer_info(plan_.optimizer).what) + shared();
    });
  }
  void add_gradients(PhaseBuilder& phase, Bytes bytes) const {
    phase.add(TermKind::gradients, bytes, plan_.gradient_dtype, [&] {
      return grouped(trainable_.parameters) + " trainable parameters, " +
             std::string(to_word(plan_.gradient_dtype)) + shared();
    });
  }
  void add_activations(PhaseBuilder& phase) const {
    const bool recomputes = plan_.checkpointing != Checkpointing::none;
    phase.add(TermKind::weight_copies, activations_.weight_copies, Dtype::bf16,
              [&] { return "16-bit copies of " + grouped(sizes_.layers) + " layers' fp32 weights"; });
    phase.add(recomputes ? TermKind::checkpoints : TermKind::activations,
              activations_.saved - activations_.weight_copies, plan_.compute_dtype, [&] {
                return grouped(sizes_.layers) + " layers × " + to_string(activations_.checkpoint) + " + " +
                       to_string(activations_.outside) + " outside";
              });
  }
  void add_logits(PhaseBuilder& phase, Bytes extra) const {
    const auto text = [&] {
      return grouped(sizes_.tokens) + " tokens × " + grouped(sizes_.vocabulary) + " logits";
    };
    phase.add(TermKind::loss, loss_.saved, Dtype::fp32, text);
    phase.add(TermKind::logits, extra, Dtype::fp32, text);
  }
  void add_held(PhaseBuilder& phase) const {
    phase.add(TermKind::logits, loss_.held, Dtype::fp32, [&] {
      return grouped(sizes_.tokens) + " tokens × " + grouped(sizes_.vocabulary) + " logits, held by the loop";
    });
  }
  void add_gathered(PhaseBuilder& phase, Bytes bytes) const {
    phase.add(TermKind::gathered, bytes, plan_.compute_dtype,
              [&] { return "weights gathered from " + grouped(plan_.shard_group) + " devices"; });
  }
  void add_communication(PhaseBuilder& phase, Bytes bytes) const {
    phase.add(TermKind::communication, bytes, plan_.gradient_dtype,
              [&] { return "gradients on their way, " + std::string(to_word(plan_.sharding)); });
  }
  [[nodiscard]] PhaseEstimate load() const {
    PhaseBuilder phase = at(Phase::load);
    add_weights(phase);
    return std::move(phase).take();
  }

  [[nodiscard]] PhaseEstimate forward() const {
    PhaseBuilder phase = at(Phase::forward);
    add_states(phase);
    add_gradients(phase, early_gradients_);
    const Bytes logits = loss_.saved + loss_.forward;
    const Bytes norms = weight_norm_bytes(sizes_);
    const Bytes unpacked = stack_.dequantises_forward ? dequantised_ : Bytes();
    const Bytes layer = sharded_.layer + unpacked > Bytes() ? layer_forward() + unpacked : Bytes();
    // The peak of forward is at the loss, unless a layer needs more in passing.
    const bool in_layer = std::max(norms, sharded_.layer + layer) > logits;
    add_gathered(phase, sharded_.gathered_forward + (in_layer ? sharded_.layer : Bytes()));
    add_activations(phase);
    if (!stack_.longest_first) {
      phase.add(TermKind::activations, activations_.previous, plan_.compute_dtype,
                [&] { return "inputs that the micro batch before still holds"; });
    }
    phase.add(TermKind::weight_copies, activations_.autocast_cache, Dtype::bf16,
              [&] { return "autocast's cache of " + grouped(sizes_.layers) + " layers' weights"; });
    if (in_layer) {
      phase.add(TermKind::transient, std::max(norms, layer), plan_.compute_dtype,
                [&] { return std::string("inside one layer"); });
    } else {
      add_logits(phase, loss_.forward);
    }
    return std::move(phase).take();
  }
  /// What a recomputed layer's MLP makes and does not keep.
  [[nodiscard]] Bytes layer_forward() const {
    const bool recomputes = plan_.checkpointing != Checkpointing::none;
    return recomputes ? product({sizes_.tokens, sizes_.mlp, 4, sizes_.compute_bytes}) : Bytes();
  }

  [[nodiscard]] PhaseEstimate loss() const {
    PhaseBuilder phase = at(Phase::loss);
    add_states(phase);
    add_gradients(phase, early_gradients_);
    add_gathered(phase, sharded_.gathered_forward);
    add_activations(phase);
    add_logits(phase, loss_.backward);
    return std::move(phase).take();
  }

  [[nodiscard]] PhaseEstimate head_backward() const {
    PhaseBuilder phase = at(Phase::head_backward);
    add_states(phase);
    add_gradients(phase, early_gradients_);
    add_gathered(phase, sharded_.gathered_forward);
    add_activations(phase);
    phase.add(TermKind::logits, loss_.head_gradient, plan_.compute_dtype, [&] {
      return "gradients of " + grouped(sizes_.tokens) + " × " + grouped(sizes_.vocabulary) +
             " logits and of the head";
    });
    return std::move(phase).take();
  }

  [[nodiscard]] PhaseEstimate layer_backward() const {
    PhaseBuilder phase = at(Phase::layer_backward);
    if (sizes_.layers == 0) return std::move(phase).take();
    const BackwardPoint point =
        highest_point({plan_, stack_, sizes_, trainable_, activations_, layer_, sharded_, dequantised_});
    const bool recomputes = plan_.checkpointing != Checkpointing::none;
    add_states(phase);
    add_gradients(phase, point.shards.gradients);
    add_gathered(phase, point.shards.gathered);
    add_communication(phase, point.shards.communication);
    phase.add(recomputes ? TermKind::checkpoints : TermKind::activations, point.below, plan_.compute_dtype,
              [&] { return "layers still to come"; });
    phase.add(recomputes ? TermKind::recomputed_layer : TermKind::activations, point.layer,
              plan_.compute_dtype, [&] { return "one layer's activations"; });
    phase.add(TermKind::transient, point.transient, plan_.compute_dtype,
              [&] { return "gradients inside the layer"; });
    add_held(phase);
    phase.add(TermKind::dequantised, point.dequantised, plan_.compute_dtype,
              [&] { return times({sizes_.largest_matrix()}, stack_.dequantised_bytes); });
    return std::move(phase).take();
  }

  [[nodiscard]] PhaseEstimate end_of_backward() const {
    PhaseBuilder phase = at(Phase::end_of_backward);
    add_states(phase);
    add_gradients(phase, sharded_.gradients);
    add_communication(phase, sharded_.end);
    add_held(phase);
    add_gathered(phase, sharded_.gathered_end);
    if (sharded_.gathered_end.count() == 0 && sizes_.trains == Trains::everything &&
        !stack_.accumulates_in_place) {
      const Bytes matrix = Bytes(sizes_.vocabulary_elements()) * bytes_of(plan_.gradient_dtype);
      const bool tied = plan_.model.tied_embeddings;
      // A head called chunk by chunk has its sum already: the embedding's goes into it in place.
      const bool chunked = stack_.logits.head_chunks > 0;
      const Bytes sums = tied ? matrix * (chunked ? 1 : 2) : plan_.accumulation > 1 ? matrix : Bytes();
      phase.add(TermKind::transient, sums, plan_.gradient_dtype, [&] {
        return std::string("gradient of the embedding beside ") +
               (tied ? "the head's and their sum" : "its sum");
      });
      if (!tied || chunked) {
        phase.add(TermKind::transient, product({sizes_.tokens, sizes_.hidden, sizes_.residual_bytes}),
                  plan_.compute_dtype,
                  [&] { return times({sizes_.tokens, sizes_.hidden}, sizes_.residual_bytes); });
      }
    }
    return std::move(phase).take();
  }

  [[nodiscard]] PhaseEstimate optimizer_step() const {
    PhaseBuilder phase = at(Phase::optimizer_step);
    add_states(phase);
    // Gradients that were kept whole are divided by the last micro batch.
    const std::uint64_t ranks = divides_states(plan_) ? std::max<std::uint64_t>(1, plan_.shard_group) : 1;
    const bool whole = stack_.unsharded_accumulation && sharded_.gradients >= trainable_.gradients;
    add_gradients(phase, whole ? sharded_.gradients / ranks : sharded_.gradients);
    if (plan_.optimizer_in_backward) return std::move(phase).take();
    phase.add(TermKind::optimizer_transient, sharded_.step, Dtype::fp32,
              [&] { return "fp32 gradients of the own partition"; });
    phase.add(TermKind::optimizer_transient, optimizer_transient(sizes_, stack_, trainable_) / ranks,
              state_dtype(), [&] { return std::string("temporaries of the step"); });
    return std::move(phase).take();
  }

  [[nodiscard]] PhaseEstimate evaluation() const {
    PhaseBuilder phase = at(Phase::evaluation);
    add_states(phase);
    if (stack_.gradients_stay) add_gradients(phase, sharded_.gradients);
    add_gathered(phase, sharded_.gathered_forward);
    const Bytes tokens = product({plan_.evaluation_batch, sizes_.length});
    const Bytes passing = tokens * (sizes_.hidden * 4 + sizes_.mlp * 3) * sizes_.compute_bytes;
    phase.add(TermKind::transient, passing, plan_.compute_dtype,
              [&] { return grouped(tokens.count()) + " tokens through one layer"; });
    const Bytes logits = tokens * sizes_.vocabulary;
    Bytes held;
    if (plan_.loss == Loss::plain && loss_.saved.count() > 0)
      held = logits * (stack_.logits.forward + sizes_.recipe.saved_logits[sizes_.column()]);
    if (plan_.loss == Loss::kernel)
      held = loss_.forward.count() > 0 ? logits * sizes_.compute_bytes : Bytes();
    if (plan_.evaluation_keeps_logits) held += logits * 4;
    phase.add(TermKind::logits, held, Dtype::fp32, [&] {
      return grouped(tokens.count()) + " tokens × " + grouped(sizes_.vocabulary) + " logits";
    });
    return std::move(phase).take();
  }

  [[nodiscard]] PhaseEstimate save() const {
    PhaseBuilder phase = at(Phase::save);
    add_states(phase);
    return std::move(phase).take();
  }

  [[nodiscard]] PhaseEstimate generation() const {
    PhaseBuilder phase = at(Phase::generation);
    add_states(phase);
    const Generation& cache = *plan_.generation;
    phase.add(
        TermKind::kv_cache,
        product({2, cache.layers, cache.kv_width, cache.tokens, cache.requests, cache.bytes_per_element}),
        Dtype::bf16, [&] {
          return times({2, cache.layers, cache.kv_width, cache.tokens, cache.requests},
                       cache.bytes_per_element);
        });
    return std::move(phase).take();
  }

  [[nodiscard]] Dtype state_dtype() const {
    const OptimizerInfo& info = optimizer_info(plan_.optimizer);
    if (info.blockwise) return Dtype::int8;
    if (info.state_bytes == 4 || plan_.master_weights) return Dtype::fp32;
    return sizes_.trains == Trains::adapters ? plan_.adapter.dtype : plan_.weight_dtype;
  }
  [[nodiscard]] std::string shared() const {
    const bool divides = plan_.sharding != Sharding::none && plan_.sharding != Sharding::ddp;
    return divides && plan_.shard_group > 1
               ? ", over " + grouped(plan_.shard_group) + " devices where divided"
               : std::string();
  }

  const ConcretePlan& plan_;
  const Stack& stack_;
  Explain explain_;
  Sizes sizes_;
  TrainableBytes trainable_;
  ActivationBytes activations_;
  LayerBackward layer_;
  LossBytes loss_;
  WeightBytes weights_;
  Sharded sharded_;
  Bytes further_, early_gradients_, dequantised_;
};

}  // namespace

Estimate estimate(const ConcretePlan& plan, const Stack& stack, Explain explain) {
  if (plan.pipeline_parallel > 1 && stack.pipeline_stages && plan.stage == PipelineStage::any) {
    ConcretePlan stage = plan;
    stage.stage = PipelineStage::first;
    const Estimate first = estimate(stage, stack, explain);
    stage.stage = PipelineStage::last;
    const Estimate last = estimate(stage, stack, explain);
    return first.reserved > last.reserved ? first : last;
  }
  Estimate result;
  result.rough = stack.rough;
  Pools pools;
  if (stack.flat_sums) {
    result.phases = flat_phases(plan, explain);
  } else if (plan.diffusion.model != nullptr) {
    result.phases = diffusion_phases(plan, stack, explain);
  } else {
    const Run run(plan, stack, explain);
    result.phases = run.phases();
    result.host = run.host();
    pools = run.pools();
  }
  total_up(result, plan, stack, pools);
  return result;
}

}  // namespace oomlint
