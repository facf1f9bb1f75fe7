#include "io/base/system/folder.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <vector>

namespace inkling {

namespace fs = std::filesystem;

bool exists_at(const std::string& path) noexcept { return status_at(path.c_str()).has_value(); }

bool is_file_at(const std::string& path) noexcept {
  const std::optional<FileStatus> found = status_at(path.c_str());
  return found && found->is_file();
}

bool is_folder_at(const std::string& path) noexcept {
  const std::optional<FileStatus> found = status_at(path.c_str());
  return found && found->is_folder();
}

bool is_empty_folder_at(const std::string& path) {
  return is_folder_at(path) && each_name_in(path, [](const std::string&) { return false; });
}

int make_folders(const std::string& path) {
  if (is_folder_at(path)) return 0;
  const std::string around = fs::path(path).parent_path().generic_string();
  if (!around.empty() && around != path)
    if (const int error = make_folders(around); error != 0) return error;
  const int error = make_folder_at(path.c_str());
  if (error != EEXIST) return error;
  return is_folder_at(path) ? 0 : ENOTDIR;
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
  return each_entry_in(folder, [&](const std::string& name, std::optional<FileKind> /*kind*/) { return visit(name); });
}

std::string folder_around(const std::string& path) {
  const fs::path around = fs::path(path).parent_path();
  return around.empty() ? "." : around.generic_string();
}

}  // namespace inkling
