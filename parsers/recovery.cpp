#include "parsers/recovery.h"

#include <algorithm>

namespace oomlint {
namespace {

constexpr std::size_t max_tries = 32;
constexpr std::size_t max_bytes_read = std::size_t{4} << 20;

std::size_t line_begin(std::string_view text, std::size_t offset) {
  const std::size_t newline = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  return newline == std::string_view::npos ? 0 : newline + 1;
}

/// The line that begins at `begin`, without its LF.
std::string_view line_at(std::string_view text, std::size_t begin) {
  return text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

std::size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

/// Brackets opened minus brackets closed, strings not looked into: good enough for a broken line.
int bracket_balance(std::string_view line) {
  const auto count = [&](char c) { return static_cast<int>(std::count(line.begin(), line.end(), c)); };
  return count('{') + count('[') - count('}') - count(']');
}

}  // namespace

/// End of the last line that goes with the one at `begin`.
std::size_t Recovery::block_end(std::size_t begin) const {
  const std::string_view view = text_;
  const std::string_view refused = line_at(view, begin);
  const std::size_t indent = indentation(refused);
  const bool header = refused.substr(indent).starts_with('[');
  std::size_t end = begin + refused.size();
  while (end < view.size()) {
    const std::string_view line = line_at(view, end + 1);
    const std::size_t line_indent = indentation(line);
    const char first = line_indent < line.size() ? line[line_indent] : ' ';
    const bool deeper = is_blank(line) || line_indent > indent;
    const bool closes = unit_ == Unit::bracketed_block && line_indent == indent &&
                        (first == '}' || first == ']') && bracket_balance(refused) > 0;
    const bool goes_along = unit_ == Unit::table ? header && first != '[' : deeper || closes;
    if (!goes_along) break;
    end += 1 + line.size();
    if (closes && !deeper) break;
  }
  return end;
}

bool Recovery::blank(const Refusal& refusal) {
  const std::string_view view = text_;
  const std::size_t written = view.find_last_not_of(" \t\r\n");
  if (written == std::string_view::npos || tries_ > max_tries) return false;
  std::size_t begin = std::min<std::size_t>(refusal.problem.span.begin, written);
  if (refusal.extent != Extent::rest) begin = line_begin(view, begin);
  while (begin > 0 && is_blank(line_at(view, begin))) begin = line_begin(view, begin - 1);

  bytes_read_ += text_.size();
  ++tries_;
  std::size_t end = view.size();
  if (tries_ >= max_tries || bytes_read_ > max_bytes_read) {
    tries_ = tries_ < max_tries ? max_tries : max_tries + 1;
  } else if (refusal.extent != Extent::rest) {
    end = block_end(begin);
    if (refusal.extent == Extent::between)
      end = std::max(end, line_begin(view, std::min<std::size_t>(refusal.noticed, view.size())));
  }
  std::replace_if(
      text_.begin() + static_cast<std::ptrdiff_t>(begin), text_.begin() + static_cast<std::ptrdiff_t>(end),
      [](char c) { return c != '\n' && c != '\r'; }, ' ');
  return true;
}

}  // namespace oomlint
