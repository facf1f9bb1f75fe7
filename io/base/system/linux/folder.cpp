#include "io/base/system/folder.hpp"

#include <cstdio>
#include <utility>

#include <fcntl.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp
#include <unistd.h>

#include "io/base/system/calls.hpp"
#include "io/base/system/linux/status.hpp"

namespace inkling {
namespace {

std::optional<FileStatus> look(int folder, const char* path, int flags) noexcept {
  struct stat found = {};
  const int failed = tried(SystemCall::look, path, [&] { return ::fstatat(folder, path, &found, flags); });
  return failed == 0 ? std::optional(status_of_stat(found)) : std::nullopt;
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
  return error_of(SystemCall::make_folder, path, [&] { return ::mkdir(path, permissions); });
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

int exchange_paths(const char* one, const char* other) noexcept {
  return error_of(SystemCall::exchange, other, [&] { return ::renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE); });
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

std::string with_slashes(std::string path) { return path; }

bool may_write_in(const std::string& folder) noexcept { return ::access(folder.c_str(), W_OK | X_OK) == 0; }

void make_all_private() noexcept { ::umask(S_IRWXG | S_IRWXO); }

}  // namespace inkling
