// The files below a folder, in an order that does not depend on the disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <sys/stat.h>
#include <sys/types.h>

namespace inkling {

/// What the system says of a path, with links followed. Throws SystemError where there is nothing.
[[nodiscard]] struct stat status_of(const std::string& path);

/// What a walk finds out of a file: its name, or its size, too, which the system must be asked for one by one.
enum class FileFacts { name, size };

/// Regular files below a folder, ascending by path. Hidden ones (a name that begins with a point) are left out, and
/// so are links to nothing. Other symbolic links are left out and counted, or followed, but not back into themselves;
/// the folder itself may be one. Keeps the names of one folder a level, not those of the whole tree. Failures throw
/// SystemError; FormatError where links lead to folders again and again, as they can do more often than anyone could
/// wait for.
class FolderWalk {
 public:
  /// `check_interruption` is called for each folder; a throw ends the walk.
  FolderWalk(std::string root, FileFacts facts, bool follow_links,
             const std::function<void()>& check_interruption);

  struct File {
    std::string path;    // below the root
    std::uint64_t size;  // 0 where only the name was asked for
  };
  [[nodiscard]] std::optional<File> next();
  /// Links to files and folders that were passed over so far.
  [[nodiscard]] std::int64_t links_left_out() const { return links_left_out_; }

 private:
  using FolderId = std::pair<dev_t, ino_t>;
  // A file, or a folder whose name ends in a slash, so that names sort as paths do.
  struct Name {
    std::string text;
    std::uint64_t size;
    FolderId id;
  };
  struct Level {
    std::string prefix;  // below the root, with a slash at its end
    FolderId id;
    bool by_link;  // it, or a folder that it is in
    std::vector<Name> names;
    std::size_t next = 0;
  };

  void enter(std::string prefix, FolderId id);
  [[nodiscard]] std::vector<Name> names_in(const std::string& folder);
  [[nodiscard]] bool is_inside(FolderId id) const;
  void note_way_by_link(const std::string& folder, FolderId id);

  std::string root_;
  FileFacts facts_;
  bool follow_links_;
  std::int64_t links_left_out_ = 0;
  std::function<void()> check_interruption_;
  std::vector<Level> levels_;
  std::set<FolderId> found_by_links_;
  std::size_t found_again_ = 0;
};

}  // namespace inkling
