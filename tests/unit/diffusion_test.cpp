#include "lint/estimate/diffusion.h"

#include "lint/estimate/diffusion_models.h"

#include <doctest/doctest.h>

#include <cmath>

namespace oomlint {
namespace {

/// A CogVideoX run of 49 frames of 480 × 720 with checkpointing, 16-bit base and fp32 adapters under
/// autocast.
ConcretePlan video(std::string_view model, std::uint32_t rank, std::uint64_t batch) {
  ConcretePlan plan;
  plan.task = Task::diffusion;
  plan.diffusion = {find_diffusion_model(model), 480, 720, 49, 0, true};
  plan.micro_batch = batch;
  plan.checkpointing = Checkpointing::full;
  plan.autocast = true;
  plan.optimizer = OptimizerId::adamw_torch;
  if (rank > 0) {
    plan.method = Method::lora;
    plan.adapter.rank = rank;
  } else {
    plan.weight_dtype = plan.gradient_dtype = Dtype::fp32;
  }
  return plan;
}

/// The highest phase, optimizer states left out: the traces stop before the first step.
double first_backward(const ConcretePlan& plan) {
  Bytes highest;
  for (const PhaseEstimate& phase : diffusion_phases(plan, Stack{}, Explain::no)) {
    if (phase.phase == Phase::load || phase.phase == Phase::optimizer_step) continue;
    Bytes sum;
    for (const Term& term : phase.terms) {
      if (term.kind != TermKind::optimizer_state) sum += term.bytes;
    }
    highest = std::max(highest, sum);
  }
  return static_cast<double>(highest.count());
}

}  // namespace

TEST_CASE("tokens of images and videos") {
  const auto tokens = [](std::string_view model, std::uint64_t frames, std::uint64_t height,
                         std::uint64_t width) {
    return diffusion_tokens({find_diffusion_model(model), height, width, frames, 0, true});
  };
  CHECK(tokens("black-forest-labs/FLUX.1-dev", 1, 1024, 1024) == 4096);
  CHECK(tokens("THUDM/CogVideoX-5b", 49, 480, 720) == 17550);
  CHECK(tokens("Lightricks/LTX-Video", 49, 512, 768) == 2688);
  CHECK(tokens("Wan-AI/Wan2.1-T2V-14B-Diffusers", 81, 480, 832) == 32760);
}

TEST_CASE("a diffusion model by its id: the longest name wins") {
  CHECK(find_diffusion_model("black-forest-labs/FLUX.2-klein-base-4B")->parameters == 3'875'544'576);
  CHECK(find_diffusion_model("black-forest-labs/FLUX.1-dev")->parameters == 11'901'408'320);
  CHECK(find_diffusion_model("THUDM/CogVideoX-2b")->blocks[0].depth == 30);
  CHECK(find_diffusion_model("meta-llama/Llama-3.2-1B") == nullptr);
}

TEST_CASE("the backward of CogVideoX is what fake-tensor runs reached, within 4 %") {
  struct Row {
    std::string_view model;
    std::uint32_t rank;
    std::uint64_t batch;
    double peak;
  };
  // Extrapolated from two depths of the real modules; with the scripts' LoRA on the attention.
  constexpr Row rows[] = {{"CogVideoX-2b", 64, 1, 7.901e9},   {"CogVideoX-2b", 64, 4, 20.263e9},
                          {"CogVideoX-5b", 64, 1, 19.313e9},  {"CogVideoX-5b", 64, 4, 42.999e9},
                          {"CogVideoX-5b", 256, 4, 43.911e9}, {"CogVideoX-2b", 0, 4, 25.520e9}};
  for (const Row& row : rows) {
    INFO(row.model, " rank ", row.rank, " batch ", row.batch);
    const double off = first_backward(video(row.model, row.rank, row.batch)) / row.peak - 1;
    CAPTURE(off);
    CHECK(std::abs(off) < 0.04);
  }
}

TEST_CASE("adapters of FLUX.2 klein: parameters on every linear layer that the targets name") {
  ConcretePlan plan = video("FLUX.2-klein-base-4B", 32, 2);
  plan.diffusion.height = plan.diffusion.width = 512;
  for (const std::string_view name :
       {"to_q", "to_k", "to_v", "to_out.0", "add_q_proj", "add_k_proj", "add_v_proj", "to_add_out",
        "linear_in", "linear_out", "to_qkv_mlp_proj"})
    plan.diffusion.targets |= diffusion_module_bit(name);
  const auto phases = diffusion_phases(plan, Stack{}, Explain::no);
  for (const Term& term : phases.back().terms) {
    if (term.kind == TermKind::adapter_weights) CHECK(term.bytes.count() == 38'338'560ULL * 4);
  }
}

}  // namespace oomlint
