#include "parsers/repair.h"

#include "lint/text/source_file.h"

#include <algorithm>

namespace oomlint {
namespace {

bool is_forbidden_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
}

std::string control_message(char c) {
  if (c == '\0') return "NUL byte: this is not a text file";
  constexpr std::string_view digits = "0123456789ABCDEF";
  return std::string("control character U+00") + digits[static_cast<unsigned char>(c) >> 4U] +
         digits[static_cast<unsigned char>(c) & 15U];
}

}  // namespace

Repair repair_bytes(std::string_view bytes) {
  Repair repair;
  const auto control = std::find_if(bytes.begin(), bytes.end(), is_forbidden_control);
  std::uint32_t bad = 0;
  const bool valid = is_valid_utf8(bytes, &bad);
  if (valid && control == bytes.end()) return repair;

  const auto control_at = static_cast<std::uint32_t>(control - bytes.begin());
  if (!valid && bad < control_at) {
    repair.problem = {{bad, bad + 1}, "byte that is not UTF-8"};
  } else {
    repair.problem = {{control_at, control_at + 1}, control_message(*control)};
  }
  repair.text = bytes;
  std::replace_if(repair.text.begin(), repair.text.end(), is_forbidden_control, '?');
  if (!valid) {
    // Whole sequences that are well-formed stay; each byte of the others goes.
    for (std::size_t at = bad; at < repair.text.size(); at += bad) {
      if (is_valid_utf8(std::string_view(repair.text).substr(at), &bad)) break;
      repair.text[at + bad] = '?';
    }
  }
  return repair;
}

std::uint32_t bom_size(std::string_view bytes) {
  return bytes.starts_with("\xEF\xBB\xBF") ? 3 : 0;
}

Span rest_of_line(std::string_view bytes, std::size_t offset) {
  const std::size_t begin = std::min(offset, bytes.size());
  std::size_t end = std::min(bytes.find_first_of("\r\n", begin), bytes.size());
  while (end > begin + 1 && (bytes[end - 1] == ' ' || bytes[end - 1] == '\t')) --end;
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

}  // namespace oomlint
