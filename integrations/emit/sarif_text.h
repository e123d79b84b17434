#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

/// A shown path as a URI reference by RFC 3986: percent-encoded UTF-8, no colon in the first segment, never
/// empty; an absolute path becomes a file URI.
[[nodiscard]] std::string path_to_uri(std::string_view path);

/// A sentence taken apart the way SARIF wants messages: a pattern with placeholders and the arguments that
/// fill it.
struct MessageParts {
  std::string text;     ///< the pattern filled in
  std::string pattern;  ///< "training needs '{0}', but the '{1}' has '{2}'"
  std::vector<std::string> arguments;

  /// Appends a constant, or an argument in single quotes.
  void add(std::string_view constant);
  void add_argument(std::string_view argument);
};

/// Figures, words that hold a digit, and quoted pieces become arguments.
[[nodiscard]] MessageParts take_apart(std::string_view message);

/// "does-not-fit" → "DoesNotFit"
[[nodiscard]] std::string pascal_case(std::string_view name);
/// The first paragraph of the documentation's first section, as plain text of at most 1,000 bytes; `fallback`
/// if there is none.
[[nodiscard]] std::string first_paragraph(std::string_view markdown, std::string_view fallback);

}  // namespace oomlint
