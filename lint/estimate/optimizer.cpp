#include "lint/estimate/formulas.h"

#include <algorithm>
#include <array>
#include <string>

namespace oomlint {

namespace {

using Id = OptimizerId;

// Sources: measured state of torch 2.15, transformers 5.24 and bitsandbytes 0.50 (block of 256, tensors below
// 4,096 elements in fp32); torchao's low-bit optimizers; papers for the rest.
constexpr std::array<OptimizerInfo, 29> infos{{
    {Id::adamw_torch, 2, 0, false, false, false, "two moments in the parameter's dtype"},
    {Id::adamw_torch_fused, 2, 0, false, false, false, "two moments in the parameter's dtype"},
    {Id::adamw_fp32_states, 2, 4, false, false, false, "two moments in fp32"},
    {Id::adamw_8bit, 2, 1, true, false, false, "two moments in 8 bits with block scales"},
    {Id::adamw_4bit, 1, 1, true, false, false, "two moments in 4 bits with block scales"},
    {Id::adamw_fp8, 2, 1, true, false, false,
     "two moments in fp8, or in torchao's 8 bits, with block scales"},
    {Id::paged_adamw_32bit, 2, 4, false, false, true, "two moments in fp32, paged"},
    {Id::paged_adamw_8bit, 2, 1, true, false, true, "two moments in 8 bits, paged"},
    {Id::lion, 1, 0, false, false, false, "one moment in the parameter's dtype"},
    {Id::lion_fp32_state, 1, 4, false, false, false, "one moment in fp32"},
    {Id::lion_8bit, 1, 1, true, false, false, "one moment in 8 bits with block scales"},
    {Id::sgd, 0, 0, false, false, false, "no state"},
    {Id::sgd_momentum, 1, 0, false, false, false, "one momentum in the parameter's dtype"},
    {Id::adafactor, 0, 4, false, true, false, "rows and columns of the second moment in fp32"},
    {Id::adagrad, 1, 0, false, false, false, "one sum in the parameter's dtype"},
    {Id::rmsprop, 1, 0, false, false, false, "one average in the parameter's dtype"},
    {Id::rmsprop_fp32_state, 1, 4, false, false, false, "one average in fp32"},
    {Id::rmsprop_8bit, 1, 1, true, false, false, "one average in 8 bits with block scales"},
    {Id::ademamix, 3, 4, false, false, false, "three moments in fp32"},
    {Id::ademamix_8bit, 3, 1, true, false, false, "three moments in 8 bits with block scales"},
    {Id::paged_ademamix_8bit, 3, 1, true, false, true, "three moments in 8 bits, paged"},
    {Id::muon, 1, 0, false, false, false, "one momentum in the parameter's dtype"},
    {Id::galore, 2, 4, false, true, false, "moments of the projected gradient"},
    {Id::apollo, 2, 4, false, true, false, "moments of the projected gradient"},
    {Id::lomo, 0, 0, false, false, false, "no state; gradients are used as they come"},
    {Id::sophia, 2, 0, false, false, false, "two moments in the parameter's dtype"},
    {Id::schedule_free, 2, 0, false, false, false, "an iterate and a second moment in the parameter's dtype"},
    {Id::came, 1, 0, false, true, false, "one moment, and rows and columns"},
    {Id::unknown, 2, 4, false, false, false, "taken as two fp32 moments"},
}};

struct Name {
  std::string_view name;
  Id id;
};

// As the frameworks write them, in lower case with `-` and `.` turned into `_`.
constexpr Name names[] = {
    {"adamw", Id::adamw_torch},
    {"adam", Id::adamw_torch},
    {"adamw_torch", Id::adamw_torch},
    {"adamw_hf", Id::adamw_torch},
    {"adamw_anyprecision", Id::adamw_torch},
    {"torch_optim_adamw", Id::adamw_torch},
    {"torch_optim_adam", Id::adamw_torch},
    {"nadam", Id::adamw_torch},
    {"adamax", Id::adamw_torch},
    {"adamw_torch_fused", Id::adamw_torch_fused},
    {"adamw_torch_xla", Id::adamw_torch_fused},
    {"adamw_torch_npu_fused", Id::adamw_torch_fused},
    {"adamw_apex_fused", Id::adamw_fp32_states},
    {"fusedadam", Id::adamw_fp32_states},
    {"fused_adam", Id::adamw_fp32_states},
    {"deepspeedcpuadam", Id::adamw_fp32_states},
    {"deepspeed_adam", Id::adamw_fp32_states},
    {"deepspeed_adamw", Id::adamw_fp32_states},
    {"lamb", Id::adamw_fp32_states},
    {"fusedlamb", Id::adamw_fp32_states},
    {"cpuadam", Id::adamw_fp32_states},
    {"distributed_fused_adam", Id::adamw_fp32_states},
    {"adamw_fp32_states", Id::adamw_fp32_states},
    {"paged_adamw", Id::paged_adamw_32bit},
    {"paged_adamw_32bit", Id::paged_adamw_32bit},
    {"pagedadamw", Id::paged_adamw_32bit},
    {"pagedadamw32bit", Id::paged_adamw_32bit},
    {"bitsandbytes_optim_pagedadamw", Id::paged_adamw_32bit},
    {"adamw_bnb_8bit", Id::adamw_8bit},
    {"adamw_8bit", Id::adamw_8bit},
    {"adam8bit", Id::adamw_8bit},
    {"adamw8bit", Id::adamw_8bit},
    {"bitsandbytes_optim_adamw8bit", Id::adamw_8bit},
    {"bitsandbytes_optim_adam8bit", Id::adamw_8bit},
    {"adamw_torch_8bit", Id::adamw_8bit},
    {"ao_adamw_8bit", Id::adamw_8bit},
    {"ademamix", Id::ademamix},
    {"paged_ademamix_32bit", Id::ademamix},
    {"ademamix_8bit", Id::ademamix_8bit},
    {"paged_ademamix_8bit", Id::paged_ademamix_8bit},
    {"paged_adamw_8bit", Id::paged_adamw_8bit},
    {"pagedadamw8bit", Id::paged_adamw_8bit},
    {"pagedadam8bit", Id::paged_adamw_8bit},
    {"bitsandbytes_optim_pagedadamw8bit", Id::paged_adamw_8bit},
    {"adamw_torch_4bit", Id::adamw_4bit},
    {"ao_adamw_4bit", Id::adamw_4bit},
    {"torchao_prototype_low_bit_optim_adamw4bit", Id::adamw_4bit},
    {"torchao_optim_adamw4bit", Id::adamw_4bit},
    {"torchao_prototype_low_bit_optim_adamw8bit", Id::adamw_fp8},
    {"torchao_optim_adamw8bit", Id::adamw_fp8},
    {"torchao_prototype_low_bit_optim_adamwfp8", Id::adamw_fp8},
    {"torchao_optim_adamwfp8", Id::adamw_fp8},
    {"adamw_4bit", Id::adamw_4bit},
    {"ao_adamw_fp8", Id::adamw_fp8},
    {"adamw_fp8", Id::adamw_fp8},
    {"decoupled_adamw", Id::adamw_torch},
    {"decoupled_lionw", Id::lion},
    {"clip_lion", Id::lion},
    {"adalr_lion", Id::lion},
    {"lion", Id::lion},
    {"lion_32bit", Id::lion_fp32_state},
    {"paged_lion_32bit", Id::lion_fp32_state},
    {"lion_8bit", Id::lion_8bit},
    {"lion8bit", Id::lion_8bit},
    {"paged_lion_8bit", Id::lion_8bit},
    {"sgd", Id::sgd},
    {"torch_optim_sgd", Id::sgd},
    {"sgd_momentum", Id::sgd_momentum},
    {"adafactor", Id::adafactor},
    {"adagrad", Id::adagrad},
    {"rmsprop", Id::rmsprop},
    {"rmsprop_bnb", Id::rmsprop_fp32_state},
    {"rmsprop_bnb_32bit", Id::rmsprop_fp32_state},
    {"rmsprop_bnb_8bit", Id::rmsprop_8bit},
    {"muon", Id::muon},
    {"dion", Id::muon},
    {"galore_adamw", Id::galore},
    {"galore_adamw_8bit", Id::galore},
    {"galore_adafactor", Id::galore},
    {"galore_adamw_layerwise", Id::galore},
    {"galore_adamw_8bit_layerwise", Id::galore},
    {"galore_adafactor_layerwise", Id::galore},
    {"apollo_adamw", Id::apollo},
    {"apollo_adamw_layerwise", Id::apollo},
    {"lomo", Id::lomo},
    {"adalomo", Id::lomo},
    {"sophia", Id::sophia},
    {"sophiag", Id::sophia},
    {"schedule_free_adamw", Id::schedule_free},
    {"schedule_free_radam", Id::schedule_free},
    {"schedule_free_sgd", Id::sgd_momentum},
    {"adamwschedulefree", Id::schedule_free},
    {"adopt_adamw", Id::adamw_torch},
    {"optimi_adamw", Id::adamw_torch},
    {"came_pytorch", Id::came},
    {"came", Id::came},
    {"grokadamw", Id::schedule_free},
    {"stable_adamw", Id::adamw_torch},
};

std::string normalised(std::string_view name) {
  std::string clean;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') {
      clean += static_cast<char>(c - 'A' + 'a');
    } else {
      clean += c == '-' || c == '.' || c == ' ' ? '_' : c;
    }
  }
  return clean;
}

constexpr std::uint64_t scale_block = 256;
constexpr std::uint64_t projected_rank = 128;  // GaLore's and APOLLO's usual rank

/// Sums over the trainable matrices of one device: of rows + columns, and of the longer side.
struct Sides {
  Bytes both, longer;
};
Sides matrix_sides(const Sizes& sizes) {
  Sides sides;
  const auto add = [&](std::uint64_t in, std::uint64_t out, std::uint64_t times) {
    sides.both += product({in + out, times});
    sides.longer += product({std::max(in, out), times});
  };
  const ConcreteAdapter& adapter = sizes.plan.adapter;
  const bool low_rank = sizes.trains == Trains::adapters;
  const std::uint64_t layers = sizes.layers - std::min(sizes.layers, sizes.lowest_trained);
  for (const LinearModule& module : sizes.modules.all()) {
    if (!low_rank) {
      add(module.in, module.out, module.count * layers);
    } else if (adapts(adapter, module)) {
      add(module.in, adapter.rank, module.count * layers);
      add(adapter.rank, module.out, module.count * layers);
    }
  }
  if (!low_rank) {
    add(sizes.vocabulary, sizes.hidden, sizes.plan.model.tied_embeddings ? 1 : 2);
    if (sizes.plan.model.learned_positions > 0) add(sizes.plan.model.learned_positions, sizes.hidden, 1);
    sides.both += Bytes(sizes.counts.norms) + Bytes(sizes.counts.biases);
  }
  return sides;
}

}  // namespace

std::optional<OptimizerInfo> find_optimizer(std::string_view name) {
  const std::string clean = normalised(name);
  const auto row =
      std::find_if(std::begin(names), std::end(names), [&](const Name& n) { return n.name == clean; });
  return row == std::end(names) ? std::nullopt : std::optional(optimizer_info(row->id));
}

const OptimizerInfo& optimizer_info(OptimizerId id) {
  return infos[static_cast<std::size_t>(id)];
}

Bytes optimizer_state(const Sizes& sizes, const TrainableBytes& trainable) {
  const ConcretePlan& plan = sizes.plan;
  const OptimizerInfo& info = optimizer_info(plan.optimizer);
  if (info.factored) {
    const Sides sides = matrix_sides(sizes);
    if (info.states > 0 && plan.optimizer != Id::came) return sides.longer * projected_rank * 4 * info.states;
    return sides.both * 4 + trainable.stored * info.states;
  }
  if (info.blockwise) {
    const Bytes elements(trainable.parameters);
    Bytes state = elements * info.states * info.state_bytes + elements * info.states * 4 / scale_block;
    // torchao's 4-bit states have a scale for 128 values, of two moments that share a byte.
    if (plan.optimizer == Id::adamw_4bit) state = elements + elements * 2 * 4 / 128;
    // transformers' Trainer asks bitsandbytes for fp32 states of the embedding.
    if (sizes.trains == Trains::everything && plan.optimizer != Id::adamw_4bit &&
        plan.optimizer != Id::adamw_fp8)
      state += Bytes(sizes.vocabulary_elements()) * info.states * 3;
    return state;
  }
  if (info.state_bytes > 0) return Bytes(trainable.parameters) * info.states * info.state_bytes;
  return plan.master_weights ? Bytes(trainable.parameters) * info.states * 4 : trainable.stored * info.states;
}

Bytes optimizer_transient(const Sizes& sizes, const Stack& stack, const TrainableBytes& trainable) {
  const std::uint64_t largest =
      sizes.trains == Trains::adapters
          ? product({sizes.plan.adapter.rank, std::max(sizes.mlp, sizes.hidden)}).count()
          : std::max(sizes.vocabulary_elements(), sizes.largest_matrix());
  const std::uint32_t element =
      sizes.trains == Trains::adapters ? bytes_of(sizes.plan.adapter.dtype) : sizes.weight_bytes;
  switch (sizes.plan.optimizer) {
    case Id::adamw_torch:
      if (stack.step_loop == StepLoop::foreach) return trainable.stored * stack.step_copies;
      return stack.step_loop == StepLoop::single ? Bytes(largest) * 2 * element : Bytes();
    case Id::adafactor:
    case Id::came:
      return Bytes(largest) * (element == 2 ? 16 : 8);
    case Id::muon:
    case Id::galore:
    case Id::apollo:
      return Bytes(largest) * 8;
    default:
      return {};
  }
}

}  // namespace oomlint
