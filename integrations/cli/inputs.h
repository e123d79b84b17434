#pragma once

#include "integrations/cli/options.h"
#include "lint/engine/files.h"

#include <memory>
#include <string>
#include <vector>

namespace oomlint {

/// A file to lint: its path below the root, and whether the user named it (then it must be readable).
struct Input {
  std::string path;
  bool named = false;
};

/// Where the files of this run come from. The root is the repository around the working directory (the
/// nearest folder above that holds `.git`), else the working directory itself; for paths elsewhere, the
/// repository around them.
struct Workspace {
  std::unique_ptr<Files> disk;
  std::unique_ptr<Files> overlay;  ///< standard input over the disk, if it was asked for
  std::string root;                ///< absolute; "" is the root of the disk
  std::string stdin_path;          ///< below the root, empty without

  [[nodiscard]] Files& files() { return overlay ? *overlay : *disk; }
  /// What a path of the command line is called below the root; nothing when it is not below it.
  [[nodiscard]] std::optional<std::string> below_root(const std::string& argument) const;
};

[[nodiscard]] Workspace open_workspace(const Options& options);

/// The files the arguments mean, folders walked, in the order of their paths. Arguments that name nothing go
/// to `unreadable` as "path: why".
[[nodiscard]] std::vector<Input> collect_inputs(Workspace& workspace, const Options& options,
                                                const std::vector<std::string>& excludes,
                                                std::vector<std::string>& unreadable);

}  // namespace oomlint
