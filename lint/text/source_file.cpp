#include "lint/text/source_file.h"

#include <algorithm>
#include <utility>

namespace oomlint {

namespace {

constexpr bool is_continuation(unsigned char byte) {
  return (byte & 0xC0U) == 0x80U;
}

/// Length of the sequence a lead byte announces; stray bytes count as one.
std::uint32_t sequence_length(unsigned char lead) {
  if (lead >= 0xF0) return 4;
  if (lead >= 0xE0) return 3;
  if (lead >= 0xC0) return 2;
  return 1;
}

}  // namespace

SourceFile::SourceFile(std::string path, std::string bytes)
    : path_(std::move(path)), bytes_(std::move(bytes)) {
  for (std::uint32_t i = 0; i < bytes_.size(); ++i) {
    const bool lone_return = bytes_[i] == '\r' && (i + 1 == bytes_.size() || bytes_[i + 1] != '\n');
    if (bytes_[i] == '\n' || lone_return) line_starts_.push_back(i + 1);
  }
}

std::string_view SourceFile::text(Span span) const {
  const auto size = static_cast<std::uint32_t>(bytes_.size());
  const std::uint32_t begin = std::min(span.begin, size);
  const std::uint32_t end = std::clamp(span.end, begin, size);
  return std::string_view(bytes_).substr(begin, end - begin);
}

std::uint32_t SourceFile::line_of(std::uint32_t offset) const {
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  return static_cast<std::uint32_t>(after - line_starts_.begin()) - 1;
}

std::string_view SourceFile::line(std::uint32_t index) const {
  const std::uint32_t begin = line_starts_[index];
  std::uint32_t end =
      index + 1 < line_starts_.size() ? line_starts_[index + 1] : static_cast<std::uint32_t>(bytes_.size());
  while (end > begin && (bytes_[end - 1] == '\n' || bytes_[end - 1] == '\r')) --end;
  return std::string_view(bytes_).substr(begin, end - begin);
}

Position SourceFile::position(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(bytes_.size()));
  Position at;
  at.line = line_of(offset);
  at.byte_column = offset - line_starts_[at.line];
  for (std::uint32_t i = line_starts_[at.line]; i < offset;) {
    const std::uint32_t length = sequence_length(static_cast<unsigned char>(bytes_[i]));
    at.utf16_column += length == 4 ? 2 : 1;
    at.code_point_column += 1;
    i += length;
  }
  return at;
}

std::uint32_t SourceFile::offset_at_utf16(std::uint32_t line_index, std::uint32_t utf16_column) const {
  if (line_index >= line_starts_.size()) return static_cast<std::uint32_t>(bytes_.size());
  const std::string_view content = line(line_index);
  std::uint32_t offset = 0;
  for (std::uint32_t units = 0; offset < content.size() && units < utf16_column;) {
    const std::uint32_t length = sequence_length(static_cast<unsigned char>(content[offset]));
    units += length == 4 ? 2 : 1;
    offset += length;
  }
  return line_starts_[line_index] + std::min(offset, static_cast<std::uint32_t>(content.size()));
}

std::string_view SourceFile::newline() const {
  std::size_t crlf = 0;
  for (std::size_t at = bytes_.find("\r\n"); at != std::string::npos; at = bytes_.find("\r\n", at + 2))
    ++crlf;
  return crlf * 2 >= line_starts_.size() && crlf > 0 ? "\r\n" : "\n";
}

bool is_valid_utf8(std::string_view bytes, std::uint32_t* bad_offset) {
  const auto fail = [&](std::size_t at) {
    if (bad_offset != nullptr) *bad_offset = static_cast<std::uint32_t>(at);
    return false;
  };
  for (std::size_t i = 0; i < bytes.size();) {
    const auto lead = static_cast<unsigned char>(bytes[i]);
    if (lead < 0x80) {
      ++i;
      continue;
    }
    if (lead < 0xC2 || lead > 0xF4) return fail(i);
    const std::uint32_t length = sequence_length(lead);
    if (i + length > bytes.size()) return fail(i);
    for (std::uint32_t k = 1; k < length; ++k) {
      if (!is_continuation(static_cast<unsigned char>(bytes[i + k]))) return fail(i);
    }
    const auto second = static_cast<unsigned char>(bytes[i + 1]);
    const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
    const bool surrogate = lead == 0xED && second > 0x9F;
    const bool too_large = lead == 0xF4 && second > 0x8F;
    if (overlong || surrogate || too_large) return fail(i);
    i += length;
  }
  return true;
}

}  // namespace oomlint
