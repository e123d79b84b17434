#include "lint/engine/rule.h"
#include "rules/support.h"

#include <array>

namespace oomlint {

namespace {

using namespace rules;

constexpr double worth_saying = 0.10;

std::string scores_in_words(const Context& context) {
  const auto length = context.plan().count(Field::sequence_length);
  return length ? "the scores of " + grouped(static_cast<std::uint64_t>(*length)) +
                      " tokens grow with their square"
                : "attention scores grow with the square of the length";
}

/// Eager attention where a fused kernel would do.
void check_eager(Context& context) {
  const Evaluation& now = context.evaluation();
  if (!short_of_memory(context)) return;
  const ModelShape& shape = context.run().model.shape;
  if (shape.attention_softcap > 0 || shape.attention_sinks) return;  // eager is what such models ask for
  const std::array fused{PlanEdit{Field::attention, std::string("sdpa")}};
  const Evaluation after = context.evaluate(fused);
  if (static_cast<double>(after.need.likely.count()) >
      static_cast<double>(now.need.likely.count()) * (1 - worth_saying))
    return;
  Diagnostic finding;
  finding.severity = Severity::warning;
  finding.certainty = now.certainty;
  finding.primary = place_of(context, {Field::attention, Field::sequence_length});
  finding.message = "eager attention needs " + to_string(now.need.likely) + ", a fused kernel " +
                    to_string(after.need.likely) + ": " + scores_in_words(context);
  finding.table = context.byte_table();
  Fix fix{"fused attention (sdpa)",
          Applicability::display,
          {},
          "none beyond rounding",
          after.need.likely.count()};
  if (auto edits = context.spell(fused)) {
    fix.edits = *std::move(edits);
    fix.applicability = Applicability::unsafe;
  }
  finding.fixes.push_back(std::move(fix));
  context.report(std::move(finding));
}

/// Why the fused kernel that was asked for, or is taken for granted, may not be what runs; empty when nothing
/// speaks against it.
std::string doubt_about_kernel(const Context& context, Attention attention) {
  const ModelShape& shape = context.run().model.shape;
  const Dtype dtype = context.plan().word<Dtype>(Field::compute_dtype).value_or(Dtype::bf16);
  if (attention == Attention::flash && dtype == Dtype::fp32 && context.plan()[Field::compute_dtype].known()) {
    return "FlashAttention has no fp32 kernel";
  }
  if (attention == Attention::sdpa && shape.attention_softcap > 0)
    return "the model caps its attention scores, which sdpa can't";
  if (attention == Attention::sdpa && shape.attention_sinks)
    return "the model has attention sinks, which sdpa does not know";
  return {};
}

void check_fallback(Context& context, Attention attention) {
  const Evaluation& now = context.evaluation();
  if (!now.estimated || !context.run().card) return;
  const std::string doubt = doubt_about_kernel(context, attention);
  if (doubt.empty()) return;
  const std::array eager{PlanEdit{Field::attention, std::string("eager")}};
  const Evaluation after = context.evaluate(eager);
  if (after.verdict != Verdict::over || now.verdict == Verdict::over) return;
  Diagnostic finding;
  finding.severity = Severity::warning;
  finding.certainty = Certainty::medium;
  finding.primary = place_of(context, {Field::attention, Field::sequence_length});
  finding.message = "attention may fall back to the unfused kernel (" + doubt + "), which needs " +
                    to_string(after.need.likely) + ": " + card_in_words(context);
  context.report(std::move(finding));
}

void check(Context& context) {
  if (context.evaluation().certainty == Certainty::low) return;
  const auto attention = context.plan().word<Attention>(Field::attention);
  if (!attention) return;
  if (*attention == Attention::eager) {
    check_eager(context);
  } else {
    check_fallback(context, *attention);
  }
}

}  // namespace

extern constinit const Rule quadratic_attention{
    .code = "OOM1005",
    .name = "quadratic-attention",
    .severity = Severity::warning,
    .summary = "attention scores that grow with the square of the length do not fit",
    .doc = R"(## What it does
Speaks when a run that is short of memory uses eager attention and a fused kernel would lower the peak by at least 10 %.
It also speaks when a run fits only thanks to a fused kernel that its dtype or its model does not support.

## Why it matters
Without a fused kernel every layer holds heads × length × length scores. Twice the length is four times the memory.

## Example
```yaml config.yml --gpu 24GB fires
base_model: TinyLlama/TinyLlama-1.1B-Chat-v1.0
datasets:
  - path: data.jsonl
    type: alpaca
sequence_len: 2048
sample_packing: false
eager_attention: true  # <-
adapter: lora
lora_r: 16
lora_target_linear: true
micro_batch_size: 4
gradient_accumulation_steps: 4
num_epochs: 1
optimizer: adamw_torch
learning_rate: 0.0002
bf16: true
gradient_checkpointing: false
```

## Instead
```yaml config.yml --gpu 24GB silent
base_model: TinyLlama/TinyLlama-1.1B-Chat-v1.0
datasets:
  - path: data.jsonl
    type: alpaca
sequence_len: 2048
sample_packing: false
flash_attention: true
adapter: lora
lora_r: 16
lora_target_linear: true
micro_batch_size: 1
gradient_accumulation_steps: 16
num_epochs: 1
optimizer: adamw_torch
learning_rate: 0.0002
bf16: true
gradient_checkpointing: true
```

## Numbers and sources
Scores are micro batch × heads × length² × bytes, kept by each layer for the backward pass. FlashAttention supports fp16
and bf16 only (its README); torch's fused kernels take neither score capping nor sinks.

## Limits
Silent when the run fits either way, without a GPU, and for models made for eager attention (score capping, sinks) that
ask for it.
)",
    .check = check,
};

}  // namespace oomlint
