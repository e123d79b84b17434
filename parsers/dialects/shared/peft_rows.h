#pragma once

#include "lint/dialect/dialect.h"

#include <array>
#include <string_view>

namespace oomlint {

/// Where peft's own config stands in a document, key by key.
struct PeftPaths {
  std::string_view type, rank, alpha, dropout, targets, saved, dora, virtual_tokens, adapter_length;
};

[[nodiscard]] std::optional<Scalar> read_peft_kind(const ReadContext& context, NodeId node);

/// peft's config as rows of a table (adapter_config.json; src/peft/tuners/*/config.py, 0.19).
[[nodiscard]] constexpr std::array<KeySpec, 8> peft_rows(const PeftPaths& at) {
  return {{
      {.path = at.type,
       .field = Field::adapter_kind,
       .convert = Convert::custom,
       .read = read_peft_kind,
       .spell = false},
      {.path = at.rank, .field = Field::lora_rank},
      {.path = at.alpha, .field = Field::lora_alpha},
      {.path = at.dropout, .field = Field::lora_dropout},
      {.path = at.targets, .field = Field::lora_targets},
      {.path = at.saved, .field = Field::modules_to_save},
      {.path = at.virtual_tokens, .field = Field::virtual_tokens},
      {.path = at.adapter_length, .field = Field::virtual_tokens, .spell = false},
  }};
}

/// The method that a peft config stands for, and ranks that stand under other names.
void derive_peft(const ReadContext& context, Layer& layer, const PeftPaths& at, std::string_view prefix);

}  // namespace oomlint
