#include "io/source/folder_walk.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include <sys/stat.h>

#include "engine/core/errors.hpp"

namespace inkling {

FolderWalk::FolderWalk(std::string root) : root_(std::move(root)) {
  struct stat status = {};
  if (::stat(root_.c_str(), &status) != 0) throw SystemError(root_, errno, "cannot read");
  enter("", {status.st_dev, status.st_ino});
}

std::optional<FolderWalk::File> FolderWalk::next() {
  while (!levels_.empty()) {
    Level& level = levels_.back();
    if (level.next == level.names.size()) {
      levels_.pop_back();
      continue;
    }
    const Name& name = level.names[level.next++];
    std::string path = level.prefix + name.text;
    if (!path.ends_with('/')) return File{std::move(path), name.size};
    if (!is_inside(name.id)) enter(std::move(path), name.id);
  }
  return std::nullopt;
}

void FolderWalk::enter(std::string prefix, FolderId id) {
  const std::string folder = joined_path(root_, prefix);
  const auto check = [&](const std::error_code& error) {
    if (error) throw SystemError(folder, error.value(), "cannot read the folder");
  };
  std::vector<Name> names;
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  check(error);
  for (; entry != std::filesystem::directory_iterator(); entry.increment(error), check(error)) {
    std::string name = entry->path().filename().string();
    if (name.starts_with('.')) continue;
    struct stat status = {};
    if (::stat(entry->path().c_str(), &status) != 0) {
      if (errno == ENOENT || errno == ELOOP) continue;
      throw SystemError(entry->path().string(), errno, "cannot read");
    }
    if (S_ISDIR(status.st_mode)) name += '/';
    if (S_ISDIR(status.st_mode) || S_ISREG(status.st_mode))
      names.push_back(
          {std::move(name), static_cast<std::uint64_t>(status.st_size), {status.st_dev, status.st_ino}});
  }
  std::ranges::sort(names, {}, &Name::text);
  levels_.push_back({std::move(prefix), id, std::move(names)});
}

bool FolderWalk::is_inside(FolderId id) const { return std::ranges::count(levels_, id, &Level::id) > 0; }

std::string joined_path(const std::string& folder, const std::string& name) {
  if (folder.empty()) return name;
  return folder.ends_with('/') ? folder + name : folder + "/" + name;
}

}  // namespace inkling
