#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

/// What GitHub's upload action computes for each line as `primaryLocationLineHash` (codeql-action,
/// src/fingerprints.ts): a rolling hash, base 37 modulo 2^64, over the hundred UTF-16 units from the start of
/// the line on, blanks and tabs left out, CR and CRLF taken as LF; then ":n" for its nth occurrence. Index 0
/// is the first line. A value that differs from what the action computes makes it warn about every result.
[[nodiscard]] std::vector<std::string> line_hashes(std::string_view bytes);

/// Identity of a finding that survives moved lines: rule, shown path and logical place, hashed (FNV-1a, 64
/// bits, hex).
[[nodiscard]] std::string stable_fingerprint(std::string_view rule, std::string_view path,
                                             std::string_view place);

}  // namespace oomlint
