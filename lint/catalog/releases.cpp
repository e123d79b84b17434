#include "lint/catalog/catalog.h"
#include "lint/catalog/tables.h"

#include <algorithm>
#include <optional>

namespace oomlint {

namespace {
using catalog::ReleaseRow;

/// Both ends included, days as the number 20240523.
struct Period {
  std::uint32_t first_day = 0;
  std::uint32_t last_day = 0;
};

/// "2024" -> the year, "2024-05" -> the month, "2024-05-23" -> the day.
std::optional<Period> parse_period(std::string_view date) {
  constexpr std::uint32_t scale[] = {10000, 100, 1};
  constexpr std::uint32_t whole[] = {9999, 9999, 99};
  Period period;
  std::size_t part = 0;
  for (std::size_t at = 0; at < date.size(); ++part) {
    const std::size_t end = std::min(date.find('-', at), date.size());
    if (part == 3 || end == at || end - at > 4) return std::nullopt;
    std::uint32_t number = 0;
    for (const char c : date.substr(at, end - at)) {
      if (c < '0' || c > '9') return std::nullopt;
      number = number * 10 + static_cast<std::uint32_t>(c - '0');
    }
    period.first_day += number * scale[part];
    at = end + 1;
  }
  if (part == 0) return std::nullopt;
  period.last_day = period.first_day + (part == 3 ? 0 : whole[part]);
  return period;
}

std::vector<CurrentReleases> current_in(Period period) {
  const catalog::Tables& t = catalog::tables();
  std::vector<CurrentReleases> current;
  for (const ReleaseRow& row : t.releases) {  // by package, then day
    if (row.day > period.last_day) continue;
    const std::string_view version = t.text(row.version);
    if (current.empty() || current.back().package != t.text(row.package))
      current.push_back({t.text(row.package), version, version});
    if (row.day <= period.first_day) current.back().oldest = version;
    current.back().newest = version;
  }
  return current;
}

Period last_twelve_months() {
  constexpr std::uint32_t year = 10000;
  std::uint32_t last_day = 0;
  for (const ReleaseRow& row : catalog::tables().releases) last_day = std::max(last_day, row.day);
  return {last_day - std::min(last_day, year), last_day};
}
}  // namespace

std::vector<CurrentReleases> releases_of(std::string_view period) {
  const auto days = parse_period(period);
  return days ? current_in(*days) : std::vector<CurrentReleases>{};
}

std::vector<CurrentReleases> recent_releases() {
  return current_in(last_twelve_months());
}

std::optional<CurrentReleases> releases_within(std::string_view package, std::optional<Version> at_least,
                                               std::optional<Version> below) {
  const catalog::Tables& t = catalog::tables();
  const Period recent = last_twelve_months();
  std::optional<CurrentReleases> within;
  for (const ReleaseRow& row : t.releases) {  // by package, then day
    if (t.text(row.package) != package) continue;
    const std::string_view text = t.text(row.version);
    const auto version = parse_version(text);
    if (!version || (at_least && *version < *at_least) || (below && *version >= *below)) continue;
    if (!within) within = CurrentReleases{t.text(row.package), text, text};
    if (row.day <= recent.first_day) within->oldest = text;
    within->newest = text;
  }
  if (!within) return within;
  // Bounds that admit nothing of the last twelve months admit the newest of what is older.
  const auto current = current_in(recent);
  const auto found = std::find_if(current.begin(), current.end(),
                                  [&](const CurrentReleases& each) { return each.package == package; });
  const auto newest = parse_version(within->newest);
  if (found != current.end() && newest && *newest < parse_version(found->oldest))
    within->oldest = within->newest;
  return within;
}

}  // namespace oomlint
