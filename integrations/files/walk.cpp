#include "integrations/files/walk.h"

#include "integrations/files/gitignore.h"
#include "lint/text/glob.h"

#include <algorithm>
#include <array>

namespace oomlint {

namespace {

constexpr int max_depth = 64;
constexpr std::array<std::string_view, 8> extensions{".yaml", ".yml",  ".toml",   ".json",
                                                     ".sh",   ".bash", ".sbatch", ".slurm"};
constexpr std::array<std::string_view, 13> foreign_folders{
    ".git",          ".hg",  ".svn", "node_modules", "__pycache__", ".venv",        "venv",
    "site-packages", ".tox", ".nox", ".mypy_cache",  ".ruff_cache", ".pytest_cache"};

class Walker {
 public:
  Walker(Files& files, const std::vector<std::string>& excludes) : files_(files), excludes_(excludes) {}

  std::vector<std::string> walk(const std::string& start) {
    read_rules_above(start);
    enter(start, 0);
    return std::move(found_);
  }

 private:
  void read_rules_above(const std::string& start) {
    rules_.add("", files_.read(".git/info/exclude").bytes);
    if (start.empty()) return;
    add_rules("");
    for (std::size_t slash = start.find('/'); slash != std::string::npos;
         slash = start.find('/', slash + 1)) {
      add_rules(start.substr(0, slash));
    }
  }

  void add_rules(const std::string& directory) {
    rules_.add(directory, files_.read(directory.empty() ? ".gitignore" : directory + "/.gitignore").bytes);
  }

  void enter(const std::string& directory, int depth) {
    if (depth > max_depth) return;
    const std::size_t outer = rules_.size();
    const std::vector<std::string> names = files_.list(directory);
    if (std::binary_search(names.begin(), names.end(), ".gitignore")) add_rules(directory);
    for (const std::string& name : names) {
      std::string path = directory;
      if (!path.empty()) path += '/';
      path += name;
      if (name.ends_with('/')) {
        visit_directory(path.substr(0, path.size() - 1), depth);
      } else if (is_config(name) && !rules_.ignored(path, false) && !is_excluded(path, excludes_)) {
        found_.push_back(path);
      }
    }
    rules_.shrink(outer);
  }

  void visit_directory(const std::string& path, int depth) {
    const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
    if (std::find(foreign_folders.begin(), foreign_folders.end(), name) != foreign_folders.end()) return;
    if (rules_.ignored(path, true) || is_excluded(path, excludes_)) return;
    enter(path, depth + 1);
  }

  static bool is_config(std::string_view name) {
    return std::any_of(extensions.begin(), extensions.end(),
                       [&](std::string_view e) { return name.ends_with(e); });
  }

  Files& files_;
  const std::vector<std::string>& excludes_;
  IgnoreRules rules_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> walk(Files& files, std::string_view directory,
                              const std::vector<std::string>& excludes) {
  std::vector<std::string> found = Walker(files, excludes).walk(std::string(directory));
  std::sort(found.begin(), found.end());
  return found;
}

bool is_excluded(std::string_view path, const std::vector<std::string>& excludes) {
  return std::any_of(excludes.begin(), excludes.end(),
                     [&](const std::string& pattern) { return path_matches(pattern, path); });
}

}  // namespace oomlint
