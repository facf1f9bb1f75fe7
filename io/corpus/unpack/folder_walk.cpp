#include "io/corpus/unpack/folder_walk.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/corpus/unpack/byte_stream.hpp"

namespace inkling {
namespace {

bool is_link(const std::string& path) {
  const std::optional<FileStatus> status = link_status_at(path.c_str());
  return status && status->kind == FileKind::link;
}

}  // namespace

FileStatus status_of(const std::string& path) {
  if (const std::optional<FileStatus> status = status_at(path.c_str())) return *status;
  throw SystemError(path, errno, "cannot read");
}

FolderWalk::FolderWalk(std::string root, FileFacts facts, bool follow_links, const std::function<void()>& check_interruption)
    : root_(std::move(root)), facts_(facts), follow_links_(follow_links), check_interruption_(check_interruption) {
  enter("", status_of(root_).identity);
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

void FolderWalk::enter(std::string prefix, FileIdentity id) {
  if (check_interruption_) check_interruption_();
  const std::string folder = joined_path(root_, prefix);
  const bool by_link = !levels_.empty() && (levels_.back().by_link || is_link(folder.substr(0, folder.size() - 1)));
  if (by_link) note_way_by_link(folder, id);
  levels_.push_back({std::move(prefix), id, by_link, names_in(folder)});
}

std::vector<FolderWalk::Name> FolderWalk::names_in(const std::string& folder) {
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
    std::error_code unknown;  // if it is set, its status says
    const bool may_be_link = entry->is_symlink(unknown) || unknown;
    if (facts_ == FileFacts::name && !may_be_link && entry->is_regular_file(unknown)) {
      names.push_back({std::move(name), 0, {}});  // the folder's listing has its type
      continue;
    }
    const std::optional<FileStatus> status = status_at(entry->path().generic_string().c_str());
    if (!status) {
      if (errno == ENOENT || errno == ELOOP) continue;
      throw SystemError(entry->path().generic_string(), errno, "cannot read");
    }
    if (!status->is_folder() && !status->is_file()) continue;
    if (!follow_links_ && may_be_link && is_link(entry->path().generic_string())) {
      ++links_left_out_;
      continue;
    }
    if (status->is_folder()) name += '/';
    names.push_back({std::move(name), status->size, status->identity});
  }
  std::ranges::sort(names, {}, &Name::text);
  return names;
}

bool FolderWalk::is_inside(FileIdentity id) const { return std::ranges::count(levels_, id, &Level::id) > 0; }

void FolderWalk::note_way_by_link(const std::string& folder, FileIdentity id) {
  constexpr std::size_t most = 1000;
  if (found_by_links_.insert(id).second || ++found_again_ <= most) return;
  throw FormatError(folder, fmt::format("expected links that lead at most {} times to a folder that another link led "
                                        "to before, found more: remove such links, or name the folders themselves",
                                        most));
}

}  // namespace inkling
