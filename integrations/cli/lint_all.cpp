#include "integrations/cli/lint_all.h"

#include "integrations/cli/version.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <thread>
#include <utility>

namespace oomlint {

namespace {

constexpr std::size_t files_a_thread = 8;  ///< fewer are linted sooner than a thread has started

bool same_finding(const Diagnostic& a, const Diagnostic& b) {
  return a.code == b.code && a.primary == b.primary && a.message == b.message;
}

void count(const FileResult& result, const Input& input, Report& report) {
  ++report.summary.files_seen;
  switch (result.outcome) {
    case FileResult::Outcome::unrecognised:
      ++report.summary.unrecognised;
      break;
    case FileResult::Outcome::unreadable:
      if (input.named) {
        report.unreadable_named.push_back(input.path + ": " + to_string(result.error));
      } else {
        ++report.summary.unreadable;
      }
      break;
    case FileResult::Outcome::fragment:
    case FileResult::Outcome::companion:
      ++report.summary.fragments;
      break;
    case FileResult::Outcome::run:
      break;
  }
  for (const RunReport& run : result.runs) {
    if (run.fragment) continue;
    if (!run.card) ++report.summary.without_card;
    if (!run.model.known()) ++report.summary.without_model;
  }
}

}  // namespace

LintedFiles lint_all(const std::vector<Input>& inputs, Files& files, SettingsStore& store, const Parts& parts,
                     const LintOptions& options, unsigned jobs) {
  LintedFiles linted;
  linted.results.resize(inputs.size());
  for (const Input& input : inputs) linted.settings.push_back(store.settings_of(input.path));

  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < inputs.size(); i = next++) {
      LintOptions each = options;
      each.named = inputs[i].named;
      linted.results[i] = lint(inputs[i].path, files, linted.settings[i], parts, each);
    }
  };
  const unsigned wanted = jobs > 0 ? jobs : std::max(1U, std::thread::hardware_concurrency());
  const auto useful = static_cast<unsigned>(inputs.size() / files_a_thread + 1);
  std::vector<std::jthread> threads;
  for (unsigned i = 1; i < std::min(wanted, useful); ++i) threads.emplace_back(work);
  work();
  threads.clear();  // joins
  return linted;
}

Report make_report(const std::vector<Input>& inputs, LintedFiles linted, bool show_ignored) {
  Report report;
  report.version = product_version();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    FileResult& result = linted.results[i];
    count(result, inputs[i], report);
    std::move(result.runs.begin(), result.runs.end(), std::back_inserter(report.runs));
    std::move(result.diagnostics.begin(), result.diagnostics.end(), std::back_inserter(report.diagnostics));
    for (Suppressed& suppressed : result.suppressed) {
      if (show_ignored) {
        report.diagnostics.push_back(std::move(suppressed.diagnostic));
      } else {
        report.suppressed.push_back(std::move(suppressed));
      }
    }
    for (auto& source : result.sources) report.sources.emplace(source->path(), source);
  }
  // A file that several runs share is reported once.
  std::stable_sort(report.diagnostics.begin(), report.diagnostics.end(), comes_before);
  const auto end = std::unique(report.diagnostics.begin(), report.diagnostics.end(), same_finding);
  report.diagnostics.erase(end, report.diagnostics.end());
  return report;
}

}  // namespace oomlint
