#pragma once

#include "lint/engine/context.h"
#include "lint/engine/loaded_run.h"
#include "lint/engine/rule.h"

#include <map>
#include <string>
#include <vector>

namespace oomlint {

/// The Context over a loaded run. Evaluations, remedies, key views and constraint hits are made at the first
/// question.
class RunContext final : public Context {
 public:
  RunContext(const RunReport& report, const LoadedRun& loaded, const Settings& settings, const Parts& parts,
             std::vector<Diagnostic>& out);

  /// The rule about to be checked, and the level that the user wants its findings at, if they said.
  void enter(const Rule& rule, std::optional<Severity> chosen);

  [[nodiscard]] const RunReport& run() const override { return report_; }
  [[nodiscard]] Evaluation evaluate(std::span<const PlanEdit> edits) override;
  [[nodiscard]] const std::vector<Remedy>& remedies() override;
  [[nodiscard]] Fix to_fix(const Remedy& remedy) override;
  [[nodiscard]] std::optional<std::vector<TextEdit>> spell(std::span<const PlanEdit> edits) override;
  [[nodiscard]] const std::vector<KeyView>& keys() override;
  [[nodiscard]] const Dialect& dialect_of(FileIndex file) const override {
    return *loaded_.files[file].dialect;
  }
  [[nodiscard]] const Document& document_of(FileIndex file) const override {
    return *loaded_.files[file].document;
  }
  [[nodiscard]] const std::vector<RunConstraint>& constraints() override;
  [[nodiscard]] bool partial(FileIndex file) const override {
    return loaded_.files[file].document->partial();
  }
  [[nodiscard]] std::optional<Location> place(Field field) const override;
  [[nodiscard]] Location place(const Origin& origin) const override;
  [[nodiscard]] Location place(const KeyView& key, bool of_value) const override;
  [[nodiscard]] Location costliest_place() const override;
  [[nodiscard]] ByteTable byte_table() override;
  void report(Diagnostic diagnostic) override;

 private:
  [[nodiscard]] ReadContext read_context(FileIndex file) const;
  [[nodiscard]] const Evaluation& explained();
  [[nodiscard]] std::optional<std::vector<TextEdit>> spell_unchecked(std::span<const PlanEdit> edits) const;
  /// Whether some file of the run has a word for every field: what the framework has no word for it can't do.
  [[nodiscard]] bool has_words_for(std::span<const PlanEdit> edits) const;
  [[nodiscard]] bool holds(Remedy& remedy);
  void collect_keys(FileIndex file, NodeId parent, const std::string& prefix, int depth);

  const RunReport& report_;
  const LoadedRun& loaded_;
  const Parts& parts_;
  std::vector<Diagnostic>& out_;
  const Rule* rule_ = nullptr;
  std::optional<Severity> chosen_;
  std::optional<std::vector<Remedy>> remedies_;
  std::optional<std::vector<KeyView>> keys_;
  std::optional<std::vector<RunConstraint>> constraints_;
  std::optional<Evaluation> explained_;
};

}  // namespace oomlint
