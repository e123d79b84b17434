#include "parsers/shell_words.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace oomlint {
namespace {

constexpr std::size_t max_text = std::size_t{1} << 16;
constexpr std::size_t max_parts = 4096;
constexpr int max_expansion_depth = 32;

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool is_expansion(std::string_view type) {
  return type == "simple_expansion" || type == "expansion" || type == "command_substitution" ||
         type == "arithmetic_expansion" || type == "process_substitution";
}

ShellPart unknown(Span outer, bool quoted, bool from_caller) {
  ShellPart part;
  part.outer = outer;
  part.known = false;
  part.split = !quoted;
  part.from_caller = from_caller;
  return part;
}

std::size_t size_of(const std::vector<ShellPart>& parts) {
  return std::accumulate(parts.begin(), parts.end(), std::size_t{0},
                         [](std::size_t sum, const ShellPart& part) { return sum + part.text.size() + 1; });
}

/// Collects parts into words.
class WordBuilder {
 public:
  void add(ShellPart part) {
    if (part.ends_word) {
      flush();
      return;
    }
    if (!part.split || !part.known) {
      started_ = true;
      word_.parts.push_back(std::move(part));
      return;
    }
    std::size_t at = 0;
    while (at < part.text.size()) {
      if (is_blank(part.text[at])) {
        flush();
        ++at;
        continue;
      }
      const auto blank =
          std::find_if(part.text.begin() + static_cast<std::ptrdiff_t>(at), part.text.end(), is_blank);
      const auto end = static_cast<std::size_t>(blank - part.text.begin());
      ShellPart piece = part;
      piece.text = part.text.substr(at, end - at);
      piece.begin = part.begin + static_cast<std::uint32_t>(at);
      started_ = true;
      word_.parts.push_back(std::move(piece));
      at = end;
    }
  }

  void flush() {
    if (started_) words_.push_back(std::move(word_));
    word_ = {};
    started_ = false;
  }

  std::vector<ShellWord> take() {
    flush();
    return std::move(words_);
  }

 private:
  std::vector<ShellWord> words_;
  ShellWord word_;
  bool started_ = false;
};

/// A word that stands in one literal piece can be replaced where it stands.
Span own_span(const ShellWord& word) {
  if (word.parts.size() != 1 || !word.parts.front().literal) return {};
  const ShellPart& part = word.parts.front();
  return {part.begin, part.begin + static_cast<std::uint32_t>(part.text.size())};
}

}  // namespace

std::string ShellWord::text() const {
  std::string all;
  for (const ShellPart& part : parts) all += part.text;
  return all;
}

bool ShellWord::known() const {
  return std::all_of(parts.begin(), parts.end(), [](const ShellPart& part) { return part.known; });
}

bool ShellWord::from_caller() const {
  return std::any_of(parts.begin(), parts.end(), [](const ShellPart& part) { return part.from_caller; });
}

bool ShellWord::open_ended() const {
  return parts.size() == 1 && !parts.front().known && parts.front().split;
}

bool ShellVariable::known() const {
  return std::all_of(value.begin(), value.end(), [](const ShellPart& part) { return part.known; });
}

bool ShellVariable::from_caller() const {
  return std::any_of(value.begin(), value.end(), [](const ShellPart& part) { return part.from_caller; });
}

std::string ShellVariable::text() const {
  std::string all;
  for (const ShellPart& part : value) all += part.text;
  return all;
}

void ShellExpander::literal(Span span, bool quoted, std::vector<ShellPart>& out) const {
  std::uint32_t at = span.begin;
  while (at < span.end) {
    const auto escape = static_cast<std::uint32_t>(std::min<std::size_t>(bytes_.find('\\', at), span.end));
    if (escape > at) {
      ShellPart part;
      part.text = bytes_.substr(at, escape - at);
      part.begin = at;
      part.outer = span;
      part.literal = true;
      out.push_back(std::move(part));
    }
    if (escape + 1 >= span.end) break;
    // Inside double quotes a backslash goes only before these; before a line's end both go.
    const char next = bytes_[escape + 1];
    const bool goes = !quoted || next == '"' || next == '$' || next == '`' || next == '\\' || next == '\n';
    if (next != '\n') {
      ShellPart part;
      part.text = goes ? std::string(1, next) : std::string{'\\', next};
      part.outer = span;
      out.push_back(std::move(part));
    }
    at = escape + 2;
  }
}

/// What stands in `range` of a node: its expansions and quoted children expanded, the rest as it is.
void ShellExpander::expand_range(std::uint32_t index, Span range, const ShellVariables& variables,
                                 bool quoted, int depth, std::vector<ShellPart>& out) const {
  std::uint32_t at = range.begin;
  for_each_child(tree_, index, [&](std::uint32_t child) {
    const SyntaxNode& node = tree_.nodes[child];
    if (node.span.begin < at || node.span.end > range.end) return;
    const bool plain =
        quoted ? !is_expansion(node.type) : node.type == "word" || node.type == "string_content";
    if (plain) return;
    literal({at, node.span.begin}, quoted, out);
    expand(child, variables, quoted, depth + 1, out);
    at = node.span.end;
  });
  literal({at, range.end}, quoted, out);
}

void ShellExpander::expand_parameter(std::uint32_t index, const ShellVariables& variables, bool quoted,
                                     int depth, std::vector<ShellPart>& out) const {
  const Span span = tree_.nodes[index].span;
  std::string_view inner = bytes_.substr(span.begin + 1, span.size() - 1);
  const bool braces = inner.starts_with('{');
  if (braces) inner = inner.substr(1, inner.size() - (inner.ends_with('}') ? 2 : 1));
  const auto name_end =
      static_cast<std::size_t>(std::find_if_not(inner.begin(), inner.end(), is_name) - inner.begin());
  const std::string_view name = inner.substr(0, name_end);
  std::string_view rest = inner.substr(name_end);
  const bool of_caller = name.empty()
                             ? inner.starts_with('@') || inner.starts_with('*') || inner.starts_with('#')
                             : std::isdigit(static_cast<unsigned char>(name.front())) != 0;
  const bool all = rest.starts_with("[@]") || rest.starts_with("[*]");
  if (all) rest.remove_prefix(3);
  const auto found = variables.find(name);
  const bool set = found != variables.end();

  // ${X:-word}, ${X-word}, ${X:=word}, ${X:+word}
  const bool colon = rest.starts_with(':');
  const char operation = rest.size() > (colon ? 1U : 0U) ? rest[colon ? 1 : 0] : ' ';
  const bool has_default = operation == '-' || operation == '=';
  if (!rest.empty() && (has_default || operation == '+')) {
    const auto word_begin = static_cast<std::uint32_t>(rest.data() - bytes_.data()) + (colon ? 2U : 1U);
    const bool empty =
        set && !found->second.is_array && found->second.known() && found->second.text().empty();
    const bool missing = !set || (colon && empty);
    if (missing == has_default) {
      const std::size_t before = out.size();
      expand_range(index, {word_begin, span.end - 1}, variables, quoted, depth, out);
      for (std::size_t i = before; i < out.size(); ++i) {
        const char opens = bytes_[out[i].outer.begin];
        out[i].split = !quoted && opens != '"' && opens != '\'';
      }
      return;
    }
    if (missing) return;
    rest = {};
  }
  const bool has_words = set && found->second.is_array;
  if (!set || !rest.empty() || size_of(out) > max_text) {
    out.push_back(unknown(span, quoted, of_caller));
    return;
  }
  const auto take = [&](ShellPart part, bool splits) {
    part.from_variable = true;
    part.split = splits;
    part.outer = span;
    out.push_back(std::move(part));
  };
  if (!has_words) {
    for (const ShellPart& part : found->second.value) take(part, !quoted);
    return;
  }
  // "${A[@]}" keeps the elements as words of their own; $A is the first.
  for (const ShellWord& element : found->second.elements) {
    for (const ShellPart& part : element.parts) take(part, !quoted);
    if (!all) return;
    ShellPart end;
    end.ends_word = true;
    end.from_variable = true;
    out.push_back(std::move(end));
  }
}

void ShellExpander::expand(std::uint32_t index, const ShellVariables& variables, bool quoted, int depth,
                           std::vector<ShellPart>& out) const {
  const SyntaxNode& node = tree_.nodes[index];
  if (depth > max_expansion_depth || out.size() > max_parts) {
    out.push_back(unknown(node.span, quoted, false));
    return;
  }
  const std::string_view text = bytes_.substr(node.span.begin, node.span.size());
  if (node.type == "string" || node.type == "translated_string") {
    const std::uint32_t open = node.type == "string" ? 1 : 2;
    const bool closed = text.size() > open && text.ends_with('"');
    const std::size_t before = out.size();
    expand_range(index, {node.span.begin + open, node.span.end - (closed ? 1U : 0U)}, variables, true, depth,
                 out);
    ShellPart quotes;  // so that "" is a word too
    quotes.outer = node.span;
    if (out.size() == before) out.push_back(std::move(quotes));
    for (std::size_t i = before; i < out.size(); ++i) out[i].outer = node.span;
  } else if (node.type == "raw_string" || node.type == "ansi_c_string") {
    const std::uint32_t open = node.type == "raw_string" ? 1 : 2;
    ShellPart part;
    part.begin = node.span.begin + open;
    part.text =
        text.size() > open ? text.substr(open, text.size() - open - (text.ends_with('\'') ? 1 : 0)) : "";
    part.literal = node.type == "raw_string" || part.text.find('\\') == std::string::npos;
    part.known = part.literal;
    part.outer = node.span;
    out.push_back(std::move(part));
  } else if (node.type == "simple_expansion" || node.type == "expansion") {
    expand_parameter(index, variables, quoted, depth, out);
  } else if (is_expansion(node.type)) {
    out.push_back(unknown(node.span, quoted, false));
  } else {
    expand_range(index, node.span, variables, quoted, depth, out);
  }
}

std::vector<ShellWord> ShellExpander::words(std::uint32_t index, const ShellVariables& variables) const {
  std::vector<ShellPart> parts;
  expand(index, variables, false, 0, parts);
  const bool from_array =
      std::any_of(parts.begin(), parts.end(), [](const ShellPart& part) { return part.ends_word; });
  WordBuilder builder;
  for (ShellPart& part : parts) builder.add(std::move(part));
  std::vector<ShellWord> words = builder.take();
  const bool as_written = words.size() == 1 && !from_array;
  for (ShellWord& word : words) {
    word.span = as_written ? tree_.nodes[index].span : own_span(word);
    if (!as_written) continue;
    for (ShellPart& part : word.parts) part.literal = part.literal && !part.from_variable;
  }
  return words;
}

std::vector<ShellPart> ShellExpander::value(std::uint32_t index, const ShellVariables& variables) const {
  std::vector<ShellPart> parts;
  expand(index, variables, false, 0, parts);
  const SyntaxNode& node = tree_.nodes[index];
  if (size_of(parts) > max_text) return {unknown(node.span, true, false)};
  std::erase_if(parts, [](const ShellPart& part) { return part.ends_word; });
  for (ShellPart& part : parts) part.split = false;
  return parts;
}

std::vector<ShellWord> words_within(const ShellWord& word) {
  std::vector<ShellWord> words;
  ShellWord current;
  bool started = false;
  char quote = 0;
  const auto flush = [&] {
    if (started) {
      current.span = own_span(current);
      words.push_back(std::move(current));
    }
    current = {};
    started = false;
  };
  for (const ShellPart& part : word.parts) {
    if (!part.known) {
      started = true;
      current.parts.push_back(part);
      continue;
    }
    bool joins = false;  // the next character continues the last piece
    for (std::size_t i = 0; i < part.text.size(); ++i) {
      const char c = part.text[i];
      const bool line_end = c == '\\' && i + 1 < part.text.size() && part.text[i + 1] == '\n';
      if (quote == 0 && (is_blank(c) || line_end)) {
        flush();
        joins = false;
      } else if (quote == 0 ? c == '"' || c == '\'' : c == quote) {
        quote = quote == 0 ? c : '\0';
        started = true;
        joins = false;
      } else {
        if (!joins) {
          ShellPart piece = part;
          piece.text.clear();
          piece.split = false;
          piece.begin = part.begin + static_cast<std::uint32_t>(i);
          current.parts.push_back(std::move(piece));
        }
        current.parts.back().text += c;
        started = true;
        joins = true;
      }
    }
  }
  flush();
  return words;
}

}  // namespace oomlint
