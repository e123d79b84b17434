#include "lint/estimate/sizes.h"
#include "lint/estimate/stacks/profiles.h"

namespace oomlint {

namespace {

constexpr std::uint64_t mib = 1ULL << 20;

bool is_zero(Sharding sharding) {
  return sharding == Sharding::zero1 || sharding == Sharding::zero2 || sharding == Sharding::zero3;
}
bool is_fsdp(Sharding sharding) {
  return sharding == Sharding::fsdp || sharding == Sharding::fsdp_grad_op || sharding == Sharding::hsdp;
}
bool half(Dtype dtype) {
  return bytes_of(dtype) <= 2;
}

/// transformers 4.x loads fp32 unless told, 5.x the dtype of the checkpoint.
Dtype load_dtype(const Answers& answers) {
  const Dtype stored = answers.checkpoint_dtype().value_or(Dtype::bf16);
  const auto bytes = answers.by_version<std::uint32_t>(
      "transformers", [&](Version v) { return v.major >= 5 ? bytes_of(stored) : 4U; });
  return bytes == 4 ? Dtype::fp32 : stored;
}

/// peft up to 0.6 and from 0.12 keeps adapters in fp32; between them they take the dtype of a 16-bit base.
Dtype adapter_dtype(const Answers& answers, const ConcretePlan& plan) {
  if (plan.quantisation != Quantisation::none) return Dtype::fp32;
  const auto bytes = answers.by_version<std::uint32_t>("peft", [&](Version v) {
    return v >= Version{0, 7, 0} && v < Version{0, 12, 0} ? bytes_of(plan.weight_dtype) : 4U;
  });
  return bytes == 4 ? Dtype::fp32 : plan.weight_dtype;
}

/// Bytes per logit by version of transformers (read in the sources of 4.36 to 5.24): before 4.45 the model
/// returns fp32 logits and the loss copies them shifted; up to 4.48 the 16-bit logits stay beside; later
/// there is no copy.
void set_logits(const Answers& answers, Stack& stack) {
  stack.logits.forward = answers.by_version<std::uint32_t>("transformers", [](Version v) {
    if (v < Version{4, 45, 0}) return 8U;
    return v < Version{4, 49, 0} ? 10U : 6U;
  });
  stack.logits.backward = 8;
}

void set_step(const Answers& answers, ConcretePlan& plan, Stack& stack) {
  if (!answers.known(Field::optimizer)) {
    // From transformers 4.53 with torch 2.8 the default is the fused implementation.
    const bool fused = answers.by_version<bool>("torch", [](Version v) { return v >= Version{2, 8, 0}; });
    plan.optimizer = fused ? OptimizerId::adamw_torch_fused : OptimizerId::adamw_torch;
  }
  stack.step_loop = StepLoop::foreach;
  stack.step_copies =
      answers.by_version<std::uint32_t>("torch", [](Version v) { return v < Version{2, 1, 0} ? 2U : 1U; });
  stack.gradients_stay = answers.by_version<bool>("torch", [](Version v) { return v < Version{2, 0, 0}; });
}

/// Growth of the length-dependent part of reserved memory: replays of traces through the allocator's rules
/// and published readings; with and without a loss over all logits.
void set_growth(const Answers& answers, const ConcretePlan& plan, Stack& stack) {
  const bool logits = plan.loss == Loss::plain || plan.loss == Loss::kernel;
  switch (answers.runtime()) {
    case End::low:
      stack.varying_growth = logits ? Ratio{125, 100} : Ratio{1, 1};
      stack.constant_growth = logits ? Ratio{103, 100} : Ratio{1, 1};
      break;
    case End::likely:
      stack.varying_growth = logits ? Ratio{3, 1} : Ratio{2, 1};
      stack.constant_growth = logits ? Ratio{125, 100} : Ratio{103, 100};
      break;
    case End::high:
      stack.varying_growth = logits ? Ratio{6, 1} : Ratio{33, 10};
      stack.constant_growth = logits ? Ratio{138, 100} : Ratio{112, 100};
      break;
  }
}

/// CUDA context and kernels 0.5 GiB (0.3 to 0.8); NCCL adds 0.7 to 1.0 GiB with several devices.
void set_context(const Answers& answers, const ConcretePlan& plan, Stack& stack) {
  const End end = answers.runtime();
  const std::uint64_t context = end == End::low ? 307 : end == End::high ? 819 : 512;
  const std::uint64_t nccl = end == End::low ? 717 : end == End::high ? 1024 : 870;
  stack.context = Bytes((context + (plan.world > 1 ? nccl : 0)) * mib);
}

/// DeepSpeed and FSDP hold 16-bit weights to compute with and fp32 masters; neither runs under autocast.
void set_engine(const Answers& answers, ConcretePlan& plan) {
  const bool zero = is_zero(plan.sharding);
  if (!zero && !is_fsdp(plan.sharding)) return;
  if (!half(plan.compute_dtype)) return;
  const bool pure = is_fsdp(plan.sharding) && half(plan.weight_dtype) && !plan.autocast;
  plan.autocast = false;
  if (plan.quantisation == Quantisation::none) plan.weight_dtype = plan.compute_dtype;
  plan.master_weights = answers.flag(Field::master_weights).value_or(!pure);
  const Dtype own = zero || pure ? plan.weight_dtype : Dtype::fp32;
  plan.gradient_dtype = answers.word<Dtype>(Field::gradient_dtype).value_or(own);
}

}  // namespace

void set_runtime(const Answers& answers, const ConcretePlan& plan, Stack& stack) {
  set_growth(answers, plan, stack);
  set_context(answers, plan, stack);
}

void apply_hf_trainer(const Answers& answers, Concrete& concrete) {
  ConcretePlan& plan = concrete.plan;
  Stack& stack = concrete.stack;
  stack.name = "hf_trainer";
  const auto given_weights = answers.word<Dtype>(Field::weight_dtype);
  const auto given_compute = answers.word<Dtype>(Field::compute_dtype);
  plan.weight_dtype = given_weights.value_or(load_dtype(answers));
  plan.compute_dtype = given_compute.value_or(plan.weight_dtype);
  plan.autocast = answers.flag(Field::autocast).value_or(given_compute && half(*given_compute));
  if (plan.quantisation != Quantisation::none) {
    if (!given_weights) plan.weight_dtype = half(plan.compute_dtype) ? plan.compute_dtype : Dtype::bf16;
    if (answers.flag(Field::kbit_prepared).value_or(false)) {
      plan.weight_dtype = Dtype::fp32;
      plan.autocast = true;
    }
  }
  plan.gradient_dtype = answers.word<Dtype>(Field::gradient_dtype).value_or(plan.weight_dtype);
  plan.master_weights = answers.flag(Field::master_weights).value_or(false);
  if (trains_adapters(plan.method))
    plan.adapter.dtype = answers.word<Dtype>(Field::adapter_dtype).value_or(adapter_dtype(answers, plan));
  set_logits(answers, stack);
  set_step(answers, plan, stack);
  stack.repeats_kv = answers.by_version<bool>("transformers", [](Version v) { return v.major < 5; });
  stack.dequantises_forward =
      answers.by_version<bool>("bitsandbytes", [](Version v) { return v < Version{0, 50, 0}; });
  set_engine(answers, plan);
  set_runtime(answers, plan, stack);
  // Paged states live on the host when the GPU is full: they are no reason for a run not to fit.
  if (plan.optimizer_paged && answers.runtime() == End::low) plan.offload_optimizer = true;
}

}  // namespace oomlint
