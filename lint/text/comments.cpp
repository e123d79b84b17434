#include "lint/text/comments.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace oomlint {

namespace {

constexpr std::string_view blanks = " \t";

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/// Walks a text line by line and remembers what reaches over a line's end: quotes and block scalars.
class CommentScanner {
 public:
  CommentScanner(const SourceFile& source, bool yaml)
      : source_(source), bytes_(source.bytes()), yaml_(yaml) {}

  std::vector<Span> scan() {
    for (std::uint32_t index = 0; index < source_.line_count(); ++index) {
      const std::uint32_t begin = source_.line_start(index);
      const auto end = static_cast<std::uint32_t>(begin + source_.line(index).size());
      if (end <= resume_ || inside_block(begin, end)) continue;
      scan_line(begin, std::max(begin, resume_), end);
    }
    return std::move(comments_);
  }

 private:
  /// A block scalar goes on over blank lines and lines indented deeper than its parent.
  bool inside_block(std::uint32_t begin, std::uint32_t end) {
    if (!block_parent_) return false;
    const std::string_view line = bytes_.substr(begin, end - begin);
    const std::size_t indent = line.find_first_not_of(' ');
    if (indent == std::string_view::npos || static_cast<int>(indent) > *block_parent_) return true;
    block_parent_.reset();
    return false;
  }

  void scan_line(std::uint32_t line_begin, std::uint32_t from, std::uint32_t end) {
    std::uint32_t content_end = end;
    for (std::uint32_t at = from; at < end; ++at) {
      const char c = bytes_[at];
      if (c == '#' && (at == line_begin || is_blank(bytes_[at - 1]))) {
        comments_.push_back({at, end});
        content_end = at;
        break;
      }
      if ((c == '"' || c == '\'') && opens_quote(line_begin, at)) {
        const auto close = end_of_quote(at);
        if (!close) continue;
        if (*close > end) {  // goes on over further lines: their rest is scanned when their turn comes
          resume_ = *close;
          return;
        }
        at = *close - 1;
      }
    }
    if (yaml_) enter_block(line_begin, content_end);
  }

  /// In YAML a quote opens text only where a value can begin: `it's` is plain.
  [[nodiscard]] bool opens_quote(std::uint32_t line_begin, std::uint32_t at) const {
    if (!yaml_ || at == line_begin) return true;
    return is_blank(bytes_[at - 1]) ||
           std::string_view("[{,:(").find(bytes_[at - 1]) != std::string_view::npos;
  }

  /// The offset after the closing quote; nothing when there is none.
  [[nodiscard]] std::optional<std::uint32_t> end_of_quote(std::uint32_t at) const {
    const char quote = bytes_[at];
    const std::string_view triple = quote == '"' ? "\"\"\"" : "'''";
    const bool is_triple = !yaml_ && bytes_.substr(at, 3) == triple;
    for (std::size_t i = at + (is_triple ? 3 : 1); i < bytes_.size(); ++i) {
      if (quote == '"' && bytes_[i] == '\\') {
        ++i;
      } else if (is_triple ? bytes_.substr(i, 3) == triple : bytes_[i] == quote) {
        if (yaml_ && quote == '\'' && i + 1 < bytes_.size() && bytes_[i + 1] == '\'') {
          ++i;
          continue;
        }
        return static_cast<std::uint32_t>(i + (is_triple ? 3 : 1));
      } else if (!yaml_ && !is_triple && bytes_[i] == '\n') {
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  /// Whether the line's content ends with `|` or `>` and its indicators; then the text below belongs to it.
  void enter_block(std::uint32_t begin, std::uint32_t end) {
    std::string_view content = bytes_.substr(begin, end - begin);
    content = content.substr(0, content.find_last_not_of(blanks) + 1);
    const std::size_t header = content.find_last_not_of("+-0123456789");
    if (header == std::string_view::npos || header + 3 < content.size()) return;
    if (content[header] != '|' && content[header] != '>') return;
    const std::string_view before = content.substr(0, header);
    const std::size_t last = before.find_last_not_of(blanks);
    if (last != std::string_view::npos && last + 1 == header) return;  // `a|`: plain text
    std::size_t column = content.find_first_not_of(' ');
    const bool has_key = before.find(':') != std::string_view::npos;
    while (has_key && content.substr(column, 2) == "- ") column = content.find_first_not_of(' ', column + 2);
    block_parent_ = content.starts_with("---") ? -1 : static_cast<int>(column);
  }

  const SourceFile& source_;
  std::string_view bytes_;
  bool yaml_;
  std::uint32_t resume_ = 0;         ///< scanning goes on here after a quote over several lines
  std::optional<int> block_parent_;  ///< indentation of the key whose block scalar is being read
  std::vector<Span> comments_;
};

}  // namespace

std::vector<Span> find_comments(const SourceFile& source) {
  const std::string_view path = source.path();
  const auto is = [&](std::string_view extension) { return path.ends_with(extension); };
  if (is(".json")) return {};
  return CommentScanner(source, !is(".toml") && !is(".py") && !is(".sh")).scan();
}

}  // namespace oomlint
