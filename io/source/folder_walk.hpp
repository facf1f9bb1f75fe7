// The files below a folder, in an order that does not depend on the file system.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace inkling {

/// Regular files below a folder, ascending by path. Hidden ones (a name that begins with a point) are left
/// out, and so are links to nothing; links to folders are followed, but not back into themselves.
/// Keeps the names of one folder a level, not those of the whole tree. Failures throw SystemError.
class FolderWalk {
 public:
  explicit FolderWalk(std::string root);

  struct File {
    std::string path;  // below the root
    std::uint64_t size;
  };
  [[nodiscard]] std::optional<File> next();

 private:
  struct FolderId {
    dev_t device;
    ino_t number;
    bool operator==(const FolderId&) const = default;
  };
  /// A file, or a folder whose name ends in a slash, so that names sort as paths do.
  struct Name {
    std::string text;
    std::uint64_t size;
    FolderId id;
  };
  struct Level {
    std::string prefix;  // below the root, with a slash at its end
    FolderId id;
    std::vector<Name> names;
    std::size_t next = 0;
  };

  void enter(std::string prefix, FolderId id);
  [[nodiscard]] bool is_inside(FolderId id) const;

  std::string root_;
  std::vector<Level> levels_;
};

/// "FOLDER/NAME", and NAME alone where the folder is the current one.
[[nodiscard]] std::string joined_path(const std::string& folder, const std::string& name);

}  // namespace inkling
