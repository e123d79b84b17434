#include "integrations/emit/display.h"

#include <algorithm>
#include <array>

namespace oomlint {

namespace {

constexpr char32_t replacement = 0xFFFD;
constexpr std::string_view replacement_text = "\xEF\xBF\xBD";
constexpr std::string_view ellipsis = "...";
constexpr unsigned tab_stop = 4;

struct Range {
  char32_t first, last;
};

// Unicode 15 general categories Mn, Me, Cf and the Hangul medial letters, merged to blocks.
constexpr std::array zero_width{
    Range{0x0300, 0x036F},   Range{0x0483, 0x0489},   Range{0x0591, 0x05BD}, Range{0x0610, 0x061A},
    Range{0x064B, 0x065F},   Range{0x06D6, 0x06DC},   Range{0x06DF, 0x06E4}, Range{0x0900, 0x0902},
    Range{0x093C, 0x093C},   Range{0x0941, 0x0948},   Range{0x094D, 0x094D}, Range{0x0E31, 0x0E31},
    Range{0x0E34, 0x0E3A},   Range{0x0E47, 0x0E4E},   Range{0x1160, 0x11FF}, Range{0x1AB0, 0x1AFF},
    Range{0x1DC0, 0x1DFF},   Range{0x200B, 0x200D},   Range{0x20D0, 0x20FF}, Range{0x302A, 0x302D},
    Range{0x3099, 0x309A},   Range{0xFE00, 0xFE0F},   Range{0xFE20, 0xFE2F}, Range{0xFEFF, 0xFEFF},
    Range{0x1F3FB, 0x1F3FF}, Range{0xE0100, 0xE01EF},
};

// Unicode 15 East_Asian_Width W and F, merged to blocks.
constexpr std::array double_width{
    Range{0x1100, 0x115F},   Range{0x231A, 0x231B},   Range{0x2329, 0x232A},   Range{0x23E9, 0x23EC},
    Range{0x23F0, 0x23F0},   Range{0x23F3, 0x23F3},   Range{0x25FD, 0x25FE},   Range{0x2614, 0x2615},
    Range{0x2648, 0x2653},   Range{0x26AA, 0x26AB},   Range{0x26BD, 0x26BE},   Range{0x2705, 0x2705},
    Range{0x2728, 0x2728},   Range{0x274C, 0x274C},   Range{0x2753, 0x2755},   Range{0x2757, 0x2757},
    Range{0x2795, 0x2797},   Range{0x2B1B, 0x2B1C},   Range{0x2B50, 0x2B50},   Range{0x2B55, 0x2B55},
    Range{0x2E80, 0x303E},   Range{0x3041, 0x33FF},   Range{0x3400, 0x4DBF},   Range{0x4E00, 0x9FFF},
    Range{0xA000, 0xA4CF},   Range{0xA960, 0xA97F},   Range{0xAC00, 0xD7A3},   Range{0xF900, 0xFAFF},
    Range{0xFE10, 0xFE19},   Range{0xFE30, 0xFE6F},   Range{0xFF00, 0xFF60},   Range{0xFFE0, 0xFFE6},
    Range{0x16FE0, 0x18CFF}, Range{0x1B000, 0x1B2FF}, Range{0x1F004, 0x1F004}, Range{0x1F0CF, 0x1F0CF},
    Range{0x1F18E, 0x1F18E}, Range{0x1F191, 0x1F19A}, Range{0x1F200, 0x1F320}, Range{0x1F32D, 0x1F335},
    Range{0x1F337, 0x1F37C}, Range{0x1F37E, 0x1F393}, Range{0x1F3A0, 0x1F3CA}, Range{0x1F3E0, 0x1F3F0},
    Range{0x1F400, 0x1F43E}, Range{0x1F440, 0x1F440}, Range{0x1F442, 0x1F4FC}, Range{0x1F4FF, 0x1F53D},
    Range{0x1F550, 0x1F567}, Range{0x1F5FB, 0x1F64F}, Range{0x1F680, 0x1F6C5}, Range{0x1F6EB, 0x1F6EC},
    Range{0x1F6F4, 0x1F6FC}, Range{0x1F7E0, 0x1F7EB}, Range{0x1F90C, 0x1F9FF}, Range{0x1FA70, 0x1FAFF},
    Range{0x20000, 0x3FFFD},
};

template <std::size_t size>
bool within(const std::array<Range, size>& ranges, char32_t value) {
  const auto after =
      std::upper_bound(ranges.begin(), ranges.end(), value,
                       [](char32_t wanted, const Range& range) { return wanted < range.first; });
  return after != ranges.begin() && value <= std::prev(after)->last;
}

/// What a terminal would act on instead of showing it.
bool steers_terminal(char32_t value) {
  const bool control = value < 0x20 || (value >= 0x7F && value < 0xA0);
  const bool bidirectional = (value >= 0x202A && value <= 0x202E) || (value >= 0x2066 && value <= 0x2069);
  return control || bidirectional || value == 0x2028 || value == 0x2029;
}

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

std::uint32_t previous(std::string_view line, std::uint32_t byte) {
  std::uint32_t steps = 0;
  do {
    --byte;
  } while (byte > 0 && ++steps < 4 && is_continuation(line[byte]));
  return byte;
}

unsigned shown_width(char32_t value) {
  return value == '\t' ? tab_stop : steers_terminal(value) ? 1 : display_width(value);
}

/// The bytes to keep of a line that is too long: a quarter of the columns before the focus, the rest from it
/// on.
Span window(std::string_view line, Span focus, unsigned columns) {
  const auto size = static_cast<std::uint32_t>(line.size());
  Span kept{focus.begin, focus.begin};
  unsigned used = 0;
  const auto extend_left = [&](unsigned limit) {
    while (kept.begin > 0) {
      const std::uint32_t before = previous(line, kept.begin);
      const unsigned width = shown_width(decode(line.substr(before)).value);
      if (used + width > limit) break;
      used += width;
      kept.begin = before;
    }
  };
  extend_left(columns / 4);
  while (kept.end < size) {
    const CodePoint next = decode(line.substr(kept.end));
    const unsigned width = shown_width(next.value);
    if (used + width > columns) break;
    used += width;
    kept.end += next.length;
  }
  extend_left(columns);
  return kept;
}

/// Whether the line is wider than `columns`; stops counting as soon as it is.
bool is_wider(std::string_view line, unsigned columns) {
  unsigned used = 0;
  for (std::size_t i = 0; i < line.size();) {
    const CodePoint next = decode(line.substr(i));
    used += shown_width(next.value);
    if (used > columns) return true;
    i += next.length;
  }
  return false;
}

}  // namespace

CodePoint decode(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {lead, 1};
  const std::uint32_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {replacement, 1};
  char32_t value = lead & (0x7FU >> length);
  for (std::uint32_t i = 1; i < length; ++i) {
    if (!is_continuation(text[i])) return {replacement, 1};
    value = (value << 6) | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  return {value, length};
}

unsigned display_width(char32_t value) {
  if (value < 0x300) return 1;
  return within(zero_width, value) ? 0 : within(double_width, value) ? 2 : 1;
}

unsigned display_width(std::string_view text) {
  unsigned width = 0;
  while (!text.empty()) {
    const CodePoint next = decode(text);
    width += display_width(next.value);
    text.remove_prefix(next.length);
  }
  return width;
}

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const CodePoint next = decode(text);
    if (next.value == '\n' || next.value == '\t') {
      result += ' ';
    } else if (next.value == replacement || steers_terminal(next.value)) {
      result += replacement_text;
    } else {
      result += text.substr(0, next.length);
    }
    text.remove_prefix(next.length);
  }
  return result;
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t now = display_width(text);
  if (now < width) text.append(width - now, ' ');
  return text;
}

std::string right_aligned(const std::string& text, std::size_t width) {
  const std::size_t now = display_width(text);
  return now < width ? std::string(width - now, ' ') + text : text;
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string result;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, blank);
    text.remove_prefix(std::min(blank + 1, text.size()));
    if (word.empty()) continue;
    const std::size_t columns = display_width(word);
    if (column > 0 && indent + column + 1 + columns > width) {
      result += '\n';
      result.append(indent, ' ');
      column = 0;
    } else if (column > 0) {
      result += ' ';
      ++column;
    }
    result += word;
    column += columns;
  }
  return result;
}

ShownLine::ShownLine(std::string_view line, Span focus, unsigned width) {
  const auto size = static_cast<std::uint32_t>(line.size());
  focus.begin = std::min(focus.begin, size);
  if (!is_wider(line, width)) {
    append(line);
    return;
  }
  const auto marks = static_cast<unsigned>(2 * ellipsis.size());
  const Span kept = window(line, focus, width > marks + 8 ? width - marks : 8);
  first_byte_ = kept.begin;
  if (kept.begin > 0) text_ += ellipsis;
  append(line.substr(kept.begin, kept.size()));
  if (kept.end < size) text_ += ellipsis;
}

void ShownLine::append(std::string_view part) {
  unsigned column = display_width(text_);
  columns_.reserve(part.size() + 1);
  while (!part.empty()) {
    const CodePoint next = decode(part);
    columns_.insert(columns_.end(), next.length, column);
    if (next.value == '\t') {
      const unsigned blanks = tab_stop - column % tab_stop;
      text_.append(blanks, ' ');
      column += blanks;
    } else {
      text_ += printable(part.substr(0, next.length));
      column += shown_width(next.value);
    }
    part.remove_prefix(next.length);
  }
  columns_.push_back(column);
}

unsigned ShownLine::column(std::uint32_t byte) const {
  if (byte < first_byte_) return columns_.front();
  return columns_[std::min<std::size_t>(byte - first_byte_, columns_.size() - 1)];
}

}  // namespace oomlint
