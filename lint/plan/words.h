#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace oomlint {

// The closed vocabularies of the plan. A plan stores the word; code that computes converts it once.

enum class Method : std::uint8_t { full, lora, qlora, dora, adapter, freeze, head };
enum class Task : std::uint8_t {
  pretrain,
  sft,
  dpo,
  kto,
  orpo,
  simpo,
  reward,
  ppo,
  grpo,
  rloo,
  distill,
  classify,
  diffusion
};
enum class Dtype : std::uint8_t { fp32, fp16, bf16, fp8, int8, four_bit };
enum class Quantisation : std::uint8_t {
  none,
  nf4,
  nf4_double,
  fp4,
  fp4_double,
  int8,
  gptq,
  awq,
  fp8,
  mxfp4,
  hqq,
  four_bit,
  int4
};
enum class Sharding : std::uint8_t { none, ddp, zero1, zero2, zero3, fsdp, fsdp_grad_op, hsdp, megatron };
enum class Checkpointing : std::uint8_t { none, full, selective, offloaded };
enum class Attention : std::uint8_t { eager, sdpa, flash };
/// plain: log-softmax in fp32 over all logits; fused: head and loss in one, no logits; chunked: logits by
/// pieces; kernel: one kernel over logits of 16 bits, whose gradient has their dtype.
enum class Loss : std::uint8_t { plain, fused, chunked, kernel };

/// The words of one vocabulary, in the order of its enumerators.
template <class Enum>
[[nodiscard]] std::span<const std::string_view> words();

template <class Enum>
[[nodiscard]] std::string_view to_word(Enum value) {
  return words<Enum>()[static_cast<std::size_t>(value)];
}

template <class Enum>
[[nodiscard]] std::optional<Enum> from_word(std::string_view word) {
  const auto all = words<Enum>();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] == word) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

template <>
std::span<const std::string_view> words<Method>();
template <>
std::span<const std::string_view> words<Task>();
template <>
std::span<const std::string_view> words<Dtype>();
template <>
std::span<const std::string_view> words<Quantisation>();
template <>
std::span<const std::string_view> words<Sharding>();
template <>
std::span<const std::string_view> words<Checkpointing>();
template <>
std::span<const std::string_view> words<Attention>();
template <>
std::span<const std::string_view> words<Loss>();

}  // namespace oomlint
