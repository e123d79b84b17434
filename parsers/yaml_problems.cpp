#include "parsers/yaml_problems.h"

#include "parsers/repair.h"
#include "parsers/yaml_text.h"

#include <yaml-cpp/exceptions.h>

#include <algorithm>
#include <array>

namespace oomlint {
namespace {

struct Wording {
  std::string_view library;  ///< how the library's message starts
  std::string_view ours;
};

std::size_t line_begin(std::string_view text, std::size_t offset) {
  const std::size_t newline = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  return newline == std::string_view::npos ? 0 : newline + 1;
}

std::size_t indentation(std::string_view text, std::size_t line) {
  return std::min(text.find_first_not_of(' ', line), text.size()) - line;
}

/// Begin of the line with something on it above the one that begins at `line`; `line` itself if there is
/// none.
std::size_t line_above(std::string_view text, std::size_t line) {
  for (std::size_t above = line; above > 0;) {
    above = line_begin(text, above - 1);
    const std::size_t first = text.find_first_not_of(" \t\r", above);
    if (text[first] != '\n' && text[first] != '#') return above;
  }
  return line;
}

/// A colon where no key can be. What is amiss is often a line above.
SyntaxProblem explain_colon(std::string_view text, std::uint32_t offset) {
  const std::size_t line = line_begin(text, offset);
  const Span here = rest_of_line(text, offset);
  if (text.substr(line, offset - line).find(": ") != std::string_view::npos) {
    return {here, "a second `:` on the line: quote the value if the colon is part of it"};
  }
  const std::size_t above = line_above(text, line);
  if (above == line) return {here, "no key can stand here"};
  const std::size_t indent = indentation(text, line);
  if (indent > indentation(text, above)) {
    return {rest_of_line(text, line + indent),
            "indented deeper than the key above, which has a value already"};
  }
  const Span culprit = rest_of_line(text, above + indentation(text, above));
  const std::string_view written = text.substr(culprit.begin, culprit.size());
  if (written.find(':') == std::string_view::npos) return {culprit, "key without a `:`"};
  return {culprit, "a `:` after a key needs a space behind it"};
}

std::string reworded(std::string_view library_message) {
  const std::array wordings{
      Wording{YAML::ErrorMsg::END_OF_MAP,
              "this does not belong to the mapping above: check its indentation, and what precedes it on the "
              "line"},
      Wording{YAML::ErrorMsg::END_OF_SEQ, "this does not belong to the list above: check its indentation"},
      Wording{YAML::ErrorMsg::DOC_IN_SCALAR, "document marker inside a quoted text"},
      Wording{YAML::ErrorMsg::UNKNOWN_ANCHOR, "no anchor of this name above"},
      Wording{YAML::ErrorMsg::UNKNOWN_TOKEN, "a value cannot start with this character: quote it"},
      Wording{YAML::ErrorMsg::INVALID_ESCAPE, "unknown escape in a double-quoted text"},
      Wording{YAML::ErrorMsg::INVALID_HEX, "malformed escape in a double-quoted text"},
      Wording{YAML::ErrorMsg::INVALID_UNICODE, "escape that is no Unicode character"},
      Wording{YAML::ErrorMsg::FLOW_END, "closing bracket without an opening one"},
      Wording{YAML::ErrorMsg::BLOCK_ENTRY, "a list item cannot start here"},
      Wording{YAML::ErrorMsg::MAP_KEY, "a key cannot start here"},
      Wording{YAML::ErrorMsg::CHAR_IN_BLOCK, "unexpected text after the block sign"},
      Wording{YAML::ErrorMsg::ZERO_INDENT_IN_BLOCK, "a block cannot be indented by 0"},
      Wording{YAML::ErrorMsg::TAB_IN_INDENTATION, "indented with a tab: YAML takes only spaces"},
      Wording{YAML::ErrorMsg::MULTIPLE_TAGS, "two tags on one value"},
      Wording{YAML::ErrorMsg::MULTIPLE_ANCHORS, "two anchors on one value"},
      Wording{YAML::ErrorMsg::MULTIPLE_ALIASES, "two aliases for one value"},
      Wording{YAML::ErrorMsg::ALIAS_CONTENT, "an alias with a value of its own"},
  };
  for (const Wording& wording : wordings) {
    if (library_message.starts_with(wording.library)) return std::string(wording.ours);
  }
  return "not well-formed YAML";
}

}  // namespace

Refusal explain_yaml(std::string_view text, std::uint32_t offset, const std::string& library_message,
                     const YamlProgress& progress) {
  offset = std::min(offset, static_cast<std::uint32_t>(text.size()));
  const Span here = rest_of_line(text, offset);
  const std::size_t line = line_begin(text, offset);
  const std::size_t written = std::min(text.find_first_not_of(" \t", line), text.size());
  if (text.substr(line, written - line).find('\t') != std::string_view::npos) {
    return {{rest_of_line(text, line), "indented with a tab: YAML takes only spaces"}, offset};
  }
  if (library_message == YAML::ErrorMsg::EOF_IN_SCALAR) {
    return {
        {rest_of_line(text, text.find_first_of("\"'", progress.last_event)), "quote that is never closed"},
        offset};
  }
  const ScalarStyle last_style = yaml_style(text, progress.last_event);
  const bool after_quoted =
      last_style == ScalarStyle::single_quoted || last_style == ScalarStyle::double_quoted;
  if (after_quoted && progress.last_event < line && quoted_end(text, progress.last_event) >= line) {
    return {{rest_of_line(text, progress.last_event), "quote that is not closed before the next one"},
            offset};
  }
  if (progress.in_flow && (library_message == YAML::ErrorMsg::END_OF_MAP_FLOW ||
                           library_message == YAML::ErrorMsg::END_OF_SEQ_FLOW)) {
    const std::uint32_t bracket = skip_yaml_properties(text, progress.open_flow, true);
    return {{rest_of_line(text, bracket), "bracket that is not closed"}, offset, Extent::between};
  }
  if (library_message == YAML::ErrorMsg::MAP_VALUE) return {explain_colon(text, offset), offset};
  return {{here, reworded(library_message)}, offset};
}

}  // namespace oomlint
