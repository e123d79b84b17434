#pragma once

#include "lint/engine/context.h"
#include "lint/text/diagnostic.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace oomlint {

/// A rule: a stateless constant. `doc` is Markdown with the headings What it does, Why it matters, Example,
/// Instead, Numbers and sources, Limits. Its fenced blocks are executed by the tests: the info string names
/// the file, the arguments and whether the rule must fire, e.g. "```yaml config.yml --gpu 24GB fires" or "…
/// silent"; several blocks in a row without a verdict are companion files of the next one. A comment `# <-`
/// marks the line that the finding is on.
struct Rule {
  std::string_view code;  ///< "OOM1001"
  std::string_view name;  ///< "does-not-fit"; the file's stem with dashes
  Severity severity;      ///< default level
  std::string_view summary;
  std::string_view doc;
  void (*check)(Context& context);
};

/// All rules of this build, by file stem. Rules that the engine itself emits (syntax errors, suppressions)
/// have a file with documentation and an empty check.
[[nodiscard]] std::span<const Rule* const> all_rules();

}  // namespace oomlint
