#include "lint/engine/rule.h"
#include "rules/support.h"

namespace oomlint {

namespace {

using namespace rules;

void report(Context& context, Field field, Severity severity, const std::string& what, std::string help) {
  Diagnostic finding;
  finding.severity = severity;
  finding.certainty = severity == Severity::error ? Certainty::certain : Certainty::high;
  finding.primary = place_of(context, {field});
  finding.message = quoted(finding.primary.key.empty() ? name_of(field) : finding.primary.key) +
                    " asks for " + what + ", which " + context.run().card->name + " has no hardware for";
  finding.help = std::move(help);
  context.report(std::move(finding));
}

void check(Context& context) {
  if (!card_is_named(context) || context.run().fragment) return;
  const TrainingPlan& plan = context.plan();
  const Card& card = *context.run().card;
  const auto asked = [&](Field field) { return plan[field].given(); };

  if (!card.has_bf16 && asked(Field::compute_dtype) &&
      plan.word<Dtype>(Field::compute_dtype) == Dtype::bf16) {
    report(context, Field::compute_dtype, Severity::warning, "bf16",
           "older versions of the framework refuse to start, newer ones emulate bf16 slowly; fp16 is what "
           "the card computes in");
  }
  if (!card.has_fp8) {
    for (const Field field : {Field::compute_dtype, Field::quantisation}) {
      const auto word = plan.text(field);
      if (asked(field) && word == "fp8")
        report(context, field, Severity::error, "fp8", "bf16 is the smallest dtype the card trains in");
    }
  }
  if (!card.has_flash && asked(Field::attention) &&
      plan.word<Attention>(Field::attention) == Attention::flash) {
    report(context, Field::attention, Severity::error, "FlashAttention-2",
           "sdpa has fused kernels for this card");
  }
}

}  // namespace

extern constinit const Rule unsupported_by_gpu{
    .code = "OOM1008",
    .name = "unsupported-by-gpu",
    .severity = Severity::error,
    .summary = "the config asks for arithmetic or kernels that the GPU does not have",
    .doc = R"(## What it does
Compares dtypes and attention kernels that the config asks for with what the named GPU can do: bf16, fp8,
FlashAttention-2.

## Why it matters
FlashAttention and fp8 stop the run at its first step. bf16 on a card without it is refused by older versions of the
frameworks and emulated, slowly, by newer ones.

## Example
```yaml config.yml --gpu T4 fires
base_model: TinyLlama/TinyLlama-1.1B-Chat-v1.0
datasets:
  - path: data.jsonl
    type: alpaca
sequence_len: 512
flash_attention: true  # <-
adapter: lora
lora_r: 8
lora_target_linear: true
micro_batch_size: 1
gradient_accumulation_steps: 8
num_epochs: 1
optimizer: adamw_torch
learning_rate: 0.0002
fp16: true
gradient_checkpointing: true
```

## Instead
```yaml config.yml --gpu T4 silent
base_model: TinyLlama/TinyLlama-1.1B-Chat-v1.0
datasets:
  - path: data.jsonl
    type: alpaca
sequence_len: 512
sdp_attention: true
adapter: lora
lora_r: 8
lora_target_linear: true
micro_batch_size: 1
gradient_accumulation_steps: 8
num_epochs: 1
optimizer: adamw_torch
learning_rate: 0.0002
fp16: true
gradient_checkpointing: true
```

## Numbers and sources
bf16 needs compute capability 8.0 (Ampere), fp8 8.9 (Ada), FlashAttention-2 8.0 (its README).

## Limits
Only for a GPU asked for by name: `24GB` says nothing about the chip. Settings that come from a framework's default are
not blamed on the config.
)",
    .check = check,
};

}  // namespace oomlint
