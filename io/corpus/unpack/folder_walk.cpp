#include "io/corpus/unpack/folder_walk.hpp"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/system/folder.hpp"
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
  std::vector<Name> names;
  const bool is_whole = each_entry_in(folder, [&](const std::string& name, std::optional<FileKind> kind) {
    add_name(names, folder, name, kind);
    return true;
  });
  if (!is_whole) throw SystemError(folder, errno, "cannot read the folder");
  std::ranges::sort(names, {}, &Name::text);
  return names;
}

void FolderWalk::add_name(std::vector<Name>& names, const std::string& folder, const std::string& name,
                          std::optional<FileKind> kind) {
  if (name.starts_with('.')) return;
  if (facts_ == FileFacts::name && kind == FileKind::file) {
    names.push_back({name, 0, {}});
    return;
  }
  const std::string path = joined_path(folder, name);
  const std::optional<FileStatus> status = status_at(path.c_str());
  if (!status && errno != ENOENT && errno != ELOOP) throw SystemError(path, errno, "cannot read");
  if (!status || (!status->is_folder() && !status->is_file())) return;
  const bool may_be_link = !kind || kind == FileKind::link;
  if (!follow_links_ && may_be_link && is_link(path)) {
    ++links_left_out_;
    return;
  }
  names.push_back({status->is_folder() ? name + '/' : name, status->size, status->identity});
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
