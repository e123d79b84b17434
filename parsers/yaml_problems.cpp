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

/// The line around `offset` up to it.
std::string_view line_before(std::string_view text, std::uint32_t offset) {
  const std::size_t newline = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
  return text.substr(begin, offset - begin);
}

std::string explain_colon(std::string_view text, std::uint32_t offset) {
  const std::string_view before = line_before(text, offset);
  if (before.find(": ") != std::string_view::npos)
    return "a second `:` on the line: quote the value if the colon is part of it";
  return "no key expected here: the line above lacks its `:`, or the indentation differs";
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

SyntaxProblem explain_yaml(std::string_view text, std::uint32_t offset, const std::string& library_message,
                           const YamlProgress& progress) {
  offset = std::min(offset, static_cast<std::uint32_t>(text.size()));
  const Span here = rest_of_line(text, offset);
  const std::string_view line = line_before(text, offset);
  if (line.substr(0, line.find_first_not_of(" \t")).find('\t') != std::string_view::npos) {
    return {here, "indented with a tab: YAML takes only spaces"};
  }
  if (library_message == YAML::ErrorMsg::EOF_IN_SCALAR) {
    const std::size_t quote = text.find_first_of("\"'", progress.last_event);
    return {rest_of_line(text, quote), "quote that is never closed"};
  }
  if (progress.in_flow && text.size() > progress.open_flow) {
    const std::uint32_t at = progress.open_flow;
    if (library_message == YAML::ErrorMsg::END_OF_MAP_FLOW ||
        library_message == YAML::ErrorMsg::END_OF_SEQ_FLOW) {
      return {{at, at + 1}, std::string("`") + text[at] + "` that is not closed"};
    }
  }
  if (library_message == YAML::ErrorMsg::MAP_VALUE) return {here, explain_colon(text, offset)};
  return {here, reworded(library_message)};
}

}  // namespace oomlint
