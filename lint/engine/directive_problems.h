#pragma once

#include "lint/engine/suppress.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

// Comments that talk to the linter in words it does not know, and the findings the engine makes about
// suppressions on its own.

/// Whether `word` means the rule: its name, or its code in any case.
[[nodiscard]] bool names_rule(std::string_view word, std::string_view code, std::string_view name);
[[nodiscard]] const Rule* rule_of(std::string_view word, std::span<const Rule* const> rules);

/// Collects findings of the rules that the engine itself emits, at the levels the settings give them.
class EngineFindings {
 public:
  EngineFindings(std::span<const Rule* const> rules, const Settings& settings)
      : rules_(rules), settings_(settings) {}

  /// Null when the rule is off.
  Diagnostic* add(std::string_view rule_name, std::string message, Location at);
  [[nodiscard]] std::span<const Rule* const> rules() const { return rules_; }
  [[nodiscard]] std::vector<Diagnostic> take() { return std::move(found_); }

 private:
  std::span<const Rule* const> rules_;
  const Settings& settings_;
  std::vector<Diagnostic> found_;
};

/// Reports what the comments of one file say that means nothing: no rule, an unknown rule, an unknown word or
/// value of a modeline. `card_problem`: why the card a modeline names is not known, empty when it is.
void report_unknown_words(const Directives& file, std::string_view card_problem, EngineFindings& findings);

}  // namespace oomlint
