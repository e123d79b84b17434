#pragma once

#include "lint/dialect/dialect.h"
#include "lint/engine/settings.h"
#include "lint/estimate/evaluate.h"
#include "lint/text/diagnostic.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace oomlint {

/// How a run would do on a card nobody named.
struct CardOutlook {
  Card card;
  Verdict verdict = Verdict::unknown;
  std::optional<double> free_fraction;
};

/// One run: what was read, what it comes to.
struct RunReport {
  std::vector<std::string> files;  ///< shown paths, the main config first
  std::string dialect;
  std::string stack;
  TrainingPlan plan;
  ResolvedModel model;
  std::optional<Card> card;
  Evaluation evaluation;
  std::vector<CardOutlook> outlook;  ///< without a card: typical ones, by memory; filled by `estimate`
  bool fragment = false;             ///< neither model nor batch: no claims
};

struct Suppressed {
  Diagnostic diagnostic;
  std::string reason;
  bool in_source = true;  ///< false: by the settings
};

struct Summary {
  std::size_t files_seen = 0;
  std::size_t unrecognised = 0;
  std::size_t unreadable = 0;  ///< in a directory walk
  std::size_t fragments = 0;
  std::size_t without_card = 0;
  std::size_t without_model = 0;
};

/// All that an emitter prints. Diagnostics are sorted by comes_before.
struct Report {
  std::vector<RunReport> runs;
  std::vector<Diagnostic> diagnostics;
  std::vector<Suppressed> suppressed;
  std::vector<std::string>
      unreadable_named;  ///< "path: why", for paths named on the command line: exit code 2
  Summary summary;
  std::map<std::string, std::shared_ptr<const SourceFile>> sources;  ///< by shown path, for excerpts
  std::string version;                                               ///< of the product
};

}  // namespace oomlint
