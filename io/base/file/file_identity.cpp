#include "io/base/file/file_identity.hpp"

#include <filesystem>

#include "engine/core/errors.hpp"
#include "io/base/system/folder.hpp"

namespace inkling {

std::optional<FileIdentity> identity_of(const std::string& path) noexcept {
  const std::optional<FileStatus> found = status_at(path.c_str());
  return found ? std::optional(found->identity) : std::nullopt;
}

bool lies_within(const std::string& path, const std::string& folder) {
  namespace fs = std::filesystem;
  const std::optional<FileIdentity> wanted = identity_of(folder);
  if (!wanted) return false;
  const std::optional<std::string> whole = whole_path_of(path);
  if (!whole) throw SystemError(path, errno, "cannot follow the path");
  for (fs::path here = *whole;; here = here.parent_path()) {
    if (identity_of(here.generic_string()) == wanted) return true;
    if (here == here.parent_path()) return false;
  }
}

}  // namespace inkling
