#pragma once

#include "lint/engine/files.h"

#include <map>
#include <string>

namespace oomlint {

/// Passes everything on to other files and remembers what was asked: what a result depends on. A look-up that
/// failed counts too, because the file may appear later.
class RecordingFiles : public Files {
 public:
  explicit RecordingFiles(Files& inner) : inner_(inner) {}

  [[nodiscard]] FileContent read(std::string_view path) override {
    FileContent content = inner_.read(path);
    note(path, content.error == ReadError::none);
    return content;
  }
  [[nodiscard]] bool exists(std::string_view path) override {
    const bool found = inner_.exists(path);
    note(path, found);
    return found;
  }
  [[nodiscard]] std::vector<std::string> list(std::string_view directory) override {
    note(std::string(directory) + "/", true);
    return inner_.list(directory);
  }

  /// Normalised path → whether it was there. Listed directories end with a slash.
  [[nodiscard]] const std::map<std::string, bool>& dependencies() const { return dependencies_; }

 private:
  void note(std::string_view path, bool found) {
    const bool directory = path.ends_with('/');
    if (auto inside = normalise(path)) dependencies_[*inside + (directory ? "/" : "")] = found;
  }

  Files& inner_;
  std::map<std::string, bool> dependencies_;
};

}  // namespace oomlint
