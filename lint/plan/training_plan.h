#pragma once

#include "lint/plan/fields.h"
#include "lint/plan/value.h"
#include "lint/plan/versions.h"
#include "lint/plan/words.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

/// A training run in the field's own terms, whatever framework described it: one Value for every Field, plus
/// the versions it runs on. Plain data; layers (layer.h) are stacked into it.
class TrainingPlan {
 public:
  [[nodiscard]] const Value& operator[](Field field) const {
    return values_[static_cast<std::size_t>(field)];
  }
  [[nodiscard]] Value& operator[](Field field) { return values_[static_cast<std::size_t>(field)]; }

  // The effective value in the type the caller needs; nothing when unknown (or of another type, which is a
  // defect of the dialect that a test catches).
  [[nodiscard]] std::optional<std::int64_t> count(Field field) const;
  [[nodiscard]] std::optional<double> number(Field field) const;
  [[nodiscard]] std::optional<bool> flag(Field field) const;
  [[nodiscard]] std::optional<std::string_view> text(Field field) const;
  [[nodiscard]] const std::vector<std::string>* list(Field field) const;
  template <class Enum>
  [[nodiscard]] std::optional<Enum> word(Field field) const {
    const auto value = text(field);
    return value ? from_word<Enum>(*value) : std::nullopt;
  }

  /// Sets requested and effective together.
  void set(Field field, Scalar value, Origin origin);
  /// Sets the effective value only and records why it differs from what was asked for.
  void settle(Field field, Scalar effective, Origin origin, Difference difference, std::string because);
  /// Sets a value nobody gave: does nothing where the field is already known.
  void fill(Field field, Scalar value, Origin origin);

  Versions versions;
  std::string dialect;             ///< name of the dialect that described the run ("axolotl")
  std::vector<std::string> files;  ///< shown paths, indexed by Origin::file; the first is the main config

 private:
  std::array<Value, field_count> values_{};
};

/// A change to one field of a plan, the currency of remedies, fixes, `fit` and `diff`. Dialects spell it as
/// text edits.
struct PlanEdit {
  Field field;
  Scalar value;
  friend bool operator==(const PlanEdit&, const PlanEdit&) = default;
};

}  // namespace oomlint
