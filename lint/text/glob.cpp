#include "lint/text/glob.h"

#include <cstddef>
#include <optional>

namespace oomlint {

namespace {

/// Whether a class such as `[a-z_]` at the front of the pattern holds `c`; `length` receives how long the
/// class is. Nothing when the bracket never closes: then it is a plain character.
std::optional<bool> class_holds(std::string_view pattern, char c, std::size_t& length) {
  std::size_t i = 1;
  const bool negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (negated) ++i;
  bool found = false;
  for (bool first = true; i < pattern.size(); first = false) {
    if (pattern[i] == ']' && !first) {
      length = i + 1;
      return c != '/' && found != negated;
    }
    if (pattern[i] == '\\' && i + 1 < pattern.size()) ++i;
    const char low = pattern[i++];
    char high = low;
    if (i + 1 < pattern.size() && pattern[i] == '-' && pattern[i + 1] != ']') {
      high = pattern[i + 1];
      i += 2;
    }
    found = found || (low <= c && c <= high);
  }
  return std::nullopt;
}

/// Matches one character of the path against the front of the pattern; the pattern's length is written on
/// success.
bool matches_one(std::string_view pattern, char c, std::size_t& length) {
  length = 1;
  if (pattern[0] == '?') return c != '/';
  if (pattern[0] == '[') {
    if (const auto holds = class_holds(pattern, c, length)) return *holds;
    length = 1;
  }
  if (pattern[0] == '\\' && pattern.size() > 1) {
    length = 2;
    return pattern[1] == c;
  }
  return pattern[0] == c;
}

}  // namespace

bool glob_match(std::string_view pattern, std::string_view path) {
  // The last `*` and the last `**` are where a failed attempt goes on; earlier ones need not be tried again.
  struct Retry {
    std::size_t pattern = std::string_view::npos;
    std::size_t path = 0;
  };
  Retry star;
  Retry deep;
  std::size_t p = 0;
  std::size_t s = 0;
  while (s < path.size() || p < pattern.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      const bool doubled = pattern.substr(p, 2) == "**";
      if (doubled) {
        p += 2;
        if (p < pattern.size() && pattern[p] == '/') ++p;  // `**/` also matches no folder at all
        deep = {p, s};
        star = {};
      } else {
        star = {++p, s};
      }
      continue;
    }
    std::size_t length = 0;
    if (p < pattern.size() && s < path.size() && matches_one(pattern.substr(p), path[s], length)) {
      p += length;
      ++s;
      continue;
    }
    if (star.pattern != std::string_view::npos && star.path < path.size() && path[star.path] != '/') {
      s = ++star.path;
      p = star.pattern;
    } else if (deep.pattern != std::string_view::npos && deep.path < path.size()) {
      // After `**/` only whole names may be skipped.
      const bool whole_names = deep.pattern > 0 && pattern[deep.pattern - 1] == '/';
      do ++deep.path;
      while (whole_names && deep.path < path.size() && path[deep.path - 1] != '/');
      star = {};
      s = deep.path;
      p = deep.pattern;
    } else {
      return false;
    }
  }
  return true;
}

bool path_matches(std::string_view pattern, std::string_view path) {
  while (pattern.starts_with("./")) pattern.remove_prefix(2);
  while (pattern.size() > 1 && pattern.ends_with('/')) pattern.remove_suffix(1);
  const bool anchored = pattern.find('/') != std::string_view::npos;
  if (pattern.starts_with('/')) pattern.remove_prefix(1);
  // Every leading part of the path counts, so that naming a folder means what is in it.
  for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
    const std::string_view part = path.substr(0, end);
    const std::size_t slash = part.rfind('/');
    const std::string_view name = slash == std::string_view::npos ? part : part.substr(slash + 1);
    if (glob_match(pattern, anchored ? part : name)) return true;
    if (end == std::string_view::npos) return false;
  }
}

}  // namespace oomlint
