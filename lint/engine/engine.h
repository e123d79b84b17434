#pragma once

#include "lint/catalog/catalog.h"
#include "lint/dialect/dialect.h"
#include "lint/engine/files.h"
#include "lint/engine/reader.h"
#include "lint/engine/report.h"
#include "lint/engine/rule.h"
#include "lint/engine/settings.h"

#include <span>
#include <string>
#include <vector>

namespace oomlint {

/// The parts a build is made of; the engine knows them only through their interfaces.
struct Parts {
  std::span<const Reader> readers;
  std::span<const Dialect* const> dialects;
  std::span<const Rule* const> rules;
};

/// What linting one file gave.
struct FileResult {
  enum class Outcome : std::uint8_t { run, fragment, companion, unrecognised, unreadable };
  Outcome outcome = Outcome::unrecognised;
  ReadError error = ReadError::none;
  std::vector<RunReport> runs;
  std::vector<Diagnostic> diagnostics;
  std::vector<Suppressed> suppressed;
  std::vector<std::shared_ptr<const SourceFile>> sources;
  std::vector<Recognised> detection;  ///< filled on request
};

struct LintOptions {
  bool rules = true;       ///< false: estimate only
  bool named = true;       ///< the user named this file: a text that cannot be read is a finding even if no
                           ///< dialect claims it
  bool explain = false;    ///< formula texts in the estimate
  bool outlook = false;    ///< without a card: fill RunReport::outlook
  bool detection = false;  ///< fill FileResult::detection
};

/// Lints the run whose main config is `path`. Never throws; reads only through `files`.
[[nodiscard]] FileResult lint(std::string_view path, Files& files, const Settings& settings,
                              const Parts& parts, const LintOptions& options = {});

}  // namespace oomlint
