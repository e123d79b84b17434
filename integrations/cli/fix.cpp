#include "integrations/cli/fix.h"

#include "lint/text/edits.h"

#include <algorithm>
#include <set>

namespace oomlint {

namespace {

constexpr int max_rounds = 16;

const Fix* applicable_fix(const Diagnostic& diagnostic, bool unsafe) {
  const auto found = std::find_if(diagnostic.fixes.begin(), diagnostic.fixes.end(), [&](const Fix& fix) {
    if (fix.edits.empty()) return false;
    return fix.applicability == Applicability::safe || (unsafe && fix.applicability == Applicability::unsafe);
  });
  return found == diagnostic.fixes.end() ? nullptr : &*found;
}

/// Names a fix by what it does, so that one that does not make its finding go away is not tried for ever.
std::string identity(const Diagnostic& diagnostic, const Fix& fix) {
  std::string text = diagnostic.code + '\n' + fix.title;
  for (const TextEdit& edit : fix.edits) text += '\n' + edit.path + '\n' + edit.text;
  return text;
}

}  // namespace

FixedFiles fix_all(Session& session, bool unsafe) {
  FixedFiles fixed;
  OverlayFiles files(session.workspace.files());
  std::set<std::string> tried;
  for (int round = 0; round < max_rounds; ++round) {
    fixed.report = session.lint(files, {});
    std::vector<TextEdit> edits;
    for (const Diagnostic& diagnostic : fixed.report.diagnostics) {
      const Fix* fix = applicable_fix(diagnostic, unsafe);
      if (fix == nullptr || overlap(fix->edits, edits) || !tried.insert(identity(diagnostic, *fix)).second)
        continue;
      edits.insert(edits.end(), fix->edits.begin(), fix->edits.end());
      ++fixed.fixes;
    }
    if (edits.empty()) break;
    std::map<std::string, std::vector<TextEdit>> by_path;
    for (TextEdit& edit : edits) by_path[edit.path].push_back(std::move(edit));
    for (const auto& [path, own] : by_path) {
      std::string text = apply_edits(files.read(path).bytes, own);
      files.set(path, text);
      fixed.texts[path] = std::move(text);
    }
  }
  return fixed;
}

}  // namespace oomlint
