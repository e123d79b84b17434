#pragma once

#include "lint/engine/context.h"
#include "lint/engine/report.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace oomlint {

/// The run with edits applied, judged again.
using EvaluateEdits = std::function<Evaluation(std::span<const PlanEdit>)>;
/// The edits in the words of the files, or nothing.
using SpellEdits = std::function<std::optional<std::vector<TextEdit>>(std::span<const PlanEdit>)>;

/// Whether a remedy that fits by the plan is one in the files, too; may correct its figures.
using AcceptRemedy = std::function<bool(Remedy&)>;

/// How many evaluations one search may spend, and how many remedies it offers at most.
inline constexpr int max_remedy_evaluations = 60;
inline constexpr std::size_t max_remedies = 5;

/// Edits that bring a run into the headroom, cheapest first. Candidates are those that act on what dominates
/// the peak (remedy_moves.h); single moves are tried before pairs, pairs before a recipe of more. Every
/// remedy was evaluated and fits; a combination is offered only when none of its parts is enough. Empty when
/// the run fits, when no card is known, or when nothing helps. With `spell`, of two equally cheap remedies
/// the one with keys in the files comes first; with `accept`, only what it accepts is offered.
[[nodiscard]] std::vector<Remedy> search_remedies(const RunReport& run, const EvaluateEdits& evaluate,
                                                  const SpellEdits& spell = {},
                                                  const AcceptRemedy& accept = {});

/// Index of the last of `count` ascending sizes that `fits` accepts, by bisection; nothing when the first
/// does not. Needs `fits` to be monotone: true, then false.
[[nodiscard]] std::optional<std::size_t> last_that_fits(std::size_t count,
                                                        const std::function<bool(std::size_t)>& fits);

}  // namespace oomlint
