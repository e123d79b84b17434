#pragma once

#include "lint/engine/report.h"
#include "lint/engine/rule.h"
#include "lint/engine/settings.h"
#include "lint/text/source_file.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

/// A name or a value in a comment that talks to the linter, with its place.
struct DirectiveWord {
  std::string text;
  Span span;
};

/// `# oomlint: ignore[OOM1001, tight] reason` and its relatives. An ignore that shares its line with a key
/// speaks about that line, one on a line of its own about the next line that is neither blank nor a comment.
struct Directive {
  enum class Kind : std::uint8_t { ignore, file_ignore, disable, enable };
  Kind kind = Kind::ignore;
  Span span;               ///< from the `#` to the end of the reason
  std::uint32_t line = 0;  ///< 0-based line it speaks about
  std::vector<DirectiveWord> rules;
  std::string reason;
};

/// `# oomlint: gpu=A100-40GB world=4`: one word of a modeline.
struct ModelineEntry {
  DirectiveWord name;
  DirectiveWord value;
};

/// Everything the comments of one file say to the linter.
struct Directives {
  std::string path;
  std::vector<Directive> entries;
  std::vector<ModelineEntry> modeline;
  std::vector<DirectiveWord> malformed;  ///< comments that address the linter in words it does not know
};

/// Reads the comments of a file lexically, so that a file that does not parse can carry them too. A `#`
/// inside quotes or a block scalar is text. JSON has no comments: nothing is found there.
[[nodiscard]] Directives parse_directives(const SourceFile& source);

/// Puts the target and dialect a modeline asks for into the settings; what the command line said stays.
void apply_modeline(const Directives& directives, Settings& settings);

/// What is known about the run that decides whether a suppression could have been needed at all.
struct SuppressionContext {
  bool rules_ran = true;  ///< false: the text was not understood, so "unused" cannot be told
  bool verdict_known =
      false;  ///< false: memory findings could not arise (no card), so their suppressions are not unused
  std::string card_problem;  ///< why the card a modeline names is not known; empty when it is
};

struct SuppressionResult {
  std::vector<Diagnostic> kept;
  std::vector<Suppressed> suppressed;
  std::vector<Diagnostic> findings;  ///< unused-suppression and unknown-suppression; not yet in `kept`
};

/// Takes out the diagnostics that comments of their own file or entries of the settings silence. `all` holds
/// the directives of every file of the run, the main config first.
[[nodiscard]] SuppressionResult apply_suppressions(std::vector<Diagnostic> diagnostics,
                                                   std::span<const Directives> all,
                                                   std::span<const std::shared_ptr<const SourceFile>> sources,
                                                   const Settings& settings,
                                                   std::span<const Rule* const> rules,
                                                   const SuppressionContext& context);

}  // namespace oomlint
