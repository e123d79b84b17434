#include "parsers/json_problems.h"

#include "parsers/json_tokens.h"
#include "parsers/repair.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace oomlint {
namespace {

bool is_closer(char c) {
  return c == '}' || c == ']';
}

bool same_line(std::string_view text, std::size_t a, std::size_t b) {
  return text.substr(std::min(a, b), std::max(a, b) - std::min(a, b)).find('\n') == std::string_view::npos;
}

std::string explain_token(std::string_view text, std::size_t at) {
  if (text[at] == '\'') return "single quotes: JSON takes double quotes";
  if (text[at] == '#') return "JSON has no `#` comments";
  if (text[at] == '"') {
    const std::size_t end = json_string_end(text, at);
    return text[end - 1] == '"' && end > at + 1 ? "malformed escape in a text"
                                                : "quote that is not closed on its line";
  }
  return "not a JSON value: texts take double quotes";
}

/// The word at `at` if it is one that stands for a value still to be filled in: `BATCH_SIZE`, `${BATCH}`,
/// `{{ batch }}`, `<batch>`, `@batch@`.
std::string_view placeholder(std::string_view text, std::size_t at) {
  for (const auto& [open, close] :
       {std::pair<std::string_view, std::string_view>{"${", "}"}, {"{{", "}}"}, {"<", ">"}, {"@", "@"}}) {
    if (text.substr(at, open.size()) != open) continue;
    const std::size_t end = text.find(close, at + open.size());
    const bool on_one_line = end != std::string_view::npos && same_line(text, at, end);
    return on_one_line ? text.substr(at, end + close.size() - at) : std::string_view();
  }
  std::size_t end = at;
  bool named = false;
  while (end < text.size() && (std::isupper(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_' ||
                               (end > at && std::isdigit(static_cast<unsigned char>(text[end])) != 0))) {
    named = named || text[end] != '_';
    ++end;
  }
  const bool ends = end == text.size() || text.find_first_of(",}] \t\r\n", end) == end;
  return named && ends && end > at + 1 ? text.substr(at, end - at) : std::string_view();
}

/// A token that is no value at all, or that something else makes one of.
SyntaxProblem not_a_value(std::string_view text, std::size_t at) {
  if (const std::string_view word = placeholder(text, at); !word.empty()) {
    return {rest_of_line(text, at), "not JSON until `" + std::string(word) + "` is filled in",
            Tolerance::template_};
  }
  const bool comment = text[at] == '#';
  return {rest_of_line(text, at), explain_token(text, at), comment ? Tolerance::hjson : Tolerance::nobody};
}

}  // namespace

Refusal explain_json(std::string_view text, const JsonProgress& progress) {
  const std::size_t at = skip_json_blanks(text, progress.after_last);
  const auto refuse = [&](std::size_t where, std::string message, Extent extent = Extent::block,
                          Tolerance tolerance = Tolerance::nobody) {
    return Refusal{
        {rest_of_line(text, where), std::move(message), tolerance}, static_cast<std::uint32_t>(at), extent};
  };
  const auto refuse_token = [&](std::size_t where) {
    return Refusal{not_a_value(text, where), static_cast<std::uint32_t>(at)};
  };
  const bool inside = progress.in_object || progress.in_array;
  if (at >= text.size()) {
    if (!inside) return refuse(at, "the file holds no value");
    return refuse(progress.open_bracket, "bracket that is not closed");
  }
  if (!inside && progress.after_value) return refuse(at, "text after the end of the document", Extent::rest);
  if (text[at] == ',' || text[at] == ':') {
    const std::size_t next = skip_json_blanks(text, at + 1);
    if (text[at] == ':' && progress.in_array) {
      return refuse(progress.open_bracket, "bracket that is not closed", Extent::between);
    }
    if (text[at] == ':' && progress.after_value && !same_line(text, progress.last_key, progress.last_value)) {
      return refuse(progress.last_key, "key without a value");
    }
    if (text[at] == ',' && progress.after_key) return refuse(progress.last_key, "key without a value");
    if (next >= text.size()) return refuse(at, "the text ends here, in the middle of a value");
    if (text[at] == ',' && is_closer(text[next])) {
      return refuse(at, "comma before a closing bracket", Extent::block, Tolerance::hjson);
    }
    if (text[at] == ':' && progress.after_key && (is_closer(text[next]) || text[next] == ',')) {
      return refuse(progress.last_key, "key without a value");
    }
    if (text[next] == ',' || text[next] == ':') return refuse(next, "nothing between two separators");
    if (text[next] == '"' && text[at] == ',' && progress.in_object) {
      const std::size_t end = json_string_end(text, next);
      if (end > next + 1 && text[end - 1] == '"') return refuse(next, "key without a `:`");
    }
    return refuse_token(next);
  }
  if (progress.after_key) return refuse(progress.last_key, "key without a `:`");
  if (is_closer(text[at])) return refuse(at, "closing bracket that does not match");
  if (text[at] == '{' && at > 0 && text[at - 1] == '{') return refuse_token(at - 1);
  if (progress.after_value) {
    const bool next_line = !same_line(text, progress.last_value, at);
    return refuse(progress.last_value, "a comma is missing behind this", Extent::block,
                  next_line ? Tolerance::hjson : Tolerance::nobody);
  }
  return refuse_token(at);
}

std::string mended_json(std::string text) {
  const std::string_view view = text;
  std::string closers;
  JsonTokens tokens(view);
  char last = '{';         // what the last token ends with; no comma belongs behind an opening bracket
  std::size_t before = 0;  // one past the last token
  while (true) {
    const Span token = tokens.next();
    const char first = token.empty() ? '}' : text[token.begin];
    if (first == '#') {
      const std::size_t end = std::min(view.find_first_of("\r\n", token.begin), view.size());
      std::fill(text.begin() + token.begin, text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
      tokens = JsonTokens(view, end);
      continue;
    }
    const std::string_view gap = view.substr(before, token.begin - before);
    const std::size_t comma = gap.find(',');
    if (comma != std::string_view::npos && is_closer(first)) {
      text[before + comma] = ' ';
    } else if (last != '{' && last != '[' && !is_closer(first) &&
               gap.find_first_of(",:") == std::string_view::npos && !gap.empty() && gap.front() != '/') {
      text[before] = ',';
    }
    if (token.empty()) break;
    before = token.end;
    last = text[token.end - 1];
    if (first == '{') closers += '}';
    if (first == '[') closers += ']';
    if (!closers.empty() && first == closers.back()) closers.pop_back();
  }
  std::reverse(closers.begin(), closers.end());
  return text + closers;
}

}  // namespace oomlint
