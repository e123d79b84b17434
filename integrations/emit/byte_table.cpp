#include "integrations/emit/byte_table.h"

#include "integrations/emit/display.h"
#include "integrations/emit/excerpt.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <ostream>
#include <set>

namespace oomlint {

namespace {

constexpr double gib = 1073741824.0;
constexpr std::string_view indent = "     ";

std::string decimal(double value, int decimals) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  return text.data();
}

/// "lines 8, 9, ds.json:3"
std::string inputs_text(const std::vector<Location>& inputs, const Report& report,
                        std::string_view main_path) {
  std::set<std::uint32_t> here;
  std::vector<std::string> elsewhere;
  for (const Location& input : inputs) {
    const SourceFile* source = source_of(report, input.path);
    if (source == nullptr) continue;
    const std::uint32_t line = source->position(input.span.begin).line + 1;
    if (input.path == main_path) {
      here.insert(line);
      continue;
    }
    std::string text = printable(input.path) + ':' + std::to_string(line);
    if (std::find(elsewhere.begin(), elsewhere.end(), text) == elsewhere.end())
      elsewhere.push_back(std::move(text));
  }
  std::string text;
  for (const std::uint32_t line : here) {
    text += text.empty() ? (here.size() > 1 ? "lines " : "line ") : ", ";
    text += std::to_string(line);
  }
  for (const std::string& place : elsewhere) text += (text.empty() ? "" : ", ") + place;
  return text;
}

struct Cells {
  std::string name, size, share, from, inputs;
};

void print_row(const Cells& cells, const Cells& widths, std::ostream& out) {
  std::string line = padded(cells.name, widths.name.size()) + "  " +
                     right_aligned(cells.size, widths.size.size()) + "  " +
                     right_aligned(cells.share, widths.share.size()) + "  " +
                     padded(cells.from, widths.from.size()) + "  " + cells.inputs;
  line.erase(line.find_last_not_of(' ') + 1);
  out << indent << line << '\n';
}

void widen(std::string& width, const std::string& text) {
  width.resize(std::max<std::size_t>(width.size(), display_width(text)), '-');
}

std::string against_card(const ByteTable& table, int decimals) {
  if (table.capacity_bytes == 0) return {};
  std::string text = "limit " + gib_text(table.capacity_bytes, decimals);
  if (!table.card.empty()) text += " (" + printable(table.card) + ")";
  const bool over = table.total_bytes > table.capacity_bytes;
  const std::uint64_t gap =
      over ? table.total_bytes - table.capacity_bytes : table.capacity_bytes - table.total_bytes;
  return text + (over ? ", over by " : ", free ") + gib_text(gap, decimals);
}

}  // namespace

int gib_decimals(std::uint64_t total_bytes) {
  return static_cast<double>(total_bytes) < gib ? 3 : 1;
}

std::string gib_text(std::uint64_t bytes, int decimals) {
  const double steps = std::pow(10.0, decimals);  // rounded as rounded_parts does, ties included
  return decimal(std::round(static_cast<double>(bytes) / gib * steps) / steps, decimals) + " GiB";
}

std::vector<std::uint64_t> rounded_parts(const std::vector<std::uint64_t>& parts, std::uint64_t total,
                                         double unit) {
  std::vector<std::uint64_t> whole(parts.size());
  if (std::accumulate(parts.begin(), parts.end(), std::uint64_t{0}) != total) {
    std::transform(parts.begin(), parts.end(), whole.begin(), [&](std::uint64_t part) {
      return static_cast<std::uint64_t>(std::llround(static_cast<double>(part) / unit));
    });
    return whole;
  }
  std::vector<double> remainder(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double exact = static_cast<double>(parts[i]) / unit;
    whole[i] = static_cast<std::uint64_t>(exact);
    remainder[i] = exact - std::floor(exact);
  }
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return remainder[a] > remainder[b]; });
  const auto wanted = static_cast<std::uint64_t>(std::llround(static_cast<double>(total) / unit));
  const std::uint64_t have = std::accumulate(whole.begin(), whole.end(), std::uint64_t{0});
  for (std::size_t i = 0; i < order.size() && have + i < wanted; ++i) ++whole[order[i]];
  return whole;
}

void print_byte_table(const ByteTable& table, const Report& report, std::string_view main_path,
                      std::string_view total_name, const Painter& paint, std::ostream& out) {
  std::vector<std::uint64_t> bytes;
  bytes.reserve(table.rows.size());
  for (const ByteRow& row : table.rows) bytes.push_back(row.bytes);
  const int decimals = gib_decimals(table.total_bytes);
  const double step = std::pow(10.0, -decimals);
  const auto sizes = rounded_parts(bytes, table.total_bytes, gib * step);
  const auto shares =
      rounded_parts(bytes, table.total_bytes, std::max(1.0, static_cast<double>(table.total_bytes)) / 100.0);

  std::vector<Cells> rows{{"part", "", "share", "from", ""}};
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const ByteRow& row = table.rows[i];
    std::string from = printable(row.formula);
    if (!row.dtype.empty()) from += (from.empty() ? "" : "  ") + printable(row.dtype);
    rows.push_back({printable(row.name), decimal(static_cast<double>(sizes[i]) * step, decimals) + " GiB",
                    std::to_string(shares[i]) + " %", std::move(from),
                    inputs_text(row.inputs, report, main_path)});
  }
  const Cells total{std::string(total_name), gib_text(table.total_bytes, decimals), "", "", ""};
  Cells widths;
  for (const Cells& cells : rows) {
    widen(widths.name, cells.name);
    widen(widths.size, cells.size);
    widen(widths.share, cells.share);
    widen(widths.from, cells.from);
  }
  widen(widths.name, total.name);
  widen(widths.size, total.size);

  for (const Cells& cells : rows) print_row(cells, widths, out);
  const std::size_t rule = widths.name.size() + widths.size.size() + widths.share.size() + 4;
  out << indent << std::string(rule, '-') << '\n';
  const std::string last =
      padded(total.name, widths.name.size()) + "  " + right_aligned(total.size, widths.size.size());
  const std::string against = against_card(table, decimals);
  out << indent << paint(Style::bold, last);
  if (!against.empty()) out << "  " << against;
  out << '\n';
}

}  // namespace oomlint
