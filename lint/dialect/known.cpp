#include "lint/dialect/dialect.h"
#include "lint/dialect/paths.h"
#include "lint/text/nearest.h"

#include <algorithm>
#include <vector>

namespace oomlint {

namespace {

bool covers(std::string_view pattern, std::string_view path) {
  if (!pattern.ends_with(".*")) return pattern == path;
  pattern.remove_suffix(2);
  return path.starts_with(pattern) &&
         (path.size() == pattern.size() || path[pattern.size()] == '.' || path[pattern.size()] == '[');
}

/// Whether `path` leads to something known: `a` when only `a.b` is listed.
bool leads_to(std::string_view path, std::string_view known) {
  return known.size() > path.size() && known.starts_with(path) &&
         (known[path.size()] == '.' || known[path.size()] == '[');
}

}  // namespace

const KnownKey* known_key(const Dialect& dialect, std::string_view path) {
  const std::string plain = without_indices(path);
  const auto row = std::find_if(dialect.known.begin(), dialect.known.end(),
                                [&](const KnownKey& known) { return covers(known.path, plain); });
  return row == dialect.known.end() ? nullptr : &*row;
}

bool is_known_key(const Dialect& dialect, std::string_view path) {
  const std::string plain = without_indices(path);
  const auto knows = [&](std::string_view known) { return covers(known, plain) || leads_to(plain, known); };
  return std::any_of(dialect.known.begin(), dialect.known.end(),
                     [&](const KnownKey& known) { return knows(known.path); }) ||
         std::any_of(dialect.keys.begin(), dialect.keys.end(),
                     [&](const KeySpec& key) { return knows(path_of(key)); });
}

Renaming renaming_of(const Dialect& dialect, std::string_view path) {
  const std::string plain = without_indices(path);
  const auto whole = [](std::string_view pattern) {
    return pattern.substr(0, pattern.size() - (pattern.ends_with(".*") ? 2 : 0));
  };
  const KnownKey* row = known_key(dialect, plain);
  const bool listed = row != nullptr && !row->renamed_to.empty();
  for (const KeySpec& key : dialect.keys) {
    if (path_of(key) != plain || key.renamed_to.empty()) continue;
    if (listed && whole(row->path) != plain) return {};
    return {std::string(key.renamed_to), key.until};
  }
  if (!listed || whole(row->path) != plain) return {};
  return {std::string(whole(row->renamed_to)), row->until};
}

std::string nearest_known_key(const Dialect& dialect, std::string_view path) {
  const std::string plain = without_indices(path);
  const std::string_view parent = parent_of(plain);
  const auto name_in = [&](std::string_view full) {
    return full.substr(parent.empty() ? 0 : parent.size() + 1);
  };
  std::vector<std::string_view> names;
  const auto consider = [&](std::string_view known) {
    if (!known.ends_with(".*") && parent_of(known) == parent) names.push_back(name_in(known));
  };
  for (const KeySpec& key : dialect.keys) {
    if (key.renamed_to.empty()) consider(path_of(key));
  }
  for (const KnownKey& known : dialect.known) {
    if (known.until.empty() && known.renamed_to.empty()) consider(known.path);
  }
  const std::string_view found = nearest(name_in(plain), names);
  if (found.empty() || parent.empty()) return std::string(found);
  return std::string(parent) + '.' + std::string(found);
}

}  // namespace oomlint
