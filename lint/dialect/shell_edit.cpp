#include "lint/dialect/shell_edit.h"

#include "lint/dialect/edit.h"
#include "lint/dialect/layout.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace oomlint {

namespace {

bool needs_quotes(std::string_view text) {
  return text.empty() || std::any_of(text.begin(), text.end(), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) == 0 &&
                  std::string_view("_-+./:,=@%").find(c) == std::string_view::npos;
         });
}

std::string quoted_word(std::string_view text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + '\'';
}

/// `value` as words of a command line; `like` shows how the file writes it ("True", a quoted word).
std::string words_of(const Scalar& value, std::string_view like) {
  if (const auto* flag = std::get_if<bool>(&value)) {
    const bool capital = like.starts_with('T') || like.starts_with('F');
    return *flag ? (capital ? "True" : "true") : (capital ? "False" : "false");
  }
  if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
    std::string words;
    for (const std::string& item : *list)
      words += (words.empty() ? "" : " ") + (needs_quotes(item) ? quoted_word(item) : item);
    return words;
  }
  const std::string text = to_string(value);
  if (like.starts_with('"') && text.find_first_of("\"$`\\") == std::string::npos) return '"' + text + '"';
  return needs_quotes(text) || like.starts_with('\'') ? quoted_word(text) : text;
}

/// On by being there: its value stands where its name does.
bool is_switch(const Document& document, NodeId node) {
  const Node& at = document.at(node);
  return at.kind == NodeKind::scalar && at.begin == at.key_begin && at.text == "true";
}

/// The bytes of an option, name and values in one piece; empty where they stand apart.
Span option_span(const Document& document, NodeId node) {
  const Node& at = document.at(node);
  if (is_switch(document, node)) return document.value_span(node);
  const Span value = document.value_span(node);
  const Span key = document.key_span(node);
  if (key.empty() || value.empty() || value.begin < key.end) return {};
  const std::string_view between = document.source().text({key.end, value.begin});
  if (between.find_first_not_of(" \t=\\\r\n\"'") != std::string_view::npos) return {};
  return {at.key_begin, value.end};
}

}  // namespace

std::optional<TextEdit> replace_option(const ReadContext& context, NodeId node, const Scalar& value) {
  const Document& document = context.document;
  const std::string& path = document.source().path();
  Span span = document.value_span(node);
  if (is_switch(document, node)) {
    if (value == Scalar(false) && context.dialect.bare_switches) return remove_option(context, node);
    if (span.empty()) return std::nullopt;
    // The word with its value, so that what another edit puts behind the word comes behind the value.
    return TextEdit{path, span, std::string(document.source().text(span)) + " " + words_of(value, {})};
  }
  if (document.at(node).kind == NodeKind::sequence) span = {document.at(node).begin, span.end};
  if (span.empty()) return std::nullopt;
  return TextEdit{path, span, words_of(value, document.source().text(span))};
}

std::optional<TextEdit> insert_option(const ReadContext& context, NodeId sibling, std::string_view name,
                                      const Scalar& value) {
  const Document& document = context.document;
  if (sibling == no_node) return std::nullopt;
  const Span beside = option_span(document, sibling);
  if (beside.empty()) return std::nullopt;
  bool dashes = false;
  bool underscores = false;
  bool dots = false;
  std::string_view like;
  for (NodeId id = document.at(document.root()).first_child; id != no_node; id = document.at(id).next) {
    const std::string_view key = document.source().text(document.key_span(id));
    dashes = dashes || key.find('-', key.find_first_not_of('-')) != std::string_view::npos;
    dots = dots || key.find('.') != std::string_view::npos;
    underscores = underscores || key.find('_') != std::string_view::npos;
    const std::string_view text = document.at(id).text;
    const bool flag = text == "True" || text == "true" || text == "False" || text == "false";
    if (flag && !is_switch(document, id)) like = text;
  }
  const bool is_option = document.source().text(beside).starts_with('-');
  if (is_option && !dots && name.find('.') != std::string_view::npos) return std::nullopt;  // no such option
  std::string option = is_option ? "--" + std::string(name) : std::string(name);
  if (is_option && dashes && !underscores) std::replace(option.begin(), option.end(), '_', '-');
  if (!is_option) {
    option += '=' + words_of(value, {});
  } else if (value != Scalar(true) || !like.empty()) {
    option += ' ' + words_of(value, like);
  }
  std::string separator = " ";
  const std::uint32_t key_begin = document.at(sibling).key_begin;
  if (column_is_blank(document, key_begin)) {
    const std::uint32_t line = document.source().line_of(key_begin);
    const std::string_view above = line > 0 ? document.source().line(line - 1) : std::string_view();
    const std::size_t last = above.find_last_not_of(" \t\r\n");
    const bool continues = last != std::string_view::npos && above[last] == '\\';
    separator = (continues ? " \\" : "") + std::string(document.source().newline()) +
                column_blanks(document, key_begin);
  }
  return TextEdit{document.source().path(), {beside.end, beside.end}, separator + option};
}

std::optional<TextEdit> remove_option(const ReadContext& context, NodeId node) {
  const Document& document = context.document;
  Span span = option_span(document, node);
  if (span.empty()) return std::nullopt;
  const std::string_view bytes = document.source().bytes();
  while (span.begin > 0) {
    const char before = bytes[span.begin - 1];
    const bool continuation = before == '\\' && (bytes[span.begin] == '\n' || bytes[span.begin] == '\r');
    if (before != ' ' && before != '\t' && before != '\n' && before != '\r' && !continuation) break;
    --span.begin;
  }
  return TextEdit{document.source().path(), span, ""};
}

}  // namespace oomlint
