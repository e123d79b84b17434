#include "integrations/files/disk_files.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

namespace oomlint {

namespace {

ReadError from_errno(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return ReadError::missing;
    case EACCES:
    case EPERM:
      return ReadError::no_permission;
    case ENXIO:
      return ReadError::not_regular;
    default:
      return ReadError::io;
  }
}

/// `realpath` without its need to be freed; empty on failure, errno set.
std::string real_path(const std::string& path) {
  struct Free {
    void operator()(char* text) const { std::free(text); }
  };
  const std::unique_ptr<char, Free> resolved(::realpath(path.c_str(), nullptr));
  return resolved ? std::string(resolved.get()) : std::string();
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

FileContent failure(ReadError error) {
  return {{}, error};
}

}  // namespace

DiskFiles::DiskFiles(const std::string& root) : root_(real_path(root)), usable_(!root_.empty()) {
  if (root_ == "/") root_.clear();
}

std::string DiskFiles::resolve(std::string_view path, ReadError& error) const {
  const auto inside = normalise(path);
  error = ReadError::outside_root;
  if (!inside) return {};
  error = ReadError::missing;
  if (!usable_) return {};
  std::string resolved = real_path(root_ + "/" + *inside);
  if (resolved.empty()) {
    error = from_errno(errno);
    return {};
  }
  error = ReadError::outside_root;
  if (resolved != root_ && !resolved.starts_with(root_ + "/")) return {};
  error = ReadError::none;
  return resolved;
}

FileContent DiskFiles::read(std::string_view path) {
  ReadError error = ReadError::none;
  const std::string resolved = resolve(path, error);
  if (error != ReadError::none) return failure(error);
  // O_NONBLOCK: opening a FIFO nobody writes to must not wait.
  const Descriptor file(::open(resolved.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY));
  if (file.get() < 0) return failure(from_errno(errno));
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) return failure(ReadError::io);
  if (!S_ISREG(status.st_mode)) return failure(ReadError::not_regular);
  if (status.st_size > static_cast<off_t>(max_file_bytes)) return failure(ReadError::too_large);

  FileContent content;
  content.bytes.resize(static_cast<std::size_t>(status.st_size) +
                       1);  // one more: a file that grew is noticed
  std::size_t filled = 0;
  while (filled < content.bytes.size()) {
    const ssize_t count = ::read(file.get(), content.bytes.data() + filled, content.bytes.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failure(from_errno(errno));
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
    if (filled > max_file_bytes) return failure(ReadError::too_large);
    if (filled == content.bytes.size()) content.bytes.resize(filled * 2);
  }
  content.bytes.resize(filled);
  return content;
}

bool DiskFiles::exists(std::string_view path) {
  ReadError error = ReadError::none;
  const std::string resolved = resolve(path, error);
  struct stat status{};
  return error == ReadError::none && ::stat(resolved.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

std::vector<std::string> DiskFiles::list(std::string_view directory) {
  ReadError error = ReadError::none;
  const std::string resolved = resolve(directory, error);
  std::vector<std::string> names;
  if (error != ReadError::none) return names;
  struct Close {
    void operator()(DIR* stream) const { ::closedir(stream); }
  };
  const std::unique_ptr<DIR, Close> stream(::opendir((resolved.empty() ? "/" : resolved).c_str()));
  if (!stream) return names;
  while (const dirent* entry = ::readdir(stream.get())) {
    std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    unsigned char type = entry->d_type;
    if (type == DT_UNKNOWN) {
      struct stat status{};
      if (::fstatat(::dirfd(stream.get()), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
      type = S_ISDIR(status.st_mode) ? DT_DIR : S_ISLNK(status.st_mode) ? DT_LNK : DT_REG;
    }
    if (type == DT_LNK) continue;
    if (type == DT_DIR) name += '/';
    names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace oomlint
