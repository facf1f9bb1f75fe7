#include "io/base/file/file_identity.hpp"

#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>

#include "engine/core/errors.hpp"

namespace inkling {

std::optional<FileIdentity> identity_of(const std::string& path) noexcept {
  struct stat found = {};
  if (::stat(path.c_str(), &found) != 0) return std::nullopt;
  return FileIdentity{found.st_dev, found.st_ino};
}

bool lies_within(const std::string& path, const std::string& folder) {
  namespace fs = std::filesystem;
  const std::optional<FileIdentity> wanted = identity_of(folder);
  if (!wanted) return false;
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(fs::absolute(path, error), error);
  if (error) throw SystemError(path, error.value(), "cannot follow the path");
  for (fs::path here = whole;; here = here.parent_path()) {
    if (identity_of(here.string()) == wanted) return true;
    if (here == here.parent_path()) return false;
  }
}

Descriptor open_regular_file(int folder, const std::string& name, const std::string& path) {
  // Without O_NONBLOCK, opening a pipe would wait for its writer.
  Descriptor file(::openat(folder, name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open()) throw SystemError(path, errno, "cannot open");
  struct stat status = {};
  if (::fstat(file.number(), &status) != 0) throw SystemError(path, errno, "cannot look at it");
  if (S_ISDIR(status.st_mode)) throw SystemError(path, EISDIR, "expected a file");
  if (!S_ISREG(status.st_mode)) throw SystemError(path, EINVAL, "expected a file, found a pipe or a device");
  return file;
}

}  // namespace inkling
