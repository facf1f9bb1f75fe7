#include "io/base/system/folder.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <vector>

#include "io/base/system/faults.hpp"

namespace inkling {

namespace fs = std::filesystem;

int make_folders(const std::string& path) {
  const auto is_folder = [&path] {
    const std::optional<FileStatus> found = status_at(path.c_str());
    return found && found->is_folder();
  };
  if (is_folder()) return 0;
  const std::string around = fs::path(path).parent_path().generic_string();
  if (!around.empty() && around != path)
    if (const int error = make_folders(around); error != 0) return error;
  const int error = make_folder_at(path.c_str());
  if (error != EEXIST) return error;
  return is_folder() ? 0 : ENOTDIR;
}

bool remove_tree(const std::string& path) {
  const std::optional<FileStatus> found = link_status_at(path.c_str());
  if (!found) return errno == ENOENT;
  if (!found->is_folder()) return remove_file(path.c_str()) == 0;
  std::vector<std::string> inside;
  each_name_in(path, [&](const std::string& name) { return inside.push_back(path + "/" + name), true; });
  return std::ranges::all_of(inside, remove_tree) && remove_empty_folder(path.c_str()) == 0;
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
  return error ? path : real.generic_string();
}

std::string folder_around(const std::string& path) {
  const fs::path around = fs::path(path).parent_path();
  return around.empty() ? "." : around.generic_string();
}

}  // namespace inkling
