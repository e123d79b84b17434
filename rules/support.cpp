#include "rules/support.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace oomlint::rules {

namespace {

constexpr std::size_t most_labels = 5;

}  // namespace

bool short_of_memory(const Context& context) {
  const Verdict verdict = context.evaluation().verdict;
  return context.evaluation().estimated && (verdict == Verdict::over || verdict == Verdict::tight);
}

bool is_whole(const Context& context) {
  return !context.run().fragment || context.dialect_of(0).companion_only;
}

std::string quoted(std::string_view word) {
  return "`" + std::string(word) + "`";
}

std::string percent(double fraction) {
  return std::to_string(std::lround(fraction * 100)) + " %";
}

std::string on_the_gpus(const Context& context) {
  const auto& missing = context.evaluation().missing;
  if (std::find(missing.begin(), missing.end(), Field::world) != missing.end())
    return "on each GPU, however many share it";
  const std::int64_t world = context.plan().count(Field::world).value_or(1);
  return world > 1 ? "on each of " + std::to_string(world) + " GPUs" : "on one GPU";
}

std::string card_in_words(const Context& context) {
  const Card& card = *context.run().card;
  const Ratio headroom = context.settings().headroom.required;
  const Bytes usable = context.evaluation().usable;
  const Bytes limit = usable - usable * headroom;
  std::string words = card.name + " has " + to_string(card.capacity);
  if (usable < card.capacity)
    words += ", " + to_string(card.capacity - usable) + " of it held by other processes";
  const double fraction = static_cast<double>(headroom.numerator) / static_cast<double>(headroom.denominator);
  return words + " (" + to_string(limit) + " after " + percent(fraction) + " headroom)";
}

std::string largest_doubt(const Evaluation& evaluation) {
  if (evaluation.unknowns.empty() || evaluation.unknowns.front().share <= 0) return {};
  const Unknown& first = evaluation.unknowns.front();
  return quoted(first.name) + " is " + percent(first.share) + " of the doubt";
}

std::string key_of(const Context& context, Field field) {
  const auto at = context.place(field);
  return at && !at->key.empty() ? at->key : std::string(name_of(field));
}

std::string_view last_part(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? path : path.substr(dot + 1);
}

std::string respelled_key(std::string_view old, std::string_view path) {
  const bool in_quotes = old.size() >= 2 && (old.front() == '"' || old.front() == '\'');
  const std::string quote = in_quotes ? std::string(1, old.front()) : std::string();
  return quote + std::string(last_part(path)) + quote;
}

Location place_of(const Context& context, std::initializer_list<Field> fields) {
  for (const Field field : fields) {
    if (auto at = context.place(field)) return *std::move(at);
  }
  return context.costliest_place();
}

std::vector<Label> contributions(const Context& context, const Location& primary) {
  const Evaluation& evaluation = context.evaluation();
  if (evaluation.likely.phases.empty()) return {};
  struct Part {
    Location at;
    Bytes bytes;
    std::string names;
  };
  std::vector<Part> parts;
  std::vector<const Term*> terms;
  for (const Term& term : evaluation.likely.peak().terms) terms.push_back(&term);
  std::stable_sort(terms.begin(), terms.end(),
                   [](const Term* a, const Term* b) { return a->bytes > b->bytes; });
  for (const Term* term : terms) {
    for (const Field field : term->inputs) {
      const auto at = context.place(field);
      if (!at) continue;
      const auto known =
          std::find_if(parts.begin(), parts.end(), [&](const Part& part) { return part.at == *at; });
      if (known == parts.end()) {
        parts.push_back({*at, term->bytes, to_string(term->kind)});
      } else {
        known->bytes += term->bytes;
        known->names += std::string(", ") + to_string(term->kind);
      }
      break;  // a term counts once, at the first of its inputs that the files name
    }
  }
  std::vector<Label> labels;
  for (Part& part : parts) {
    if (part.at == primary || part.bytes.count() == 0) continue;
    if (labels.size() == most_labels) break;
    labels.push_back({std::move(part.at), part.names + ": " + to_string(part.bytes)});
  }
  return labels;
}

double share_of_peak(const Evaluation& evaluation, std::initializer_list<TermKind> kinds) {
  if (evaluation.likely.phases.empty()) return 0;
  Bytes all, chosen;
  for (const Term& term : evaluation.likely.peak().terms) {
    all += term.bytes;
    if (std::find(kinds.begin(), kinds.end(), term.kind) != kinds.end()) chosen += term.bytes;
  }
  return all.count() == 0 ? 0 : static_cast<double>(chosen.count()) / static_cast<double>(all.count());
}

void explain_peak(Context& context, Diagnostic& diagnostic) {
  const Evaluation& evaluation = context.evaluation();
  diagnostic.table = context.byte_table();
  diagnostic.related = contributions(context, diagnostic.primary);
  if (evaluation.need.low < evaluation.need.high) {
    std::string note =
        "between " + to_string(evaluation.need.low) + " and " + to_string(evaluation.need.high);
    if (const std::string doubt = largest_doubt(evaluation); !doubt.empty()) note += "; " + doubt;
    diagnostic.notes.push_back(std::move(note));
  }
  if (!evaluation.evidence.empty()) diagnostic.notes.push_back("evidence: " + evaluation.evidence);
  for (const Remedy& remedy : context.remedies()) diagnostic.fixes.push_back(context.to_fix(remedy));
  if (diagnostic.fixes.empty() && !evaluation.missing.empty()) {
    std::string names;
    for (const Field field : evaluation.missing)
      names += (names.empty() ? "" : " and ") + quoted(name_of(field));
    diagnostic.help = "this is the least it takes: nothing says " + names + ", so no remedy can be computed";
  } else if (diagnostic.fixes.empty()) {
    const Ratio headroom = context.settings().headroom.required;
    const Ratio enough{headroom.denominator,
                       std::max<std::uint64_t>(1, headroom.denominator - headroom.numerator)};
    diagnostic.help = "no setting of this run that was tried brings it under; it takes a GPU with " +
                      to_string(evaluation.need.likely * enough) +
                      ", more GPUs to divide the states, or a smaller model";
  }
}

bool card_is_named(const Context& context) {
  const auto name = context.plan().text(Field::gpu);
  if (!context.run().card || !name) return false;
  const std::size_t unit = name->find_first_not_of("0123456789. ");
  if (unit == std::string_view::npos || unit == 0) return true;  // "4090", "A100"
  std::string word(name->substr(unit));
  std::transform(word.begin(), word.end(), word.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return word != "gb" && word != "gib";
}

}  // namespace oomlint::rules
