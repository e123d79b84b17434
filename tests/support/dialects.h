#pragma once

#include "lint/dialect/dialect.h"
#include "parsers/readers.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint::test {

/// The text as a document of the syntax its name says.
inline Document document(std::string_view name, std::string_view text) {
  return reader_for(name)->read(std::make_shared<SourceFile>(std::string(name), std::string(text)));
}

inline std::string apply(std::string text, std::vector<TextEdit> edits) {
  std::stable_sort(edits.begin(), edits.end(),
                   [](const TextEdit& a, const TextEdit& b) { return a.span.begin < b.span.begin; });
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) {
    text.replace(edit->span.begin, edit->span.size(), edit->text);
  }
  return text;
}

/// A text read by one dialect.
class Reading {
 public:
  Reading(const Dialect& dialect, std::string_view name, std::string_view text, Versions versions = {})
      : text_(text),
        document_(test::document(name, text)),
        versions_(std::move(versions)),
        dialect_(&dialect) {}

  [[nodiscard]] ReadContext context() const { return {*dialect_, document_, versions_, 0, document_.root()}; }
  [[nodiscard]] const Document& document() const { return document_; }

  /// The plan of this text alone, without defaults.
  [[nodiscard]] TrainingPlan plan() const {
    TrainingPlan plan;
    plan.versions = versions_;
    stack(plan, read(context()));
    return plan;
  }
  [[nodiscard]] TrainingPlan plan_with_defaults() const {
    TrainingPlan with = plan();
    fill_defaults(*dialect_, with);
    return with;
  }
  /// A field's effective value as people write it.
  [[nodiscard]] std::string operator[](Field field) const { return to_string(plan()[field].effective); }

  /// The text after an edit; "nothing" when the dialect can't spell it.
  [[nodiscard]] std::string spelled(Field field, const Scalar& value) const {
    const auto edits = spell(context(), {field, value});
    return edits ? apply(text_, *edits) : "nothing";
  }

  /// Ids of the constraints the text runs into.
  [[nodiscard]] std::vector<std::string> hits() const {
    std::vector<std::string> ids;
    for (const ConstraintFinding& finding : check_constraints(context())) {
      ids.emplace_back(finding.constraint->id);
    }
    return ids;
  }

 private:
  std::string text_;
  Document document_;
  Versions versions_;
  const Dialect* dialect_;
};

}  // namespace oomlint::test
