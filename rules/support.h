#pragma once

#include "lint/engine/context.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint::rules {

// What several rules share: when to speak, and how numbers and places are put into words.

/// The run was estimated and its verdict is over or tight: memory advice is worth giving.
[[nodiscard]] bool short_of_memory(const Context& context);
/// The file is more than a fragment: claims about what it says, and does not say, are allowed.
[[nodiscard]] bool is_whole(const Context& context);

/// "`gradient_checkpointing`"
[[nodiscard]] std::string quoted(std::string_view word);
/// 0.1 → "10 %"
[[nodiscard]] std::string percent(double fraction);
/// "on one GPU" or "on each of 8 GPUs"
[[nodiscard]] std::string on_the_gpus(const Context& context);
/// "RTX 4090 has 24.0 GiB (21.6 GiB after 10 % headroom)"; needs a card.
[[nodiscard]] std::string card_in_words(const Context& context);
/// "`sequence_length` is 62 % of the doubt"; empty when nothing was unknown.
[[nodiscard]] std::string largest_doubt(const Evaluation& evaluation);
/// How the file itself spells a field that it sets ("per_device_train_batch_size"), else the field's own
/// name.
[[nodiscard]] std::string key_of(const Context& context, Field field);

/// `a.b.c` → `c`.
[[nodiscard]] std::string_view last_part(std::string_view path);
/// The last part of `path` in the quotes, if any, that the key it replaces is written in.
[[nodiscard]] std::string respelled_key(std::string_view old, std::string_view path);

/// The place of the first of the fields that has one, else the costliest place of the run.
[[nodiscard]] Location place_of(const Context& context, std::initializer_list<Field> fields);
/// The other keys that make the sum, each with its bytes, largest first.
[[nodiscard]] std::vector<Label> contributions(const Context& context, const Location& primary);

/// The fields of the peak that a set of term kinds takes, as a share of the allocated bytes.
[[nodiscard]] double share_of_peak(const Evaluation& evaluation, std::initializer_list<TermKind> kinds);

/// Completes a finding about the peak: byte table, contributions, remedies and, without any, what it would
/// take.
void explain_peak(Context& context, Diagnostic& diagnostic);

/// True for a card asked for by name: a bare size ("24GB") says nothing about what the chip can do.
[[nodiscard]] bool card_is_named(const Context& context);

}  // namespace oomlint::rules
