#pragma once

#include "lint/engine/files.h"

#include <string>

namespace oomlint {

/// The files below one directory of the disk. Symbolic links are followed as long as they stay inside it;
/// FIFOs, devices and sockets are refused without waiting for them. Safe to use from several threads.
class DiskFiles : public Files {
 public:
  /// `root` is resolved once; a root that does not exist has no files.
  explicit DiskFiles(const std::string& root);

  [[nodiscard]] FileContent read(std::string_view path) override;
  [[nodiscard]] bool exists(std::string_view path) override;
  /// Symbolic links are left out: what they point at inside the root is listed in its own place.
  [[nodiscard]] std::vector<std::string> list(std::string_view directory) override;

  [[nodiscard]] const std::string& root() const { return root_; }

 private:
  /// The absolute path behind `path`, links resolved; on failure empty, with the reason in `error`.
  [[nodiscard]] std::string resolve(std::string_view path, ReadError& error) const;

  std::string root_;  ///< absolute, without a trailing slash; "/" is ""
  bool usable_ = false;
};

}  // namespace oomlint
