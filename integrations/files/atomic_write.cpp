#include "integrations/files/atomic_write.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace oomlint {

namespace {

std::string last_error(const std::string& path) {
  return path + ": " + std::generic_category().message(errno);
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return ::fsync(fd) == 0 || errno == EINVAL;  // EINVAL: a file system without fsync
}

/// A new file with these bytes beside `path`; its name is written to `temporary`.
std::string write_beside(const std::string& path, std::string_view bytes, mode_t mode,
                         std::string& temporary) {
  temporary = path + ".XXXXXX";
  const int fd = ::mkstemp(temporary.data());
  if (fd < 0) return last_error(path);
  const bool written = write_all(fd, bytes) && ::fchmod(fd, mode) == 0;
  std::string error = written ? "" : last_error(path);
  if (::close(fd) != 0 && error.empty()) error = last_error(path);
  if (!error.empty()) ::unlink(temporary.c_str());
  return error;
}

/// The file behind a symbolic link: replacing the link itself would cut it off.
std::string target_of(const std::string& path) {
  char* resolved = ::realpath(path.c_str(), nullptr);
  std::string target = resolved != nullptr ? resolved : path;
  std::free(resolved);
  return target;
}

/// The mode a newly created file gets.
mode_t default_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

std::string write_atomically(const std::string& path, std::string_view bytes) {
  const std::string target = target_of(path);
  struct stat status{};
  const bool exists = ::stat(target.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {  // /dev/stdout, a pipe: there is nothing to replace
    const int fd = ::open(target.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return last_error(path);
    const bool written = write_all(fd, bytes);
    ::close(fd);
    return written ? "" : last_error(path);
  }
  std::string temporary;
  std::string error =
      write_beside(target, bytes, exists ? status.st_mode & 07777 : default_mode(), temporary);
  if (!error.empty()) return error;
  if (::rename(temporary.c_str(), target.c_str()) == 0) return {};
  error = last_error(path);
  ::unlink(temporary.c_str());
  return error;
}

std::string create_file(const std::string& path, std::string_view bytes) {
  std::string temporary;
  std::string error = write_beside(path, bytes, default_mode(), temporary);
  if (!error.empty()) return error;
  // link() refuses to replace, which rename() does not.
  if (::link(temporary.c_str(), path.c_str()) != 0) error = last_error(path);
  ::unlink(temporary.c_str());
  return error;
}

}  // namespace oomlint
