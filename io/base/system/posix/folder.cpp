#include "io/base/system/folder.hpp"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp
#include <unistd.h>

#include "io/base/system/calls.hpp"
#include "io/base/system/posix/status.hpp"

namespace inkling {
namespace {

std::optional<FileStatus> look(int folder, const char* path, int flags) noexcept {
  struct stat found = {};
  const int failed = tried(SystemCall::look, path, [&] { return ::fstatat(folder, path, &found, flags); });
  return failed == 0 ? std::optional(status_of_stat(found)) : std::nullopt;
}

struct FolderCloser {
  void operator()(DIR* folder) const noexcept { ::closedir(folder); }
};

// Not every file system says it.
std::optional<FileKind> kind_of(const dirent& entry) noexcept {
  if (entry.d_type == DT_UNKNOWN) return std::nullopt;
  return kind_of_mode(static_cast<mode_t>(DTTOIF(entry.d_type)));
}

std::optional<std::string> path_or_error(const std::filesystem::path& path, const std::error_code& error) {
  if (error) return errno = error.value(), std::nullopt;
  return path.string();
}

}  // namespace

std::optional<FileStatus> status_at(const char* path) noexcept { return look(AT_FDCWD, path, 0); }

std::optional<FileStatus> link_status_at(const char* path) noexcept { return look(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW); }

std::optional<FileStatus> status_in(const File& folder, const std::string& name) noexcept {
  return look(folder.number(), name.c_str(), 0);
}

std::optional<FileStatus> link_status_in(const File& folder, const std::string& name) noexcept {
  return look(folder.number(), name.c_str(), AT_SYMLINK_NOFOLLOW);
}

int make_folder_at(const char* path, unsigned permissions) noexcept {
  return error_of(SystemCall::make_folder, path, [&] { return ::mkdir(path, static_cast<mode_t>(permissions)); });
}

int remove_file(const char* path) noexcept {
  return error_of(SystemCall::remove, path, [&] { return ::unlink(path); });
}

int remove_empty_folder(const char* path) noexcept {
  return error_of(SystemCall::remove, path, [&] { return ::rmdir(path); });
}

int rename_path(const char* from, const char* to) noexcept {
  return error_of(SystemCall::rename, to, [&] { return std::rename(from, to); });
}

int rename_in(const File& folder, const std::string& from, const std::string& to) noexcept {
  return error_of(SystemCall::rename, to.c_str(),
                  [&] { return ::renameat(folder.number(), from.c_str(), folder.number(), to.c_str()); });
}

int remove_file_in(const File& folder, const std::string& name) noexcept {
  return error_of(SystemCall::remove, name.c_str(), [&] { return ::unlinkat(folder.number(), name.c_str(), 0); });
}

std::optional<std::string> make_temporary_folder(std::string stem) {
  stem += "XXXXXX";
  return ::mkdtemp(stem.data()) == nullptr ? std::nullopt : std::optional(std::move(stem));
}

bool each_entry_in(const std::string& folder, const std::function<bool(const std::string&, std::optional<FileKind>)>& visit) {
  const Fault fault = fault_of(SystemCall::list, folder.c_str());
  if (fault.error != 0) return errno = fault.error, false;
  const std::unique_ptr<DIR, FolderCloser> open(::opendir(folder.c_str()));
  if (!open) return false;
  while (true) {
    errno = 0;
    const dirent* const entry = ::readdir(open.get());  // NOLINT(concurrency-mt-unsafe): nobody else has this folder
    if (entry == nullptr) return errno == 0;
    const std::string_view name = entry->d_name;
    if (name != "." && name != ".." && !visit(std::string(name), kind_of(*entry))) return false;
  }
}

std::string with_slashes(std::string path) { return path; }

std::string path_for_libraries(const std::string& path) { return path; }

std::string resolved_path(const std::string& path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  return path_or_error(real, error).value_or(path);
}

std::optional<std::string> whole_path_of(const std::string& path) {
  std::error_code error;
  const std::filesystem::path from_root = std::filesystem::absolute(path.empty() ? "." : path, error);
  const std::filesystem::path whole = error ? from_root : std::filesystem::weakly_canonical(from_root, error);
  return path_or_error(whole, error);
}

bool may_write_in(const std::string& folder) noexcept { return ::access(folder.c_str(), W_OK | X_OK) == 0; }

void make_all_private() noexcept { ::umask(S_IRWXG | S_IRWXO); }

}  // namespace inkling
