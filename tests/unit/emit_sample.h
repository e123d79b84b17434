#pragma once

#include "integrations/emit/emit.h"

#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

namespace oomlint::test {

/// A report made by hand, with something of everything an emitter must print: three severities, four files
/// (paths with umlauts, blanks, colons and brackets), related places in two files, a byte table, fixes of
/// every applicability, suppressed findings, a run with a card, one without, and a fragment.
[[nodiscard]] Report sample_report();

/// A report of one file with one finding that covers `needle`.
[[nodiscard]] Report one_finding(std::string path, std::string text, std::string_view needle);

/// Compares what `emit` prints with tests/goldens/emit/NAME. With OOMLINT_UPDATE_GOLDENS set in the
/// environment the file is written instead.
void check_golden(std::string_view name, const std::function<void(std::ostream&)>& emit);

[[nodiscard]] std::string printed(const std::function<void(std::ostream&)>& emit);

}  // namespace oomlint::test
