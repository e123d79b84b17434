#include "lint/estimate/stacks/profiles.h"

#include <algorithm>

namespace oomlint {

namespace {
constexpr Profile profiles[] = {
    {"hf_trainer", apply_hf_trainer},
    {"trl", apply_trl},
    {"axolotl", apply_axolotl},
    {"llama_factory", apply_llama_factory},
    {"ms_swift", apply_ms_swift},
    {"litgpt", apply_litgpt},
    {"torchtune", apply_torchtune},
    {"torchtitan", apply_torchtitan},
    {"llm_foundry", apply_llm_foundry},
    {"megatron", apply_megatron},
    {"nemo_automodel", apply_nemo_automodel},
    {"peft_benchmark", apply_peft_benchmark},
    {"textbook", apply_textbook},
    {"finetrainers", apply_finetrainers},
    {"cogvideox_factory", apply_cogvideox_factory},
};
}  // namespace

std::span<const Profile> all_profiles() {
  return profiles;
}

const Profile& find_profile(std::string_view name) {
  const auto row = std::find_if(std::begin(profiles), std::end(profiles),
                                [&](const Profile& p) { return p.name == name; });
  return row == std::end(profiles) ? profiles[0] : *row;
}

bool trains_adapters(Method method) {
  return method == Method::lora || method == Method::qlora || method == Method::dora ||
         method == Method::adapter;
}

}  // namespace oomlint
