#include "io/pool/open/pool_folder.hpp"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "io/file/corrupt_file_error.hpp"
#include "io/pool/format/pool_layout.hpp"

namespace inkling {

PoolFolder::PoolFolder(std::string path)
    : path_(std::move(path)), descriptor_(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ >= 0) return;
  if (errno == ENOTDIR) throw CorruptFileError(path_, "expected a pool, which is a folder, found a file");
  throw SystemError(path_, errno, "cannot open");
}

PoolFolder::~PoolFolder() { ::close(descriptor_); }

std::string PoolFolder::path_of(std::string_view name) const { return pool_file_path(path_, name); }

bool PoolFolder::is_in_place() const {
  struct stat opened = {};
  struct stat named = {};
  return ::fstat(descriptor_, &opened) == 0 && ::stat(path_.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

void PoolFolder::fail_without_manifest() const {
  throw CorruptFileError(path_, "expected a pool, which has a manifest.json, found none");
}

}  // namespace inkling
