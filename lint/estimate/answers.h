#pragma once

#include "lint/estimate/scenario.h"
#include "lint/plan/model_shape.h"
#include "lint/plan/training_plan.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

/// A plan read through a scenario: what the scenario assumes first, then what the plan says.
class Answers {
 public:
  Answers(const TrainingPlan& plan, const ResolvedModel& model, const Scenario& scenario)
      : plan_(plan), model_(model), scenario_(scenario) {}

  [[nodiscard]] const Scalar& operator[](Field field) const {
    for (const auto& [assumed, value] : scenario_.assumed) {
      if (assumed == field) return value;
    }
    return plan_[field].effective;
  }
  [[nodiscard]] bool known(Field field) const { return is_known((*this)[field]); }
  [[nodiscard]] std::optional<std::uint64_t> count(Field field) const {
    const Scalar& value = (*this)[field];
    if (const auto* whole = std::get_if<std::int64_t>(&value); whole != nullptr && *whole >= 0)
      return static_cast<std::uint64_t>(*whole);
    return std::nullopt;
  }
  [[nodiscard]] std::optional<double> number(Field field) const {
    const Scalar& value = (*this)[field];
    if (const auto* real = std::get_if<double>(&value)) return *real;
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    return std::nullopt;
  }
  [[nodiscard]] std::optional<bool> flag(Field field) const {
    const bool* value = std::get_if<bool>(&(*this)[field]);
    return value == nullptr ? std::nullopt : std::optional(*value);
  }
  [[nodiscard]] std::string_view text(Field field) const {
    const auto* value = std::get_if<std::string>(&(*this)[field]);
    return value == nullptr ? std::string_view() : std::string_view(*value);
  }
  template <class Enum>
  [[nodiscard]] std::optional<Enum> word(Field field) const {
    return from_word<Enum>(text(field));
  }
  [[nodiscard]] std::vector<std::string> list(Field field) const {
    const Scalar& value = (*this)[field];
    if (const auto* items = std::get_if<std::vector<std::string>>(&value)) return *items;
    if (const auto* one = std::get_if<std::string>(&value)) return {*one};
    return {};
  }

  /// Whether nobody said, and the framework's default holds.
  [[nodiscard]] bool defaulted(Field field) const {
    return plan_[field].effective_origin.kind == OriginKind::framework_default;
  }

  /// What the published weights are stored in.
  [[nodiscard]] std::optional<Dtype> checkpoint_dtype() const {
    return from_word<Dtype>(model_.checkpoint_dtype);
  }
  [[nodiscard]] End runtime() const { return scenario_.runtime; }

  /// Whether the run is older than a change made on `day` ("2023-10-24") and released as `since`: by a stated
  /// version, else by the stated date, else by the newest version there is.
  [[nodiscard]] bool before(std::string_view day, std::string_view package, Version since) const {
    const VersionRange* range = plan_.versions.find(package);
    const bool pinned = range != nullptr && (range->origin.kind == OriginKind::policy ||
                                             range->origin.kind == OriginKind::derived);
    const std::string_view date = text(Field::framework_date);
    if (!pinned && !date.empty()) return date < day;
    return plan_.versions.newest(package) < since;
  }

  /// The value a stack takes by the version of a package, where `of` grows or falls with the bytes: at the
  /// likely end that of the newest admissible version, at the others the extreme of the two ends of the
  /// range.
  template <class Value, class Function>
  [[nodiscard]] Value by_version(std::string_view package, Function of) const {
    const Value newest = of(plan_.versions.newest(package));
    const VersionRange* range = plan_.versions.find(package);
    const End end = scenario_.version_of(package);
    if (range == nullptr || end == End::likely) return newest;
    const Value oldest = of(range->low);
    return end == End::low ? std::min(oldest, newest) : std::max(oldest, newest);
  }

 private:
  const TrainingPlan& plan_;
  const ResolvedModel& model_;
  const Scenario& scenario_;
};

}  // namespace oomlint
