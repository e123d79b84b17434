#pragma once

#include "lint/dialect/dialect.h"

#include <array>
#include <optional>

// The checks LLaMA-Factory makes when it parses its arguments. Source: LLaMA-Factory 0.9.6 (ff6d4d1),
// src/llamafactory/hparams/*.py and model/model_utils/quantization.py; a row with a version names the first
// release after the check came in.
namespace oomlint::llama_factory_parts {

using Hit = std::optional<ConstraintHit>;
using C = const ReadContext&;

[[nodiscard]] Hit quantised_pissa(C c);
[[nodiscard]] Hit quantised_vocabulary(C c);
[[nodiscard]] Hit quantised_new_adapter(C c);
[[nodiscard]] Hit quantised_bits(C c);
[[nodiscard]] Hit quantised_device_map(C c);
[[nodiscard]] Hit fp8_on_quantised(C c);
[[nodiscard]] Hit eight_bit(C c);
[[nodiscard]] Hit two_projections(C c);
[[nodiscard]] Hit pissa(C c);
[[nodiscard]] Hit pissa_stage(C c);
[[nodiscard]] Hit llama_pro(C c);
[[nodiscard]] Hit label_smoothing(C c);
[[nodiscard]] Hit history_outside_sft(C c);
[[nodiscard]] Hit history_and_prompt(C c);
[[nodiscard]] Hit prediction_without_generation(C c);
[[nodiscard]] Hit generation(C c);
[[nodiscard]] Hit best_model_stage(C c);
[[nodiscard]] Hit shifted_attention_ppo(C c);
[[nodiscard]] Hit no_evaluation_data(C c);
[[nodiscard]] Hit streamed_samples(C c);
[[nodiscard]] Hit streamed_fraction(C c);
[[nodiscard]] Hit interleaving(C c);
[[nodiscard]] Hit inference_engine(C c);
[[nodiscard]] Hit pure_bf16(C c);
[[nodiscard]] Hit unsloth(C c);

inline constexpr std::string_view parser = "LLaMA-Factory 0.9 hparams/parser.py";
inline constexpr std::string_view method_arguments = "LLaMA-Factory 0.9 hparams/finetuning_args.py";
inline constexpr std::string_view data_arguments = "LLaMA-Factory 0.9 hparams/data_args.py";
inline constexpr std::string_view quantiser = "LLaMA-Factory 0.9 model/model_utils/quantization.py";

inline constexpr std::array<Constraint, 25> checks{{
    {.id = "llama_factory/quantised-pissa",
     .effect = Effect::refused,
     .message = "`pissa_init` can not start from a quantised model",
     .remedy = "initialise with scripts/pissa_init.py first",
     .source = parser,
     .when = quantised_pissa},
    {.id = "llama_factory/quantised-vocabulary",
     .effect = Effect::refused,
     .message = "the embedding of a quantised model can not be resized",
     .remedy = "drop resize_vocab",
     .source = parser,
     .when = quantised_vocabulary},
    {.id = "llama_factory/quantised-new-adapter",
     .effect = Effect::refused,
     .message = "no new adapter can be put on top of one on a quantised model",
     .remedy = "drop create_new_adapter",
     .source = parser,
     .when = quantised_new_adapter},
    {.id = "llama_factory/quantised-bits",
     .effect = Effect::refused,
     .message = "bitsandbytes quantises to 4 or 8 bits",
     .remedy = "set quantization_bit: 4",
     .source = quantiser,
     .when = quantised_bits},
    {.id = "llama_factory/quantised-device-map",
     .effect = Effect::refused,
     .message = "`quantization_device_map` is not for training",
     .remedy = "drop it",
     .source = parser,
     .when = quantised_device_map},
    {.id = "llama_factory/fp8-on-quantised",
     .effect = Effect::refused,
     .message = "`fp8` does not go with a quantised base",
     .remedy = "drop one of the two",
     .source = parser,
     .when = fp8_on_quantised,
     .package = "llamafactory",
     .since = {0, 9, 4}},
    {.id = "llama_factory/eight-bit-with-zero3",
     .effect = Effect::refused,
     .message = "under ZeRO-3 only 4-bit quantisation works",
     .remedy = "set quantization_bit: 4",
     .source = quantiser,
     .when = eight_bit,
     .run_field = Field::sharding,
     .run_value = "zero3"},
    {.id = "llama_factory/two-projections",
     .effect = Effect::refused,
     .message = "GaLore, APOLLO and BAdam exclude each other",
     .remedy = "keep one",
     .source = method_arguments,
     .when = two_projections},
    {.id = "llama_factory/pissa-with-zero3",
     .effect = Effect::refused,
     .message = "`pissa_init` does not run under ZeRO-3",
     .remedy = "initialise with scripts/pissa_init.py first",
     .source = parser,
     .when = pissa,
     .run_field = Field::sharding,
     .run_value = "zero3"},
    {.id = "llama_factory/pissa-stage",
     .effect = Effect::refused,
     .message = "`pissa_init` does not go with this stage",
     .remedy = "drop pissa_init",
     .source = method_arguments,
     .when = pissa_stage},
    {.id = "llama_factory/llama-pro",
     .effect = Effect::refused,
     .message = "`use_llama_pro` is for finetuning_type freeze or lora",
     .remedy = "set finetuning_type: freeze",
     .source = method_arguments,
     .when = llama_pro},
    {.id = "llama_factory/label-smoothing",
     .effect = Effect::refused,
     .message = "`dpo_label_smoothing` is for pref_loss sigmoid only",
     .remedy = "drop it",
     .source = method_arguments,
     .when = label_smoothing},
    {.id = "llama_factory/history-outside-sft",
     .effect = Effect::refused,
     .message = "`train_on_prompt` and `mask_history` are for stage sft only",
     .remedy = "drop it",
     .source = parser,
     .when = history_outside_sft},
    {.id = "llama_factory/history-and-prompt",
     .effect = Effect::refused,
     .message = "`mask_history` and `train_on_prompt` exclude each other",
     .remedy = "keep one of the two",
     .source = data_arguments,
     .when = history_and_prompt},
    {.id = "llama_factory/prediction-without-generation",
     .effect = Effect::refused,
     .message = "`do_predict` needs `predict_with_generate`",
     .remedy = "set predict_with_generate: true",
     .source = parser,
     .when = prediction_without_generation},
    {.id = "llama_factory/generation-with-zero3",
     .effect = Effect::refused,
     .message = "`predict_with_generate` does not run under ZeRO-3",
     .remedy = "drop predict_with_generate or use ZeRO-2",
     .source = parser,
     .when = generation,
     .run_field = Field::sharding,
     .run_value = "zero3"},
    {.id = "llama_factory/best-model-stage",
     .effect = Effect::refused,
     .message = "stages rm and ppo can not load the best model at the end",
     .remedy = "drop load_best_model_at_end",
     .source = parser,
     .when = best_model_stage},
    {.id = "llama_factory/shifted-attention-ppo",
     .effect = Effect::refused,
     .message = "stage ppo does not go with `shift_attn`",
     .remedy = "drop shift_attn",
     .source = parser,
     .when = shifted_attention_ppo},
    {.id = "llama_factory/no-evaluation-data",
     .effect = Effect::refused,
     .message = "evaluation needs `eval_dataset` or `val_size`",
     .remedy = "set val_size",
     .source = parser,
     .when = no_evaluation_data,
     .package = "llamafactory",
     .since = {0, 9, 4}},
    {.id = "llama_factory/streamed-samples",
     .effect = Effect::refused,
     .message = "`max_samples` does not go with `streaming`",
     .remedy = "drop max_samples",
     .source = data_arguments,
     .when = streamed_samples},
    {.id = "llama_factory/streamed-fraction",
     .effect = Effect::refused,
     .message = "with `streaming` the validation set is a number of examples, not a share",
     .remedy = "write val_size as a whole number",
     .source = data_arguments,
     .when = streamed_fraction},
    {.id = "llama_factory/interleaving",
     .effect = Effect::refused,
     .message = "`interleave_probs` needs an interleaving `mix_strategy`",
     .remedy = "set mix_strategy: interleave_under",
     .source = data_arguments,
     .when = interleaving},
    {.id = "llama_factory/inference-engine",
     .effect = Effect::refused,
     .message = "vLLM and SGLang are for inference only",
     .remedy = "drop infer_backend",
     .source = parser,
     .when = inference_engine},
    {.id = "llama_factory/pure-bf16-with-zero3",
     .effect = Effect::refused,
     .message = "`pure_bf16` does not run under ZeRO-3",
     .remedy = "set bf16: true in its place",
     .source = parser,
     .when = pure_bf16,
     .run_field = Field::sharding,
     .run_value = "zero3"},
    {.id = "llama_factory/unsloth-with-zero3",
     .effect = Effect::refused,
     .message = "Unsloth does not run under ZeRO-3",
     .remedy = "drop use_unsloth or use ZeRO-2",
     .source = parser,
     .when = unsloth,
     .run_field = Field::sharding,
     .run_value = "zero3"},
}};

}  // namespace oomlint::llama_factory_parts
