#include "lint/engine/remedies.h"

#include "lint/engine/remedy_moves.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace oomlint {

namespace {

/// Below this price a single move is good enough not to look for combinations.
constexpr double gentle = 0.8;
/// Evaluations that pairs leave for a recipe of more moves.
constexpr int kept_for_recipes = 24;

using Combination = std::vector<const Move*>;

double price_of(const Combination& moves) {
  double slowdown = 1.0;
  double rest = 0;
  for (const Move* move : moves) {
    slowdown *= move->slowdown;
    rest += move->price() - (move->slowdown - 1.0);
  }
  return slowdown - 1.0 + rest;
}

struct Found {
  Remedy remedy;
  double price;
  bool written;  ///< in words of the files
};

class Search {
 public:
  Search(const RunReport& run, const EvaluateEdits& evaluate, const SpellEdits& spell,
         const AcceptRemedy& accept)
      : evaluate_(evaluate), spell_(spell), accept_(accept), moves_(possible_moves(run)) {
    const Dominant part = dominant_part(run.evaluation);
    for (const Move& move : moves_) {
      if (move.acts_on == part) {
        first_.push_back(&move);
      } else if (part != Dominant::state ||
                 move.knob != Knob::micro_batch) {  // accumulation is no remedy for states
        second_.push_back(&move);
      }
    }
  }

  std::vector<Found> run() {
    singles(first_);
    if (cheapest() < gentle) return std::move(found_);
    pairs(first_, first_);
    if (found_.empty()) {
      singles(second_);
      pairs(first_, second_);
    }
    // What can be written is worth more moves than two.
    if (!any_written()) recipe(Moves::writable);
    if (found_.empty()) recipe(Moves::all);
    return std::move(found_);
  }

 private:
  /// A move tried alone at its strongest: what the device would need, and whether that is enough.
  struct Tried {
    const Move* move;
    Bytes need;
    bool fits;
  };

  enum class Moves : std::uint8_t { writable, all };

  [[nodiscard]] bool any_written() const {
    return std::any_of(found_.begin(), found_.end(), [](const Found& each) { return each.written; });
  }
  [[nodiscard]] bool writable(const Move& move) const {
    return !spell_ || spell_(move.steps.front().edits).has_value();
  }

  [[nodiscard]] double cheapest() const {
    double best = 1e9;
    for (const Found& each : found_) best = std::min(best, each.price);
    return best;
  }

  [[nodiscard]] std::optional<Evaluation> judge(const std::vector<PlanEdit>& edits) {
    if (spent_ >= max_remedy_evaluations) return std::nullopt;
    ++spent_;
    return evaluate_(edits);
  }

  static std::vector<PlanEdit> edits_of(const Combination& moves, std::size_t last_step) {
    std::vector<PlanEdit> edits;
    for (const Move* move : moves) {
      const MoveStep& step = move == moves.back() ? move->steps[last_step] : move->steps.front();
      edits.insert(edits.end(), step.edits.begin(), step.edits.end());
    }
    return edits;
  }

  /// Tries the moves together, each at its strongest, the last at the mildest step that still fits.
  std::optional<Evaluation> attempt(Combination moves) {
    std::stable_sort(moves.begin(), moves.end(),
                     [](const Move* a, const Move* b) { return a->steps.size() < b->steps.size(); });
    std::optional<Evaluation> strongest = judge(edits_of(moves, 0));
    if (!strongest || strongest->verdict != Verdict::fits) return strongest;
    Evaluation best = *strongest;
    const auto milder = last_that_fits(moves.back()->steps.size() - 1, [&](std::size_t index) {
      auto after = judge(edits_of(moves, index + 1));
      if (!after || after->verdict != Verdict::fits) return false;
      best = std::move(*after);
      return true;
    });
    const std::size_t best_step = milder ? *milder + 1 : 0;
    keep(moves, best_step, std::move(best));
    return strongest;
  }

  void keep(const Combination& moves, std::size_t last_step, Evaluation after) {
    Remedy remedy;
    remedy.edits = edits_of(moves, last_step);
    for (const Move* move : moves) {
      const MoveStep& step = move == moves.back() ? move->steps[last_step] : move->steps.front();
      remedy.title += (remedy.title.empty() ? "" : " + ") + step.title;
      remedy.cost += (remedy.cost.empty() ? "" : "; ") + move->cost;
      remedy.slowdown *= move->slowdown;
      remedy.changes_numerics = remedy.changes_numerics || move->changes_numerics;
    }
    remedy.after = std::move(after);
    if (accept_ && !accept_(remedy)) return;
    const bool written = !spell_ || spell_(remedy.edits).has_value();
    found_.push_back({std::move(remedy), price_of(moves), written});
  }

  void singles(const Combination& group) {
    for (const Move* move : group) {
      const auto after = attempt({move});
      if (after) tried_.push_back({move, after->need.likely, after->verdict == Verdict::fits});
    }
  }

  /// Whether the move was tried alone and did not suffice: only such moves belong in a combination.
  [[nodiscard]] bool falls_short(const Move* move) const {
    return std::any_of(tried_.begin(), tried_.end(),
                       [&](const Tried& each) { return each.move == move && !each.fits; });
  }

  void pairs(const Combination& left, const Combination& right) {
    std::vector<Combination> candidates;
    for (const Move* a : left) {
      for (const Move* b : right) {
        const bool seen = left == right && a >= b;  // pointers into one vector
        if (seen || a->knob == b->knob || !falls_short(a) || !falls_short(b)) continue;
        candidates.push_back({a, b});
      }
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Combination& a, const Combination& b) { return price_of(a) < price_of(b); });
    for (const Combination& pair : candidates) {
      if (found_.size() >= max_remedies || price_of(pair) >= cheapest() + gentle) return;
      if (found_.empty() && spent_ + kept_for_recipes >= max_remedy_evaluations) return;
      attempt(pair);
    }
  }

  /// When no pair is enough: the strongest moves together, then without those that turn out not to be needed.
  void recipe(Moves from) {
    std::stable_sort(tried_.begin(), tried_.end(),
                     [](const Tried& a, const Tried& b) { return a.need < b.need; });
    Combination moves;
    for (const Tried& next : tried_) {
      const bool turned = std::any_of(moves.begin(), moves.end(),
                                      [&](const Move* move) { return move->knob == next.move->knob; });
      if (turned || (from == Moves::writable && !writable(*next.move))) continue;
      moves.push_back(next.move);
      if (moves.size() < 3) continue;
      const auto after = judge(edits_of(moves, 0));
      if (!after) return;
      if (after->verdict == Verdict::fits) break;
    }
    if (moves.size() < 3) return;
    for (std::size_t i = 0; i < moves.size() && moves.size() > 3;) {
      Combination fewer = moves;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      const auto after = judge(edits_of(fewer, 0));
      if (after && after->verdict == Verdict::fits) {
        moves = std::move(fewer);
      } else {
        ++i;
      }
    }
    attempt(std::move(moves));
  }

  const EvaluateEdits& evaluate_;
  const SpellEdits& spell_;
  const AcceptRemedy& accept_;
  std::vector<Move> moves_;
  Combination first_, second_;
  std::vector<Tried> tried_;
  std::vector<Found> found_;
  int spent_ = 0;
};

}  // namespace

std::optional<std::size_t> last_that_fits(std::size_t count, const std::function<bool(std::size_t)>& fits) {
  std::optional<std::size_t> best;
  std::size_t low = 0;
  std::size_t high = count;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (fits(middle)) {
      best = middle;
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return best;
}

std::vector<Remedy> search_remedies(const RunReport& run, const EvaluateEdits& evaluate,
                                    const SpellEdits& spell, const AcceptRemedy& accept) {
  const Verdict verdict = run.evaluation.verdict;
  if (!run.evaluation.estimated || (verdict != Verdict::over && verdict != Verdict::tight)) return {};
  std::vector<Found> found = Search(run, evaluate, spell, accept).run();
  std::stable_partition(found.begin(), found.end(), [](const Found& each) { return each.written; });
  std::stable_sort(found.begin(), found.end(),
                   [](const Found& a, const Found& b) { return a.price < b.price; });
  if (found.size() > max_remedies) found.erase(found.begin() + max_remedies, found.end());
  std::vector<Remedy> remedies;
  remedies.reserve(found.size());
  for (Found& each : found) remedies.push_back(std::move(each.remedy));
  return remedies;
}

}  // namespace oomlint
