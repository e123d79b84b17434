#include "lint/estimate/scenarios.h"

#include <algorithm>

namespace oomlint {

namespace {

Scalar from_prior(const FieldInfo& row, std::optional<double> value) {
  if (!value) return {};
  if (row.type == FieldType::count) return static_cast<std::int64_t>(*value);
  return *value;
}

}  // namespace

std::vector<OpenQuestion> open_questions(const TrainingPlan& plan, const ResolvedModel& /*model*/) {
  std::vector<OpenQuestion> open;
  if (plan.text(Field::stack) == "textbook") return open;
  for (const FieldInfo& row : all_fields()) {
    if (!row.prior.likely || plan[row.field].known()) continue;
    open.push_back({std::string(row.name), row.field, from_prior(row, row.prior.low),
                    from_prior(row, row.prior.likely), from_prior(row, row.prior.high)});
  }
  // A place that decides about checkpointing without telling what.
  const Value& checkpointing = plan[Field::checkpointing];
  if (!checkpointing.known() && checkpointing.effective_origin.kind != OriginKind::unknown) {
    open.push_back({"checkpointing", Field::checkpointing, std::string("full"), std::string("none"),
                    std::string("none")});
  }
  // Only a cap is known: the longest example may stay well below it. Lengths that are packed or padded to the
  // cap, and lengths the user states, are what they are.
  const auto cap = plan.count(Field::sequence_length);
  const bool constant = plan.flag(Field::packing).value_or(false) ||
                        plan.flag(Field::pad_to_length).value_or(false) ||
                        plan[Field::longest_example].known() ||
                        plan[Field::sequence_length].effective_origin.kind == OriginKind::assumed ||
                        plan.word<Task>(Field::task) == Task::pretrain;
  if (cap && *cap > 0 && !constant) {
    // The share is the low end of the cap-only rows of the published runs (profile of the Hugging Face
    // family, section 4).
    const std::int64_t low = std::max<std::int64_t>(1, *cap * 15 / 100);
    open.push_back({"longest_example", Field::longest_example, low, *cap, *cap});
  }
  for (const auto& [package, range] : plan.versions.all()) {
    if (range.exact()) continue;
    open.push_back({"version of " + package, std::nullopt, to_string(range.low), to_string(range.high),
                    to_string(range.high), package});
  }
  return open;
}

void answer(Scenario& scenario, const OpenQuestion& question, End end) {
  const Scalar& value = end == End::low ? question.low : end == End::high ? question.high : question.likely;
  if (!question.package.empty()) {
    scenario.versions.emplace_back(question.package, end);
  } else if (question.field && is_known(value)) {
    scenario.assumed.emplace_back(*question.field, value);
  }
}

}  // namespace oomlint
