#include "integrations/files/memory_files.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace oomlint {

FileContent MemoryFiles::read(std::string_view path) {
  const auto inside = normalise(path);
  if (!inside) return {{}, ReadError::outside_root};
  const auto found = files_.find(*inside);
  if (found == files_.end()) return {{}, ReadError::missing};
  if (found->second.size() > max_file_bytes) return {{}, ReadError::too_large};
  return {found->second, ReadError::none};
}

bool MemoryFiles::exists(std::string_view path) {
  const auto inside = normalise(path);
  return inside && files_.contains(*inside);
}

std::vector<std::string> MemoryFiles::list(std::string_view directory) {
  const auto inside = normalise(directory);
  if (!inside) return {};
  const std::string prefix = inside->empty() ? "" : *inside + "/";
  std::set<std::string> names;
  for (const auto& [path, bytes] : files_) {
    if (!path.starts_with(prefix)) continue;
    const std::size_t slash = path.find('/', prefix.size());
    names.insert(path.substr(prefix.size(), slash == std::string::npos ? slash : slash + 1 - prefix.size()));
  }
  return {names.begin(), names.end()};
}

FileContent OverlayFiles::read(std::string_view path) {
  return above_.exists(path) ? above_.read(path) : below_.read(path);
}

bool OverlayFiles::exists(std::string_view path) {
  return above_.exists(path) || below_.exists(path);
}

std::vector<std::string> OverlayFiles::list(std::string_view directory) {
  const std::vector<std::string> above = above_.list(directory);
  const std::vector<std::string> below = below_.list(directory);
  std::vector<std::string> names;
  std::set_union(above.begin(), above.end(), below.begin(), below.end(), std::back_inserter(names));
  return names;
}

}  // namespace oomlint
