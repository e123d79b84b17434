#include "integrations/files/gitignore.h"

#include "lint/text/glob.h"

#include <algorithm>

namespace oomlint {

void IgnoreRules::add(std::string_view directory, std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    while (line.ends_with(' ') && !line.ends_with("\\ ")) line.remove_suffix(1);
    if (line.empty() || line.starts_with('#')) continue;

    Rule rule;
    if (!directory.empty()) rule.directory = std::string(directory) + "/";
    rule.negated = line.starts_with('!');
    if (rule.negated) line.remove_prefix(1);
    rule.directories_only = line.ends_with('/');
    if (rule.directories_only) line.remove_suffix(1);
    rule.anchored = line.find('/') != std::string_view::npos;
    if (line.starts_with('/')) line.remove_prefix(1);
    if (line.empty()) continue;
    rule.pattern = line;
    rules_.push_back(std::move(rule));
  }
}

bool IgnoreRules::ignored(std::string_view path, bool is_directory) const {
  const auto matches = [&](const Rule& rule) {
    if (rule.directories_only && !is_directory) return false;
    if (!path.starts_with(rule.directory)) return false;
    std::string_view relative = path.substr(rule.directory.size());
    if (!rule.anchored) relative = relative.substr(relative.rfind('/') + 1);
    return glob_match(rule.pattern, relative);
  };
  const auto last = std::find_if(rules_.rbegin(), rules_.rend(), matches);
  return last != rules_.rend() && !last->negated;
}

}  // namespace oomlint
