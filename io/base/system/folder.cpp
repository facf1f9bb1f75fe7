#include "io/base/system/folder.hpp"

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "io/base/system/faults.hpp"

namespace inkling {

namespace fs = std::filesystem;

int make_folders(const std::string& path) {
  const auto is_folder = [&path] {
    const std::optional<FileStatus> found = status_at(path.c_str());
    return found && found->is_folder();
  };
  if (is_folder()) return 0;
  const std::string around = fs::path(path).parent_path().string();
  if (!around.empty() && around != path)
    if (const int error = make_folders(around); error != 0) return error;
  const int error = make_folder_at(path.c_str());
  if (error != EEXIST) return error;
  return is_folder() ? 0 : ENOTDIR;
}

bool each_name_in(const std::string& folder, const std::function<bool(const std::string&)>& visit) {
  if (fault_of(SystemCall::list, folder.c_str()).error != 0) return false;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator(); entry.increment(error))
    if (!visit(entry->path().filename().string())) return false;
  return !error;
}

std::string resolved_path(const std::string& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  return error ? path : real.string();
}

std::string folder_around(const std::string& path) {
  const fs::path around = fs::path(path).parent_path();
  return around.empty() ? "." : around.string();
}

}  // namespace inkling
