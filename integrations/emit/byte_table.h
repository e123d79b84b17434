#pragma once

#include "integrations/emit/style.h"
#include "lint/engine/report.h"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

/// Digits after the point at which a total is shown in GiB: one, or three where one would leave hardly
/// anything.
[[nodiscard]] int gib_decimals(std::uint64_t total_bytes);
/// "15.0 GiB"
[[nodiscard]] std::string gib_text(std::uint64_t bytes, int decimals = 1);
/// Parts of a total in units of `unit` (fractional units allowed in `bytes`), rounded so that they add up to
/// the rounded total: the largest remainders are rounded up. Parts that do not sum to the total are rounded
/// one by one.
[[nodiscard]] std::vector<std::uint64_t> rounded_parts(const std::vector<std::uint64_t>& parts,
                                                       std::uint64_t total, double unit);

/// The sum behind a peak, a line a term: GiB, share, dtype, formula and the lines of the config it comes from
/// ("line 7" in `main_path`, "ds.json:3" elsewhere), then the total against the card.
void print_byte_table(const ByteTable& table, const Report& report, std::string_view main_path,
                      std::string_view total_name, const Painter& paint, std::ostream& out);

}  // namespace oomlint
