#include "integrations/cli/inputs.h"

#include "integrations/files/disk_files.h"
#include "integrations/files/memory_files.h"
#include "integrations/files/walk.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace oomlint {

namespace {

namespace fs = std::filesystem;

/// An absolute path without links in its folders; the last name may itself be a link, or not exist.
std::string absolute(const std::string& argument) {
  std::error_code error;
  fs::path path = fs::absolute(argument, error).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  const fs::path parent = fs::weakly_canonical(path.parent_path(), error);
  return error ? path.string() : (parent / path.filename()).string();
}

bool is_below(const std::string& path, const std::string& root) {
  return path == root || root.empty() || path.starts_with(root + "/");
}

/// The repository around a folder, or the folder.
std::string repository_of(const std::string& directory) {
  std::error_code error;
  for (fs::path at = directory;; at = at.parent_path()) {
    if (fs::exists(at / ".git", error)) return at.string();
    if (at == at.parent_path()) return directory;
  }
}

std::string common_folder(std::string a, const std::string& b) {
  while (!is_below(b, a)) a = a.substr(0, a.rfind('/'));
  return a;
}

std::string folder_of(const std::string& argument) {
  std::error_code error;
  const std::string path = absolute(argument);
  return fs::is_directory(path, error) ? path : fs::path(path).parent_path().string();
}

/// All of standard input, at most one byte more than a file may have.
std::string read_standard_input() {
  std::string bytes(max_file_bytes + 1, '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t count = ::read(STDIN_FILENO, bytes.data() + filled, bytes.size() - filled);
    if (count <= 0) break;
    filled += static_cast<std::size_t>(count);
  }
  bytes.resize(filled);
  return bytes;
}

std::string choose_root(const std::vector<std::string>& named) {
  std::error_code error;
  const std::string here = fs::canonical(fs::current_path(error), error).string();
  std::string root = repository_of(here);
  const bool all_below = std::all_of(named.begin(), named.end(),
                                     [&](const std::string& path) { return is_below(absolute(path), root); });
  if (all_below) return root;
  std::string common = repository_of(folder_of(named.front()));
  for (const std::string& path : named) common = common_folder(common, repository_of(folder_of(path)));
  return common;
}

}  // namespace

std::optional<std::string> Workspace::below_root(const std::string& argument) const {
  const std::string path = absolute(argument);
  if (!is_below(path, root)) return std::nullopt;
  return path == root ? std::string() : path.substr(root.size() + 1);
}

Workspace open_workspace(const Options& options) {
  std::vector<std::string> named;
  for (const std::string& argument : options.arguments) {
    if (argument != "-") named.push_back(argument);
  }
  const bool from_stdin = named.size() < options.arguments.size() || !options.stdin_filename.empty();
  if (!options.stdin_filename.empty()) named.push_back(options.stdin_filename);

  Workspace workspace;
  workspace.root = choose_root(named);
  if (workspace.root == "/") workspace.root.clear();
  workspace.disk = std::make_unique<DiskFiles>(workspace.root.empty() ? "/" : workspace.root);
  if (from_stdin) {
    const std::string name = options.stdin_filename.empty() ? "stdin.yaml" : options.stdin_filename;
    workspace.stdin_path = workspace.below_root(name).value_or(name);
    auto overlay = std::make_unique<OverlayFiles>(*workspace.disk);
    overlay->set(workspace.stdin_path, read_standard_input());
    workspace.overlay = std::move(overlay);
  }
  return workspace;
}

std::vector<Input> collect_inputs(Workspace& workspace, const Options& options,
                                  const std::vector<std::string>& excludes,
                                  std::vector<std::string>& unreadable) {
  std::vector<Input> inputs;
  std::vector<std::string> arguments = options.arguments;
  if (arguments.empty() && workspace.stdin_path.empty()) arguments.emplace_back(".");
  for (const std::string& argument : arguments) {
    if (argument == "-") continue;
    const auto path = workspace.below_root(argument);
    if (!path) {
      unreadable.push_back(argument + ": " + to_string(ReadError::outside_root));
      continue;
    }
    std::error_code error;
    if (!fs::is_directory(workspace.root + "/" + *path, error)) {
      if (!is_excluded(*path, excludes)) inputs.push_back({*path, true});
      continue;
    }
    for (std::string& found : walk(workspace.files(), *path, excludes))
      inputs.push_back({std::move(found), false});
  }
  if (!workspace.stdin_path.empty()) inputs.push_back({workspace.stdin_path, true});

  // Named before found, so that a file met twice stays named.
  std::stable_sort(inputs.begin(), inputs.end(), [](const Input& a, const Input& b) {
    return a.path != b.path ? a.path < b.path : a.named && !b.named;
  });
  inputs.erase(std::unique(inputs.begin(), inputs.end(),
                           [](const Input& a, const Input& b) { return a.path == b.path; }),
               inputs.end());
  return inputs;
}

}  // namespace oomlint
