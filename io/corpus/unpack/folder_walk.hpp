// The files below a folder, in an order that does not depend on the disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "io/base/system/folder.hpp"

namespace inkling {

/// The status of a path, with links followed. Throws SystemError if nothing is there.
[[nodiscard]] FileStatus status_of(const std::string& path);

/// What a walk finds out about a file: only its name, or its size, too, which takes a system call for each file.
enum class FileFacts { name, size };

/// Regular files below a folder, ascending by path. Leaves out hidden files (a name that begins with a point) and links
/// to nothing. Other symbolic links are left out and counted, or followed, but not back into themselves; the folder
/// itself may be a link. Keeps the names of one folder for each level, not those of the whole tree. Failures throw
/// SystemError. Throws FormatError if links lead to the same folders too often, because such a walk might never end.
class FolderWalk {
 public:
  /// `check_interruption` is called for each folder; a throw ends the walk.
  FolderWalk(std::string root, FileFacts facts, bool follow_links, const std::function<void()>& check_interruption);

  struct File {
    std::string path;    // below the root
    std::uint64_t size;  // 0 if only the name was asked for
  };
  [[nodiscard]] std::optional<File> next();
  /// How many links to files and folders were left out so far.
  [[nodiscard]] std::int64_t links_left_out() const { return links_left_out_; }

 private:
  // A file, or a folder whose name ends in a slash, so that names sort as paths do.
  struct Name {
    std::string text;
    std::uint64_t size;
    FileIdentity id;
  };
  struct Level {
    std::string prefix;  // below the root, with a slash at its end
    FileIdentity id;
    bool by_link;  // it, or a folder above it, was found through a link
    std::vector<Name> names;
    std::size_t next = 0;
  };

  void enter(std::string prefix, FileIdentity id);
  [[nodiscard]] std::vector<Name> names_in(const std::string& folder);
  // `kind`: what the folder says of it, if it does.
  void add_name(std::vector<Name>& names, const std::string& folder, const std::string& name, std::optional<FileKind> kind);
  [[nodiscard]] bool is_inside(FileIdentity id) const;
  void note_way_by_link(const std::string& folder, FileIdentity id);

  std::string root_;
  FileFacts facts_;
  bool follow_links_;
  std::int64_t links_left_out_ = 0;
  std::function<void()> check_interruption_;
  std::vector<Level> levels_;
  std::set<FileIdentity> found_by_links_;
  std::size_t found_again_ = 0;
};

}  // namespace inkling
