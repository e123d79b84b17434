#include "lint/catalog/catalog.h"
#include "lint/catalog/tables.h"

#include <algorithm>

namespace oomlint {

namespace {
using catalog::ReleaseRow;

/// The last day a date may mean, as a number: "2024" -> 20241231, "2024-05" -> 20240531, "2024-05-23" ->
/// 20240523.
std::uint32_t last_day(std::string_view date) {
  std::uint32_t parts[3] = {0, 12, 31};
  std::size_t part = 0;
  for (std::size_t at = 0; at < date.size() && part < 3; ++part) {
    const std::size_t end = std::min(date.find('-', at), date.size());
    std::uint32_t number = 0;
    for (const char c : date.substr(at, end - at)) {
      if (c < '0' || c > '9' || number > 9999) return 0;
      number = number * 10 + static_cast<std::uint32_t>(c - '0');
    }
    parts[part] = number;
    at = end + 1;
  }
  return parts[0] * 10000 + parts[1] * 100 + parts[2];
}
}  // namespace

std::vector<std::pair<std::string, std::string>> releases_at(std::string_view date) {
  const catalog::Tables& t = catalog::tables();
  const std::uint32_t day = last_day(date);
  std::vector<std::pair<std::string, std::string>> current;
  for (const ReleaseRow& row : t.releases) {  // by package, then day
    if (row.day > day) continue;
    if (current.empty() || current.back().first != t.text(row.package)) {
      current.emplace_back(t.text(row.package), t.text(row.version));
    } else {
      current.back().second = t.text(row.version);
    }
  }
  return current;
}

std::string newest_release(std::string_view package) {
  const catalog::Tables& t = catalog::tables();
  std::string newest;
  for (const ReleaseRow& row : t.releases) {
    if (t.text(row.package) == package) newest = t.text(row.version);
  }
  return newest;
}

}  // namespace oomlint
