#pragma once

#include "lint/estimate/answers.h"
#include "lint/estimate/concretise.h"

#include <span>
#include <string_view>

namespace oomlint {

/// What a runtime does with a plan at a version: sets the parts of the concrete plan that no field gave, and
/// the switches of the stack. Called after the plan's own values are in place.
struct Profile {
  std::string_view name;
  void (*apply)(const Answers& answers, Concrete& concrete);
};

[[nodiscard]] std::span<const Profile> all_profiles();
/// By name; the profile of the Hugging Face Trainer for names without one.
[[nodiscard]] const Profile& find_profile(std::string_view name);

void apply_textbook(const Answers& answers, Concrete& concrete);
void apply_hf_trainer(const Answers& answers, Concrete& concrete);
void apply_trl(const Answers& answers, Concrete& concrete);
void apply_axolotl(const Answers& answers, Concrete& concrete);
void apply_llama_factory(const Answers& answers, Concrete& concrete);
void apply_ms_swift(const Answers& answers, Concrete& concrete);
void apply_megatron(const Answers& answers, Concrete& concrete);
void apply_nemo_automodel(const Answers& answers, Concrete& concrete);
void apply_peft_benchmark(const Answers& answers, Concrete& concrete);
void apply_finetrainers(const Answers& answers, Concrete& concrete);
void apply_cogvideox_factory(const Answers& answers, Concrete& concrete);
/// Large blocks recomputed in turn leave holes: replayed traces of diffusion runs reserve a fifth more of
/// what depends on the images, without checkpointing 3 %.
void set_diffusion_growth(const Answers& answers, const ConcretePlan& plan, Stack& stack);
void apply_llm_foundry(const Answers& answers, Concrete& concrete);

void apply_litgpt(const Answers& answers, Concrete& concrete);
void apply_torchtune(const Answers& answers, Concrete& concrete);
void apply_torchtitan(const Answers& answers, Concrete& concrete);

/// What torch's allocator and CUDA add, whatever the framework: growth of reserved memory and the context.
void set_runtime(const Answers& answers, const ConcretePlan& plan, Stack& stack);

/// Whether the plan trains adapters only.
[[nodiscard]] bool trains_adapters(Method method);

}  // namespace oomlint
