#include "lint/engine/files.h"

#include <algorithm>

namespace oomlint {

const char* to_string(ReadError error) {
  switch (error) {
    case ReadError::none:
      return "no error";
    case ReadError::missing:
      return "no such file";
    case ReadError::no_permission:
      return "permission denied";
    case ReadError::not_regular:
      return "not a regular file";
    case ReadError::too_large:
      return "larger than 1 MiB";
    case ReadError::outside_root:
      return "outside the repository";
    case ReadError::io:
      return "can't be read";
  }
  return "can't be read";
}

std::optional<std::string> normalise(std::string_view path) {
  if (path.starts_with('/') || path.find('\0') != std::string_view::npos) return std::nullopt;
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, slash);
    path.remove_prefix(std::min(slash + 1, path.size()));
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      if (parts.empty()) return std::nullopt;
      parts.pop_back();
    } else {
      parts.push_back(part);
    }
  }
  std::string joined;
  for (const std::string_view part : parts) {
    if (!joined.empty()) joined += '/';
    joined += part;
  }
  return joined;
}

std::optional<std::string> resolve_beside(std::string_view from_file, std::string_view relative) {
  if (relative.starts_with('/')) return std::nullopt;
  const std::size_t slash = from_file.rfind('/');
  const std::string_view directory = slash == std::string_view::npos ? "" : from_file.substr(0, slash + 1);
  return normalise(std::string(directory) + std::string(relative));
}

}  // namespace oomlint
