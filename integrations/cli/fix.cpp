#include "integrations/cli/fix.h"

#include "lint/text/edits.h"

#include <algorithm>
#include <set>

namespace oomlint {

namespace {

constexpr int max_rounds = 64;

const Fix* fix_of(const Diagnostic& diagnostic, Applicability applicability) {
  const auto found = std::find_if(diagnostic.fixes.begin(), diagnostic.fixes.end(), [&](const Fix& fix) {
    return !fix.edits.empty() && fix.applicability == applicability;
  });
  return found == diagnostic.fixes.end() ? nullptr : &*found;
}

/// Names a fix by what it does, so that one that does not make its finding go away is not tried for ever.
std::string identity(const Diagnostic& diagnostic, const Fix& fix) {
  std::string text = diagnostic.code + '\n' + fix.title;
  for (const TextEdit& edit : fix.edits) text += '\n' + edit.path + '\n' + edit.text;
  return text;
}

/// The fixes of one round. Every fix was computed for the files as they are, so those of a round may not
/// meet.
class Round {
 public:
  Round(const Report& report, std::set<std::string>& tried) : report_(report), tried_(tried) {}

  [[nodiscard]] const std::vector<TextEdit>& edits() const { return edits_; }
  [[nodiscard]] std::size_t fixes() const { return fixes_; }

  /// Safe fixes do not change the run, so all that do not touch each other go in at once.
  void take_safe() {
    for (const Diagnostic& diagnostic : report_.diagnostics) {
      const Fix* fix = fix_of(diagnostic, Applicability::safe);
      if (fix != nullptr && !overlap(fix->edits, edits_)) take(diagnostic, *fix);
    }
  }

  /// A fix that changes the run may answer its other findings, too: one a run, the gravest finding first.
  void take_unsafe() {
    std::vector<const Diagnostic*> gravest_first;
    gravest_first.reserve(report_.diagnostics.size());
    for (const Diagnostic& diagnostic : report_.diagnostics) gravest_first.push_back(&diagnostic);
    std::stable_sort(gravest_first.begin(), gravest_first.end(),
                     [](const Diagnostic* a, const Diagnostic* b) { return a->severity > b->severity; });
    std::set<std::string> changed;
    for (const Diagnostic* diagnostic : gravest_first) {
      const Fix* fix = fix_of(*diagnostic, Applicability::unsafe);
      if (fix == nullptr || touches(diagnostic->primary.path, *fix, changed)) continue;
      if (!take(*diagnostic, *fix)) continue;
      changed.insert(diagnostic->primary.path);
      for (const TextEdit& edit : fix->edits) changed.insert(edit.path);
      spread(changed);
    }
  }

 private:
  bool take(const Diagnostic& diagnostic, const Fix& fix) {
    if (!tried_.insert(identity(diagnostic, fix)).second) return false;
    edits_.insert(edits_.end(), fix.edits.begin(), fix.edits.end());
    ++fixes_;
    return true;
  }

  static bool touches(const std::string& path, const Fix& fix, const std::set<std::string>& changed) {
    return changed.contains(path) ||
           std::any_of(fix.edits.begin(), fix.edits.end(),
                       [&](const TextEdit& edit) { return changed.contains(edit.path); });
  }

  /// The other files of the runs that a changed file belongs to.
  void spread(std::set<std::string>& changed) const {
    for (const RunReport& run : report_.runs) {
      const bool concerned = std::any_of(run.files.begin(), run.files.end(),
                                         [&](const std::string& file) { return changed.contains(file); });
      if (concerned) changed.insert(run.files.begin(), run.files.end());
    }
  }

  const Report& report_;
  std::set<std::string>& tried_;
  std::vector<TextEdit> edits_;
  std::size_t fixes_ = 0;
};

}  // namespace

FixedFiles fix_all(Session& session, bool unsafe) {
  FixedFiles fixed;
  OverlayFiles files(session.workspace.files());
  std::set<std::string> tried;
  for (int count = 0; count < max_rounds; ++count) {
    fixed.report = session.lint(files, {});
    Round round(fixed.report, tried);
    round.take_safe();
    if (unsafe && round.edits().empty()) round.take_unsafe();
    if (round.edits().empty()) break;
    fixed.fixes += round.fixes();
    std::map<std::string, std::vector<TextEdit>> by_path;
    for (const TextEdit& edit : round.edits()) by_path[edit.path].push_back(edit);
    for (const auto& [path, own] : by_path) {
      std::string text = apply_edits(files.read(path).bytes, own);
      files.set(path, text);
      fixed.texts[path] = std::move(text);
    }
  }
  return fixed;
}

}  // namespace oomlint
