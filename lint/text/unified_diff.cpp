#include "lint/text/edits.h"

#include <algorithm>
#include <cstdint>

namespace oomlint {

namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

enum class Change : std::uint8_t { keep, remove, add };
struct Step {
  Change change;
  std::string_view line;
};

/// The changed middle by the longest common subsequence. Fixes touch few lines, so the table stays small; a
/// middle too large for it is shown as replaced as a whole.
void compare_middle(std::span<const std::string_view> before, std::span<const std::string_view> after,
                    std::vector<Step>& steps) {
  constexpr std::size_t largest_table = 4'000'000;
  const std::size_t width = after.size() + 1;
  std::vector<std::uint32_t> common;
  if ((before.size() + 1) * width <= largest_table) {
    common.resize((before.size() + 1) * width);
    for (std::size_t i = before.size(); i-- > 0;) {
      for (std::size_t j = after.size(); j-- > 0;) {
        common[i * width + j] = before[i] == after[j]
                                    ? common[(i + 1) * width + j + 1] + 1
                                    : std::max(common[(i + 1) * width + j], common[i * width + j + 1]);
      }
    }
  }
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < before.size() || j < after.size()) {
    const bool both = i < before.size() && j < after.size() && !common.empty();
    if (both && before[i] == after[j]) {
      steps.push_back({Change::keep, before[i++]});
      ++j;
    } else if (i < before.size() && (!both || common[(i + 1) * width + j] >= common[i * width + j + 1])) {
      steps.push_back({Change::remove, before[i++]});
    } else {
      steps.push_back({Change::add, after[j++]});
    }
  }
}

std::string range(std::size_t start, std::size_t count) {
  // A range of no lines names the line before it.
  return std::to_string(count == 0 ? start : start + 1) + (count == 1 ? "" : "," + std::to_string(count));
}

void print_line(char sign, std::string_view line, std::string& out) {
  out += sign;
  out += line;
  if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

}  // namespace

std::string unified_diff(std::string_view path, std::string_view before, std::string_view after) {
  if (before == after) return {};
  constexpr std::size_t context = 3;
  const std::vector<std::string_view> old_lines = lines_of(before);
  const std::vector<std::string_view> new_lines = lines_of(after);
  const std::size_t shorter = std::min(old_lines.size(), new_lines.size());
  std::size_t head = 0;
  while (head < shorter && old_lines[head] == new_lines[head]) ++head;
  std::size_t tail = 0;
  while (tail < shorter - head &&
         old_lines[old_lines.size() - 1 - tail] == new_lines[new_lines.size() - 1 - tail])
    ++tail;

  std::vector<Step> steps;
  steps.reserve(old_lines.size());
  for (std::size_t i = 0; i < head; ++i) steps.push_back({Change::keep, old_lines[i]});
  compare_middle(std::span(old_lines).subspan(head, old_lines.size() - head - tail),
                 std::span(new_lines).subspan(head, new_lines.size() - head - tail), steps);
  for (std::size_t i = 0; i < tail; ++i)
    steps.push_back({Change::keep, old_lines[old_lines.size() - tail + i]});

  std::string out = "--- " + std::string(path) + "\n+++ " + std::string(path) + "\n";
  std::size_t old_line = 0;
  std::size_t new_line = 0;
  for (std::size_t i = 0; i < steps.size();) {
    // A hunk runs from `context` lines before a change until 2 * context kept lines follow one another.
    std::size_t change = i;
    while (change < steps.size() && steps[change].change == Change::keep) ++change;
    if (change == steps.size()) break;
    const std::size_t begin = std::max(i, change - std::min(change, context));
    std::size_t end = change;
    std::size_t kept = 0;
    for (; end < steps.size() && kept <= 2 * context; ++end)
      kept = steps[end].change == Change::keep ? kept + 1 : 0;
    if (kept > context) end -= kept - context;
    old_line += begin - i;
    new_line += begin - i;

    std::size_t removed = 0;
    std::size_t added = 0;
    std::string body;
    for (std::size_t k = begin; k < end; ++k) {
      if (steps[k].change != Change::add) ++removed;
      if (steps[k].change != Change::remove) ++added;
      print_line(steps[k].change == Change::keep     ? ' '
                 : steps[k].change == Change::remove ? '-'
                                                     : '+',
                 steps[k].line, body);
    }
    out += "@@ -" + range(old_line, removed) + " +" + range(new_line, added) + " @@\n" + body;
    old_line += removed;
    new_line += added;
    i = end;
  }
  return out;
}

}  // namespace oomlint
