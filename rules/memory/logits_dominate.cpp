#include "lint/engine/rule.h"
#include "rules/support.h"

#include <array>

namespace oomlint {

namespace {

using namespace rules;

constexpr double large_share = 0.4;
constexpr double worth_saying = 0.15;

void check(Context& context) {
  const Evaluation& evaluation = context.evaluation();
  if (!short_of_memory(context) || evaluation.certainty == Certainty::low) return;
  if (context.plan().word<Loss>(Field::loss).value_or(Loss::plain) != Loss::plain) return;
  const double share = share_of_peak(evaluation, {TermKind::logits, TermKind::loss});
  if (share < large_share) return;

  const std::array fused{PlanEdit{Field::loss, std::string("fused")}};
  const Evaluation after = context.evaluate(fused);
  const auto now = static_cast<double>(evaluation.need.likely.count());
  if (static_cast<double>(after.need.likely.count()) > now * (1 - worth_saying)) return;

  Diagnostic finding;
  finding.severity = Severity::warning;
  finding.certainty = evaluation.certainty;
  finding.primary = place_of(context, {Field::sequence_length, Field::micro_batch, Field::model});
  finding.message = "logits and loss take " + percent(share) +
                    " of the peak; with a fused loss the run needs " + to_string(after.need.likely) +
                    " instead of " + to_string(evaluation.need.likely);
  finding.related = contributions(context, finding.primary);
  finding.table = context.byte_table();
  Fix fix{"fused cross-entropy loss",
          Applicability::display,
          {},
          "logits are not available to metrics",
          after.need.likely.count()};
  if (auto edits = context.spell(fused)) {
    fix.edits = *std::move(edits);
    fix.applicability = Applicability::unsafe;
  }
  finding.fixes.push_back(std::move(fix));
  context.report(std::move(finding));
}

}  // namespace

extern constinit const Rule logits_dominate{
    .code = "OOM1003",
    .name = "logits-dominate",
    .severity = Severity::warning,
    .summary = "the logits are the largest part of a peak that does not fit",
    .doc = R"(## What it does
Speaks when a run is short of memory, logits and loss make at least 40 % of the peak, and a fused or chunked loss would
lower it by at least 15 %.

## Why it matters
Logits are micro batch × sequence × vocabulary, several copies of them, often in fp32. With a small model and a large
vocabulary they exceed everything else, and neither LoRA nor activation checkpointing touches them.

## Example
```yaml config.yml --gpu 24GB fires
base_model: Qwen/Qwen2.5-0.5B
datasets:
  - path: data.jsonl
    type: alpaca
sequence_len: 4096  # <-
sample_packing: true
micro_batch_size: 4
gradient_accumulation_steps: 4
num_epochs: 1
optimizer: adamw_torch
learning_rate: 0.00002
bf16: true
gradient_checkpointing: true
flash_attention: true
```

## Instead
```yaml config.yml --gpu 24GB silent
base_model: Qwen/Qwen2.5-0.5B
plugins:
  - axolotl.integrations.liger.LigerPlugin
liger_fused_linear_cross_entropy: true
datasets:
  - path: data.jsonl
    type: alpaca
sequence_len: 4096
sample_packing: true
micro_batch_size: 4
gradient_accumulation_steps: 4
num_epochs: 1
optimizer: adamw_torch
learning_rate: 0.00002
bf16: true
gradient_checkpointing: true
flash_attention: true
```

## Numbers and sources
transformers upcasts the logits to fp32 for its causal loss (`loss/loss_utils.py`): about 12 bytes × tokens × vocabulary
are in flight. XTuner measures 38.5 GB against 8.3 GB chunked for 32,768 tokens × 151,936 entries.

## Limits
Silent when the run fits, without a GPU, and when the model's dimensions are only guessed.
)",
    .check = check,
};

}  // namespace oomlint
