#include "lint/estimate/diffusion.h"

#include "lint/estimate/formulas.h"
#include "lint/estimate/stacks/profiles.h"
#include "lint/estimate/terms.h"

#include <algorithm>

namespace oomlint {

namespace {

/// Outside the blocks, per token and hidden feature: patches, time and text embeddings, final norm, fp32
/// loss.
constexpr std::uint64_t outside_h = 8;
/// A plain block's transients in the backward, where no model was measured.
constexpr std::uint64_t plain_transient_tenths = 120;

/// Sums over one kind of block: rank parameters (in + out) and what adapters save there.
struct AdaptedBlock {
  std::uint64_t sides = 0;
  Bytes saved;
};

class Diffusion {
 public:
  Diffusion(const ConcretePlan& plan, const Stack& stack)
      : plan_(plan),
        stack_(stack),
        model_(*plan.diffusion.model),
        image_(plan.micro_batch * diffusion_tokens(plan.diffusion)),
        text_(plan.micro_batch * model_.text_tokens),
        stream_(model_.joint ? image_ + text_ : image_),
        adapters_(trains_adapters(plan.method)) {
    for (std::size_t i = 0; i < model_.blocks.size(); ++i) adapted_[i] = adapt(model_.blocks[i]);
    if (adapters_) {
      for (std::size_t i = 0; i < model_.blocks.size(); ++i)
        trainable_ += adapted_[i].sides * model_.blocks[i].depth * plan.adapter.rank;
    } else {
      trainable_ = model_.parameters;
    }
  }

  [[nodiscard]] std::uint64_t trainable() const { return trainable_; }
  [[nodiscard]] Bytes weights() const {
    return Bytes(model_.parameters) * bytes_of(plan_.weight_dtype) + Bytes(model_.buffer_bytes);
  }
  [[nodiscard]] Bytes adapter_weights() const {
    return adapters_ ? Bytes(trainable_) * bytes_of(plan_.adapter.dtype) : Bytes();
  }
  [[nodiscard]] Bytes gradients() const {
    const Bytes all = Bytes(trainable_) * bytes_of(adapters_ ? plan_.adapter.dtype : plan_.gradient_dtype);
    if (!plan_.offload_optimizer) return all;
    return all / std::max<std::uint64_t>(1, model_.blocks[0].depth);  // they leave as they are made
  }
  [[nodiscard]] Bytes optimizer() const {
    if (plan_.offload_optimizer) return {};
    const OptimizerInfo& info = optimizer_info(plan_.optimizer);
    const std::uint32_t own = bytes_of(adapters_ ? plan_.adapter.dtype : plan_.weight_dtype);
    const Bytes elements(trainable_);
    if (info.blockwise) return elements * info.states * info.state_bytes + elements * info.states * 4 / 256;
    return elements * info.states * (info.state_bytes > 0 ? info.state_bytes : own);
  }
  [[nodiscard]] Bytes step_temporaries() const {
    const bool foreach = stack_.step_loop == StepLoop::foreach && plan_.optimizer == OptimizerId::adamw_torch;
    return foreach && !plan_.offload_optimizer ? gradients() * stack_.step_copies : Bytes();
  }
  /// Text encoder and autoencoder, where they stay on the device.
  [[nodiscard]] Bytes companions() const { return Bytes(model_.text_encoder + model_.autoencoder) * 2; }

  /// What one block saves, and at most of all kinds.
  [[nodiscard]] Bytes block(std::size_t index) const {
    const DiffusionBlock& block = model_.blocks[index];
    const auto column = static_cast<std::size_t>(mode());
    const Bytes tenths = Bytes(image_) * block.image[column] + Bytes(text_) * block.text[column];
    return tenths * model_.hidden / 10 + adapted_[index].saved;
  }
  [[nodiscard]] Bytes largest_block() const {
    return std::max(block(0), model_.blocks[1].depth > 0 ? block(1) : Bytes());
  }
  [[nodiscard]] Bytes saved() const {
    Bytes bytes = product({stream_, model_.hidden, outside_h});
    if (plan_.checkpointing != Checkpointing::none) return bytes + checkpoints();
    for (std::size_t i = 0; i < model_.blocks.size(); ++i) bytes += block(i) * model_.blocks[i].depth;
    return bytes;
  }
  [[nodiscard]] Bytes checkpoints() const {
    const std::uint64_t depth = std::uint64_t{model_.blocks[0].depth} + model_.blocks[1].depth;
    return product({depth, stream_, model_.hidden, 2});
  }
  /// Beside what the block saved, at the widest moment of its backward.
  [[nodiscard]] Bytes transient() const {
    if (!adapters_) return {};
    std::uint64_t tenths = plain_transient_tenths;
    if (model_.in_flight > 0) {
      const std::uint64_t kept = std::max(model_.blocks[0].image[0], model_.blocks[1].image[0]);
      tenths = model_.in_flight - std::min<std::uint64_t>(model_.in_flight, kept);
    }
    return product({stream_, model_.hidden, tenths}) / 10;
  }
  /// 16-bit copies that autocast keeps of trained fp32 weights until forward ends.
  [[nodiscard]] Bytes weight_copies() const {
    return mode() == DiffusionMode::full_mixed ? Bytes(trainable_) * 2 : Bytes();
  }

 private:
  [[nodiscard]] DiffusionMode mode() const {
    if (adapters_) return plan_.autocast ? DiffusionMode::adapters_autocast : DiffusionMode::adapters;
    if (!plan_.autocast) return DiffusionMode::full;
    return bytes_of(plan_.weight_dtype) == 4 ? DiffusionMode::full_mixed : DiffusionMode::full_autocast;
  }
  [[nodiscard]] bool hits(const DiffusionModule& module) const {
    if (plan_.diffusion.targets == 0) {
      return module.name == "to_q" || module.name == "to_k" || module.name == "to_v" ||
             module.name == "to_out.0";
    }
    return (plan_.diffusion.targets & diffusion_module_bit(module.name)) != 0;
  }
  [[nodiscard]] AdaptedBlock adapt(const DiffusionBlock& block) const {
    AdaptedBlock sum;
    if (!adapters_) return sum;
    const ConcreteAdapter& adapter = plan_.adapter;
    const bool tokens_only = adapter.kind != nullptr && (adapter.kind->parts == AdapterParts::norms ||
                                                         adapter.kind->parts == AdapterParts::tokens);
    if (tokens_only) return sum;
    // fp32 adapters on a 16-bit model cast their inputs; the counts of the blocks hold adapters of 16 bits.
    const bool casts = bytes_of(adapter.dtype) == 4 && !plan_.autocast;
    for (const DiffusionModule& module : block.modules) {
      if (!hits(module)) continue;
      sum.sides += (std::uint64_t{module.in} + module.out) * module.count;
      const AdapterKind lora{};
      const AdapterKind& kind = adapter.kind != nullptr ? *adapter.kind : lora;
      if (casts) {
        const std::uint64_t per_token =
            kind.input * std::uint64_t{module.in} + kind.output * std::uint64_t{module.out};
        sum.saved += product({stream_ / (module.count > 1 ? module.count : 1), per_token, module.count});
      }
      sum.saved += product({module.in, module.out, kind.matrix, module.count}) +
                   product({module.in, module.in, kind.square, module.count,
                            kind.by_rank ? std::max<std::uint32_t>(1, adapter.rank) : 1});
    }
    if (adapter.kind != nullptr && adapter.kind->parts == AdapterParts::vectors)
      sum.sides /= std::max<std::uint32_t>(1, adapter.rank);
    return sum;
  }

  const ConcretePlan& plan_;
  const Stack& stack_;
  const DiffusionModel& model_;
  std::uint64_t image_, text_, stream_;
  bool adapters_;
  std::array<AdaptedBlock, 2> adapted_{};
  std::uint64_t trainable_ = 0;
};

}  // namespace

std::uint64_t diffusion_tokens(const DiffusionPlan& plan) {
  const DiffusionModel& model = *plan.model;
  const std::uint64_t frames = std::max<std::uint64_t>(1, plan.frames);
  const std::uint64_t steps = model.frame_group > 0 ? (frames - 1) / model.frame_group + 1 : 1;
  return steps * (plan.height / model.pixels) * (plan.width / model.pixels);
}

std::vector<PhaseEstimate> diffusion_phases(const ConcretePlan& plan, const Stack& stack, Explain explain) {
  const Diffusion run(plan, stack);
  const Dtype weights = plan.weight_dtype;
  const auto parameters = [&] { return grouped(plan.diffusion.model->parameters) + " parameters"; };
  const auto add_states = [&](PhaseBuilder& phase) {
    phase.add(TermKind::weights, run.weights(), weights, parameters);
    phase.add(TermKind::adapter_weights, run.adapter_weights(), plan.adapter.dtype,
              [&] { return times({run.trainable()}, bytes_of(plan.adapter.dtype)); });
    phase.add(TermKind::optimizer_state, run.optimizer(), Dtype::fp32, [&] {
      return grouped(run.trainable()) + " parameters: " + std::string(optimizer_info(plan.optimizer).what);
    });
    if (!plan.diffusion.cached)
      phase.add(TermKind::further_models, run.companions(), Dtype::bf16,
                [&] { return std::string("text encoder and autoencoder"); });
  };
  const auto tokens = [&] {
    return grouped(plan.micro_batch) + " × " + grouped(diffusion_tokens(plan.diffusion)) + " tokens";
  };
  const bool recomputes = plan.checkpointing != Checkpointing::none;

  std::vector<PhaseEstimate> phases;
  PhaseBuilder load(Phase::load, explain);
  const bool together = !plan.diffusion.cached || stack.loads_together;
  if (together || !stack.encodes_apart) {
    load.add(TermKind::weights, run.weights(), weights, parameters);
    load.add(TermKind::adapter_weights, run.adapter_weights(), plan.adapter.dtype,
             [&] { return times({run.trainable()}, bytes_of(plan.adapter.dtype)); });
  }
  if (together || stack.encodes_apart)
    load.add(TermKind::further_models, run.companions(), Dtype::bf16,
             [&] { return std::string("text encoder and autoencoder"); });
  phases.push_back(std::move(load).take());

  PhaseBuilder forward(Phase::forward, explain);
  add_states(forward);
  forward.add(recomputes ? TermKind::checkpoints : TermKind::activations, run.saved(), plan.compute_dtype,
              tokens);
  forward.add(TermKind::weight_copies, run.weight_copies(), Dtype::bf16,
              [&] { return times({run.trainable()}, 2); });
  if (!recomputes) forward.add(TermKind::transient, run.transient(), plan.compute_dtype, tokens);
  phases.push_back(std::move(forward).take());

  PhaseBuilder backward(Phase::layer_backward, explain);
  add_states(backward);
  backward.add(recomputes ? TermKind::checkpoints : TermKind::activations, run.saved(), plan.compute_dtype,
               tokens);
  if (recomputes)
    backward.add(TermKind::recomputed_layer, run.largest_block(), plan.compute_dtype,
                 [&] { return "one block"; });
  backward.add(TermKind::transient, run.transient(), plan.compute_dtype, [&] { return "inside the block"; });
  phases.push_back(std::move(backward).take());

  PhaseBuilder end(Phase::end_of_backward, explain);
  add_states(end);
  end.add(TermKind::gradients, run.gradients(), plan.gradient_dtype, parameters);
  end.add(TermKind::recomputed_layer, run.largest_block(), plan.compute_dtype, [&] { return "one block"; });
  phases.push_back(std::move(end).take());

  PhaseBuilder step(Phase::optimizer_step, explain);
  add_states(step);
  step.add(TermKind::gradients, run.gradients(), plan.gradient_dtype, parameters);
  step.add(TermKind::optimizer_transient, run.step_temporaries(), Dtype::fp32,
           [&] { return std::string("temporaries of the step"); });
  phases.push_back(std::move(step).take());
  return phases;
}

}  // namespace oomlint
