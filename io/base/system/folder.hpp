// Names of files and folders: examined, made, changed and removed.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "io/base/system/file.hpp"

namespace inkling {

inline constexpr std::size_t kMostPathBytes = 4096;

/// The status of the file or folder at a path, with symbolic links followed. If there is none or it cannot be examined: nothing,
/// and errno says why.
[[nodiscard]] std::optional<FileStatus> status_at(const char* path) noexcept;
/// The same, but of a symbolic link itself.
[[nodiscard]] std::optional<FileStatus> link_status_at(const char* path) noexcept;
/// The same for a name in an open folder.
[[nodiscard]] std::optional<FileStatus> status_in(const File& folder, const std::string& name) noexcept;
[[nodiscard]] std::optional<FileStatus> link_status_in(const File& folder, const std::string& name) noexcept;

/// Whether something, a file, a folder, an empty folder is at a path, with symbolic links followed; false if it cannot be examined.
[[nodiscard]] bool exists_at(const std::string& path) noexcept;
[[nodiscard]] bool is_file_at(const std::string& path) noexcept;
[[nodiscard]] bool is_folder_at(const std::string& path) noexcept;
[[nodiscard]] bool is_empty_folder_at(const std::string& path);

/// Each returns 0 or errno, and allocates no memory. The umask is taken off `permissions`.
[[nodiscard]] int make_folder_at(const char* path, unsigned permissions = 0777) noexcept;
[[nodiscard]] int remove_file(const char* path) noexcept;
/// A folder that is not empty stays (ENOTEMPTY or EEXIST).
[[nodiscard]] int remove_empty_folder(const char* path) noexcept;
/// Atomic: at every instant `to` is what it was before or what `from` was. A folder can only replace an empty folder.
[[nodiscard]] int rename_path(const char* from, const char* to) noexcept;
/// Exchanges two names atomically; ENOSYS, EINVAL or ENOTSUP if the file system cannot do that.
[[nodiscard]] int exchange_paths(const char* one, const char* other) noexcept;
/// The same for names in an open folder.
[[nodiscard]] int rename_in(const File& folder, const std::string& from, const std::string& to) noexcept;
[[nodiscard]] int remove_file_in(const File& folder, const std::string& name) noexcept;

/// Makes a folder and its missing parent folders; 0 or errno.
[[nodiscard]] int make_folders(const std::string& path);
/// Makes a new folder for this user alone, whose name begins with `stem`. Returns its path, or nothing and sets errno.
[[nodiscard]] std::optional<std::string> make_temporary_folder(std::string stem);

/// Removes a file, or a folder with all that is in it, if it is there. False where something stays, as files in use do on some systems.
[[nodiscard]] bool remove_tree(const std::string& path);

/// Calls visit(name, kind) for every name in a folder, in any order, until one returns false; the kind of a name is what the folder
/// says of it, if it does. Returns whether all names were visited; if it fails, errno says why.
bool each_entry_in(const std::string& folder, const std::function<bool(const std::string&, std::optional<FileKind>)>& visit);
/// The same with visit(name).
bool each_name_in(const std::string& folder, const std::function<bool(const std::string&)>& visit);

/// The path with slashes between its parts, as all else expects them.
[[nodiscard]] std::string with_slashes(std::string path);
/// The path as a library takes it that asks the system itself, however long it is.
[[nodiscard]] std::string path_for_libraries(const std::string& path);
/// The path with symbolic links followed, or unchanged if nothing is there yet.
[[nodiscard]] std::string resolved_path(const std::string& path);
/// The path from the root on, with the links of what is there already followed; nothing if it cannot be followed, and errno says why.
[[nodiscard]] std::optional<std::string> whole_path_of(const std::string& path);
/// The folder that a path is in: "." where it names none.
[[nodiscard]] std::string folder_around(const std::string& path);
/// Whether this user may make files in a folder.
[[nodiscard]] bool may_write_in(const std::string& folder) noexcept;
/// From now on, what this process makes is accessible to its user only.
void make_all_private() noexcept;

}  // namespace inkling
