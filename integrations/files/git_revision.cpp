#include "integrations/files/git_revision.h"

#include <algorithm>

namespace oomlint {

namespace {

std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
  while (!line.empty() && (line.front() == '\t' || line.front() == ' ')) line.remove_prefix(1);
  return line;
}

/// The hash behind a reference: its own file, or a line "hash name" of packed-refs.
std::string hash_of(Files& files, const std::string& reference) {
  const std::string own = files.read(".git/" + reference).bytes;
  if (!own.empty()) return own.substr(0, own.find_first_of("\r\n"));
  const std::string packed = files.read(".git/packed-refs").bytes;
  for (std::string_view rest = packed; !rest.empty();) {
    const std::string_view line = next_line(rest);
    const std::size_t blank = line.find(' ');
    if (blank != std::string_view::npos && line.substr(blank + 1) == reference)
      return std::string(line.substr(0, blank));
  }
  return {};
}

std::string url_of_origin(std::string_view config) {
  bool in_origin = false;
  while (!config.empty()) {
    const std::string_view line = next_line(config);
    if (line.starts_with('[')) in_origin = line == "[remote \"origin\"]";
    const std::size_t equals = line.find('=');
    if (!in_origin || !line.starts_with("url") || equals == std::string_view::npos) continue;
    std::string_view url = line.substr(equals + 1);
    while (url.starts_with(' ')) url.remove_prefix(1);
    return std::string(url);
  }
  return {};
}

/// "git@host:owner/name.git" and "https://user:secret@host/…" as "https://host/owner/name"; empty for other
/// places.
std::string web_address(std::string url) {
  if (url.ends_with(".git")) url.resize(url.size() - 4);
  const std::size_t scheme = url.find("://");
  std::string rest = scheme == std::string::npos ? url : url.substr(scheme + 3);
  const std::size_t at = rest.substr(0, rest.find('/')).rfind('@');
  const std::size_t colon = rest.find(':');
  if (scheme == std::string::npos) {
    if (at == std::string::npos || colon == std::string::npos) return {};  // a folder of this machine
    rest[colon] = '/';
  } else if (url.starts_with("file")) {
    return {};
  }
  return "https://" + (at == std::string::npos ? rest : rest.substr(at + 1));
}

}  // namespace

std::optional<GitRevision> read_git_revision(Files& files) {
  constexpr std::string_view link = "ref: ";
  const std::string head = files.read(".git/HEAD").bytes;
  std::string_view rest = head;
  const std::string_view line = next_line(rest);
  GitRevision found;
  if (line.starts_with(link)) {
    const std::string reference(line.substr(link.size()));
    found.revision = hash_of(files, reference);
    constexpr std::string_view heads = "refs/heads/";
    if (reference.starts_with(heads)) found.branch = reference.substr(heads.size());
  } else {
    found.revision = line;
  }
  found.remote = web_address(url_of_origin(files.read(".git/config").bytes));
  if (found.revision.size() < 40 || found.remote.empty()) return std::nullopt;
  return found;
}

}  // namespace oomlint
