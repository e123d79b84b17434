#include "lint/plan/words.h"

#include <array>

namespace oomlint {

namespace {
constexpr std::array<std::string_view, 7> methods{"full",    "lora",   "qlora", "dora",
                                                  "adapter", "freeze", "head"};
constexpr std::array<std::string_view, 13> tasks{"pretrain", "sft",      "dpo",      "kto",  "orpo",
                                                 "simpo",    "reward",   "ppo",      "grpo", "rloo",
                                                 "distill",  "classify", "diffusion"};
constexpr std::array<std::string_view, 6> dtypes{"fp32", "fp16", "bf16", "fp8", "int8", "4bit"};
constexpr std::array<std::string_view, 13> quantisations{"none", "nf4",  "nf4_double", "fp4", "fp4_double",
                                                         "int8", "gptq", "awq",        "fp8", "mxfp4",
                                                         "hqq",  "4bit", "int4"};
constexpr std::array<std::string_view, 9> shardings{"none", "ddp",          "zero1", "zero2",   "zero3",
                                                    "fsdp", "fsdp_grad_op", "hsdp",  "megatron"};
constexpr std::array<std::string_view, 4> checkpointings{"none", "full", "selective", "offloaded"};
constexpr std::array<std::string_view, 3> attentions{"eager", "sdpa", "flash"};
constexpr std::array<std::string_view, 4> losses{"plain", "fused", "chunked", "kernel"};
}  // namespace

template <>
std::span<const std::string_view> words<Method>() {
  return methods;
}
template <>
std::span<const std::string_view> words<Task>() {
  return tasks;
}
template <>
std::span<const std::string_view> words<Dtype>() {
  return dtypes;
}
template <>
std::span<const std::string_view> words<Quantisation>() {
  return quantisations;
}
template <>
std::span<const std::string_view> words<Sharding>() {
  return shardings;
}
template <>
std::span<const std::string_view> words<Checkpointing>() {
  return checkpointings;
}
template <>
std::span<const std::string_view> words<Attention>() {
  return attentions;
}
template <>
std::span<const std::string_view> words<Loss>() {
  return losses;
}

}  // namespace oomlint
