#pragma once

#include "lint/engine/rule.h"
#include "tests/support/dialects.h"

#include <functional>
#include <string>
#include <vector>

namespace oomlint::test {

/// A run for rules to look at, with everything set by hand: files read by dialects made up for the test, a
/// plan and an evaluation. What a rule reports is in `found`.
class FakeContext final : public Context {
 public:
  struct File {
    const Dialect* dialect;
    Document document;
  };

  FakeContext() { settings_ = &settings; }

  RunReport report_;
  Settings settings;
  std::vector<File> files;
  std::vector<RunConstraint> constraints_;
  std::vector<Remedy> remedies_;
  std::function<Evaluation(std::span<const PlanEdit>)> judge;
  std::vector<Diagnostic> found;

  void add(const Dialect& dialect, std::string_view name, std::string_view text) {
    files.push_back({&dialect, test::document(name, text)});
    const auto file = static_cast<FileIndex>(files.size() - 1);
    stack(report_.plan,
          read({dialect, files[file].document, report_.plan.versions, file, files[file].document.root()}));
    collect(file, files[file].document.root());
  }
  /// A value no file gives.
  void given(Field field, Scalar value) {
    report_.plan.set(field, std::move(value), {OriginKind::given, no_file, {}, {}, {}});
  }
  std::vector<Diagnostic> run_rule(const Rule& rule) {
    found.clear();
    severity_ = rule.severity;
    rule.check(*this);
    return found;
  }

  [[nodiscard]] const RunReport& run() const override { return report_; }
  [[nodiscard]] Evaluation evaluate(std::span<const PlanEdit> edits) override { return judge(edits); }
  [[nodiscard]] const std::vector<Remedy>& remedies() override { return remedies_; }
  [[nodiscard]] Fix to_fix(const Remedy& remedy) override {
    return {remedy.title, Applicability::display, {}, remedy.cost, remedy.after.device.likely.count()};
  }
  [[nodiscard]] std::optional<std::vector<TextEdit>> spell(std::span<const PlanEdit>) override {
    return std::nullopt;
  }
  [[nodiscard]] const std::vector<KeyView>& keys() override { return keys_; }
  [[nodiscard]] const Dialect& dialect_of(FileIndex file) const override { return *files[file].dialect; }
  [[nodiscard]] const Document& document_of(FileIndex file) const override { return files[file].document; }
  [[nodiscard]] const std::vector<RunConstraint>& constraints() override { return constraints_; }
  [[nodiscard]] bool partial(FileIndex file) const override { return files[file].document.partial(); }
  [[nodiscard]] std::optional<Location> place(Field field) const override {
    const Value& value = report_.plan[field];
    if (value.effective_origin.file == no_file) return std::nullopt;
    return place(value.effective_origin);
  }
  [[nodiscard]] Location place(const Origin& origin) const override {
    const std::size_t file = origin.file == no_file ? 0 : origin.file;
    return {files[file].document.source().path(), origin.span, origin.key};
  }
  [[nodiscard]] Location place(const KeyView& key, bool of_value) const override {
    const Document& document = files[key.file].document;
    return {document.source().path(), of_value ? document.value_span(key.node) : document.key_span(key.node),
            key.path};
  }
  [[nodiscard]] Location costliest_place() const override { return {"config.yml", {0, 0}, {}}; }
  [[nodiscard]] ByteTable byte_table() override { return {"layer backward", {}, 0, 0, {}}; }
  void report(Diagnostic diagnostic) override {
    diagnostic.severity = std::min(severity_, diagnostic.severity);
    found.push_back(std::move(diagnostic));
  }

 private:
  void collect(FileIndex file, NodeId parent) {
    const Document& document = files[file].document;
    if (parent == no_node) return;
    for (NodeId id = document.at(parent).first_child; id != no_node; id = document.at(id).next) {
      const Node& node = document.at(id);
      const bool container = node.kind == NodeKind::mapping || node.kind == NodeKind::sequence;
      const std::string path = document.path_of(id);
      bool duplicate = false;
      for (NodeId later = node.next; later != no_node; later = document.at(later).next) {
        duplicate = duplicate || document.at(later).key == node.key;
      }
      if (node.has_key) keys_.push_back({file, path, node.text, id, container, duplicate});
      if (container) collect(file, id);
    }
  }

  Severity severity_ = Severity::error;
  std::vector<KeyView> keys_;
};

}  // namespace oomlint::test
