#include "lint/plan/training_plan.h"

#include <utility>

namespace oomlint {

const char* to_string(OriginKind kind) {
  switch (kind) {
    case OriginKind::unknown:
      return "unknown";
    case OriginKind::given:
      return "given";
    case OriginKind::framework_default:
      return "default";
    case OriginKind::derived:
      return "derived";
    case OriginKind::inferred:
      return "inferred";
    case OriginKind::policy:
      return "policy";
    case OriginKind::assumed:
      return "assumed";
  }
  return "unknown";
}

const char* to_string(Difference difference) {
  switch (difference) {
    case Difference::none:
      return "none";
    case Difference::overridden:
      return "overridden";
    case Difference::conflict:
      return "conflict";
    case Difference::clamped:
      return "clamped";
    case Difference::ignored:
      return "ignored";
    case Difference::refused:
      return "refused";
  }
  return "none";
}

std::optional<std::int64_t> TrainingPlan::count(Field field) const {
  const auto* value = std::get_if<std::int64_t>(&(*this)[field].effective);
  return value != nullptr ? std::optional(*value) : std::nullopt;
}

std::optional<double> TrainingPlan::number(Field field) const {
  const Scalar& value = (*this)[field].effective;
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::nullopt;
}

std::optional<bool> TrainingPlan::flag(Field field) const {
  const auto* value = std::get_if<bool>(&(*this)[field].effective);
  return value != nullptr ? std::optional(*value) : std::nullopt;
}

std::optional<std::string_view> TrainingPlan::text(Field field) const {
  const auto* value = std::get_if<std::string>(&(*this)[field].effective);
  return value != nullptr ? std::optional<std::string_view>(*value) : std::nullopt;
}

const std::vector<std::string>* TrainingPlan::list(Field field) const {
  return std::get_if<std::vector<std::string>>(&(*this)[field].effective);
}

void TrainingPlan::set(Field field, Scalar value, Origin origin) {
  Value& slot = (*this)[field];
  slot = Value{value, std::move(value), origin, std::move(origin), Difference::none, {}};
}

void TrainingPlan::settle(Field field, Scalar effective, Origin origin, Difference difference,
                          std::string because) {
  Value& slot = (*this)[field];
  slot.effective = std::move(effective);
  slot.effective_origin = std::move(origin);
  slot.difference = difference;
  slot.because = std::move(because);
}

void TrainingPlan::fill(Field field, Scalar value, Origin origin) {
  Value& slot = (*this)[field];
  if (slot.known()) return;
  slot.effective = std::move(value);
  slot.effective_origin = std::move(origin);
}

}  // namespace oomlint
