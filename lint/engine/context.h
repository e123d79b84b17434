#pragma once

#include "lint/dialect/dialect.h"
#include "lint/engine/report.h"
#include "lint/engine/settings.h"
#include "lint/estimate/evaluate.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

/// One key of one file of the run, as rules see it.
struct KeyView {
  FileIndex file = 0;
  std::string path;
  std::string_view text;  ///< scalar text, empty for containers
  NodeId node = no_node;
  bool is_container = false;
  bool duplicate = false;  ///< a later entry of the same mapping has the same key: this one is not read
};

/// A way to lower the peak: edits, what they bring, what they cost.
struct Remedy {
  std::vector<PlanEdit> edits;
  std::string title;
  std::string cost;       ///< "about a third more compute"
  double slowdown = 1.0;  ///< rough factor on the step time
  bool changes_numerics = false;
  Evaluation after;
};

/// A constraint of the framework that this run hits, with the file it was found in.
struct RunConstraint {
  FileIndex file = 0;
  ConstraintFinding finding;
};

/// What a rule may see and do. Everything is about one run.
class Context {
 public:
  virtual ~Context() = default;

  [[nodiscard]] virtual const RunReport& run() const = 0;
  [[nodiscard]] const TrainingPlan& plan() const { return run().plan; }
  [[nodiscard]] const Evaluation& evaluation() const { return run().evaluation; }
  [[nodiscard]] const Settings& settings() const { return *settings_; }

  /// The plan with edits applied, judged again.
  [[nodiscard]] virtual Evaluation evaluate(std::span<const PlanEdit> edits) = 0;
  /// Remedies that bring the run into the headroom, cheapest first; searched at the first call.
  [[nodiscard]] virtual const std::vector<Remedy>& remedies() = 0;
  [[nodiscard]] virtual Fix to_fix(const Remedy& remedy) = 0;
  /// The edits in the words of the files; nothing where a field has no key.
  [[nodiscard]] virtual std::optional<std::vector<TextEdit>> spell(std::span<const PlanEdit> edits) = 0;

  /// All keys of all files of the run, in source order.
  [[nodiscard]] virtual const std::vector<KeyView>& keys() = 0;
  [[nodiscard]] virtual const Dialect& dialect_of(FileIndex file) const = 0;
  [[nodiscard]] virtual const Document& document_of(FileIndex file) const = 0;
  [[nodiscard]] virtual const std::vector<RunConstraint>& constraints() = 0;
  [[nodiscard]] virtual bool partial(FileIndex file) const = 0;

  /// The place that made a field what it is: its key and value; nothing when no file says anything.
  [[nodiscard]] virtual std::optional<Location> place(Field field) const = 0;
  [[nodiscard]] virtual Location place(const Origin& origin) const = 0;
  [[nodiscard]] virtual Location place(const KeyView& key, bool of_value) const = 0;
  /// The place to blame for the peak: the costliest key of the run, else the first of the file.
  [[nodiscard]] virtual Location costliest_place() const = 0;
  [[nodiscard]] virtual ByteTable byte_table() = 0;

  /// Reports a finding of the rule being checked; code, name and severity are filled in: the level the user
  /// chose for the rule, else the rule's own unless the diagnostic asks for a lower one. What rests on a
  /// guess is never an error.
  virtual void report(Diagnostic diagnostic) = 0;

 protected:
  const Settings* settings_ = nullptr;
};

}  // namespace oomlint
