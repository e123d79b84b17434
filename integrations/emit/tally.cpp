#include "integrations/emit/tally.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

namespace oomlint {

namespace {

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += separator;
    text += part;
  }
  return text;
}

}  // namespace

bool has_fix(const Diagnostic& diagnostic, Applicability applicability) {
  return std::any_of(diagnostic.fixes.begin(), diagnostic.fixes.end(), [&](const Fix& fix) {
    return fix.applicability == applicability && !fix.edits.empty();
  });
}

Tally tally(const Report& report) {
  Tally result;
  std::set<std::string_view> paths;
  for (const Diagnostic& diagnostic : report.diagnostics) {
    switch (diagnostic.severity) {
      case Severity::error:
        ++result.errors;
        break;
      case Severity::warning:
        ++result.warnings;
        break;
      case Severity::note:
        ++result.notes;
        break;
    }
    paths.insert(diagnostic.primary.path);
    if (has_fix(diagnostic, Applicability::safe)) {
      ++result.fixable;
    } else if (has_fix(diagnostic, Applicability::unsafe)) {
      ++result.unsafely_fixable;
    }
  }
  result.files = paths.size();
  return result;
}

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
}

std::string summary_line(const Report& report) {
  const Tally found = tally(report);
  const Summary& summary = report.summary;
  std::vector<std::string> kinds;
  if (found.errors > 0) kinds.push_back(counted(found.errors, "error"));
  if (found.warnings > 0) kinds.push_back(counted(found.warnings, "warning"));
  if (found.notes > 0) kinds.push_back(counted(found.notes, "note"));

  std::string text = "found ";
  if (kinds.empty()) {
    text += "nothing in " + counted(summary.files_seen, "file");
  } else {
    text += joined(kinds, ", ") + " in " + std::to_string(found.files) + " of " +
            counted(std::max(summary.files_seen, found.files), "file");
  }

  std::vector<std::string> asides;
  if (!report.suppressed.empty()) asides.push_back(std::to_string(report.suppressed.size()) + " suppressed");
  if (summary.unrecognised > 0)
    asides.push_back(std::to_string(summary.unrecognised) + " not recognised as training configs");
  if (summary.fragments > 0) asides.push_back(counted(summary.fragments, "fragment"));
  if (summary.without_model > 0)
    asides.push_back(std::to_string(summary.without_model) + " without a known model size");
  if (summary.without_card > 0)
    asides.push_back(std::to_string(summary.without_card) + " without a known GPU");
  if (summary.unreadable > 0) asides.push_back(std::to_string(summary.unreadable) + " unreadable");
  if (!asides.empty()) text += " (" + joined(asides, ", ") + ")";

  std::vector<std::string> fixes;
  if (found.fixable > 0) fixes.push_back(std::to_string(found.fixable) + " fixable with --fix");
  if (found.unsafely_fixable > 0)
    fixes.push_back(std::to_string(found.unsafely_fixable) + " with --unsafe-fixes");
  if (!fixes.empty()) text += "; " + joined(fixes, ", ");
  return text;
}

}  // namespace oomlint
