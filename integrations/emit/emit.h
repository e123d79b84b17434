#pragma once

#include "lint/engine/report.h"
#include "lint/engine/rule.h"

#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace oomlint {

/// The revision that was linted, for formats that can carry it.
struct Provenance {
  std::string repository_uri;  ///< absolute
  std::string revision;
  std::string branch;
};

/// What the report does not say: how to show it, and to whom.
struct EmitOptions {
  bool colour = false;
  unsigned width = 100;  ///< columns of the terminal; excerpts are cut to it
  bool verbose = false;
  std::span<const Rule* const> rules{};  ///< whose documentation SARIF carries; see all_rules()
  bool suppressed = false;  ///< SARIF: carry silenced findings too. GitHub would show them as open alerts
  std::string category =
      "oomlint/";  ///< SARIF: what keeps several uploads of one commit apart; ends in a slash
  std::optional<Provenance> provenance;
};

// One function and one file a format, all from the same report.
void emit_text(const Report& report, const EmitOptions& options, std::ostream& out);
void emit_concise(const Report& report, const EmitOptions& options, std::ostream& out);
void emit_json(const Report& report, const EmitOptions& options, std::ostream& out);
void emit_sarif(const Report& report, const EmitOptions& options, std::ostream& out);
void emit_github(const Report& report, const EmitOptions& options, std::ostream& out);

// What `estimate` prints.
void emit_estimate_text(const Report& report, const EmitOptions& options, std::ostream& out);
void emit_estimate_json(const Report& report, const EmitOptions& options, std::ostream& out);

}  // namespace oomlint
