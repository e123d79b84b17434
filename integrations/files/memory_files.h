#pragma once

#include "lint/engine/files.h"

#include <map>
#include <string>

namespace oomlint {

/// Files that exist only in memory: for tests, and for text that comes through a pipe.
class MemoryFiles : public Files {
 public:
  MemoryFiles() = default;
  explicit MemoryFiles(std::map<std::string, std::string, std::less<>> files) : files_(std::move(files)) {}

  void set(std::string path, std::string bytes) {
    files_.insert_or_assign(std::move(path), std::move(bytes));
  }

  [[nodiscard]] FileContent read(std::string_view path) override;
  [[nodiscard]] bool exists(std::string_view path) override;
  [[nodiscard]] std::vector<std::string> list(std::string_view directory) override;

 private:
  std::map<std::string, std::string, std::less<>> files_;
};

/// Some files in memory over others: an editor's buffers over the disk.
class OverlayFiles : public Files {
 public:
  explicit OverlayFiles(Files& below) : below_(below) {}

  void set(std::string path, std::string bytes) { above_.set(std::move(path), std::move(bytes)); }

  [[nodiscard]] FileContent read(std::string_view path) override;
  [[nodiscard]] bool exists(std::string_view path) override;
  [[nodiscard]] std::vector<std::string> list(std::string_view directory) override;

 private:
  MemoryFiles above_;
  Files& below_;
};

}  // namespace oomlint
