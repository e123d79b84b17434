#include "tests/support/errors.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace oomlint::test {

double percent_off(Bytes estimated, Bytes counted) {
  const auto expected = static_cast<double>(counted.count());
  return counted.count() == 0 ? 0 : (static_cast<double>(estimated.count()) - expected) / expected * 100;
}

void Errors::add(const std::string& group, double percent, const std::string& what) {
  groups_[group].push_back({percent, what});
}

std::vector<std::string> Errors::groups() const {
  std::vector<std::string> names;
  for (const auto& [name, rows] : groups_) names.push_back(name);
  return names;
}

double Errors::mean() const {
  double total = 0;
  for (const auto& [name, rows] : groups_) total += mean(name) * static_cast<double>(rows.size());
  return count() == 0 ? 0 : total / static_cast<double>(count());
}

double Errors::mean(const std::string& group) const {
  const auto found = groups_.find(group);
  if (found == groups_.end()) return 0;
  double total = 0;
  for (const Deviation& row : found->second) total += std::abs(row.percent);
  return total / static_cast<double>(found->second.size());
}

std::size_t Errors::count() const {
  std::size_t all = 0;
  for (const auto& [name, rows] : groups_) all += rows.size();
  return all;
}

double Errors::share_within(double percent) const {
  std::size_t within = 0;
  for (const auto& [name, rows] : groups_)
    within += std::count_if(rows.begin(), rows.end(),
                            [&](const Deviation& row) { return std::abs(row.percent) <= percent; });
  return count() == 0 ? 0 : static_cast<double>(within) / static_cast<double>(count());
}

double Errors::lowest() const {
  double lowest = 0;
  for (const auto& [name, rows] : groups_) {
    for (const Deviation& row : rows) lowest = std::min(lowest, row.percent);
  }
  return lowest;
}

std::string Errors::table(double beyond) const {
  std::string text;
  std::string outside;
  char line[160];
  for (const auto& [name, rows] : groups_) {
    double largest = 0;
    for (const Deviation& row : rows) {
      if (std::abs(row.percent) > std::abs(largest)) largest = row.percent;
      if (std::abs(row.percent) <= beyond) continue;
      std::snprintf(line, sizeof line, "\n  %+.2f %%  ", row.percent);
      outside += line + row.what;
    }
    std::snprintf(line, sizeof line, "\n%-28s %4zu rows  mean %6.2f %%  largest %+6.2f %%", name.c_str(),
                  rows.size(), mean(name), largest);
    text += line;
  }
  return text + (outside.empty() ? "\nno row beyond" : "\nbeyond:" + outside);
}

}  // namespace oomlint::test
