#include "lint/text/edits.h"

#include <algorithm>

namespace oomlint {

std::string apply_edits(std::string_view text, std::span<const TextEdit> edits) {
  std::vector<const TextEdit*> sorted;
  for (const TextEdit& edit : edits) sorted.push_back(&edit);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const TextEdit* a, const TextEdit* b) { return a->span < b->span; });
  std::string result;
  std::size_t done = 0;
  for (const TextEdit* edit : sorted) {
    result += text.substr(done, edit->span.begin - done);
    result += edit->text;
    done = edit->span.end;
  }
  return result += text.substr(done);
}

bool overlap(std::span<const TextEdit> a, std::span<const TextEdit> b) {
  return std::any_of(a.begin(), a.end(), [&](const TextEdit& x) {
    return std::any_of(b.begin(), b.end(), [&](const TextEdit& y) {
      if (x.path != y.path) return false;
      return x.span.begin == y.span.begin || (x.span.begin < y.span.end && y.span.begin < x.span.end);
    });
  });
}

}  // namespace oomlint
