#pragma once

#include "lint/engine/files.h"

#include <optional>
#include <string>

namespace oomlint {

/// What the `.git` folder says about the files beside it, without running git.
struct GitRevision {
  std::string remote;    ///< of "origin", as a web address without user names or passwords
  std::string revision;  ///< hash of the commit that is checked out
  std::string branch;    ///< empty when none is
};

/// Nothing unless the root is a repository with a commit and a remote that has a web address.
[[nodiscard]] std::optional<GitRevision> read_git_revision(Files& files);

}  // namespace oomlint
