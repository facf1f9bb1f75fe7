#include "io/pool/write/pool_staging.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <regex>
#include <span>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "io/file/digit_groups.hpp"
#include "io/pool/format/pool_layout.hpp"

namespace inkling {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPartialMark = ".partial-";

// Where the target really is: symbolic links followed, no slash at the end.
std::string place_of(const std::string& target) {
  std::string place = target;
  while (place.size() > 1 && place.back() == '/') place.pop_back();
  std::string real = resolved_path(place);
  if (fs::is_symlink(fs::path(real))) throw SystemError(target, ENOENT, "cannot follow the symbolic link");
  return real;
}

std::string parent_of(const std::string& place) {
  const fs::path parent = fs::path(place).parent_path();
  return parent.empty() ? "." : parent.string();
}

// Whether this follows the mark of a partial name, as "1234-0" does.
bool is_partial_number(const std::string& text) {
  static const std::regex number("[0-9]+-[0-9]+");
  return std::regex_match(text, number);
}

// Locks a folder until the descriptor is closed; none where another process holds it.
Descriptor locked_folder(const std::string& folder) {
  Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  return opened.is_open() && ::flock(opened.number(), LOCK_EX | LOCK_NB) == 0 ? std::move(opened)
                                                                              : Descriptor();
}

// An entry of a folder that no pool has, or nothing. `prefix` is the folder's own name within the pool.
std::string foreign_entry(const fs::path& folder, const std::string& prefix) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    std::string name = prefix + entry.path().filename().string();
    if (std::ranges::find(kPoolSubFolders, name) != kPoolSubFolders.end()) {
      if (std::string foreign = foreign_entry(entry.path(), name + "/"); !foreign.empty()) return foreign;
    } else if (name != PoolFile::manifest &&
               std::ranges::find(kPoolFileNames, name) == kPoolFileNames.end()) {
      return name;
    }
  }
  return {};
}

bool has_manifest(const fs::path& folder) {
  std::ifstream file(folder / PoolFile::manifest, std::ios::binary);
  std::array<char, 64> beginning{};
  file.read(beginning.data(), beginning.size());
  return looks_like_manifest({beginning.data(), static_cast<std::size_t>(file.gcount())});
}

void remove_folder(const std::string& folder) noexcept {
  std::error_code ignored;
  fs::remove_all(folder, ignored);
}

}  // namespace

PoolStaging::PoolStaging(const std::string& target, WriteCalls calls)
    : target_(target), place_(place_of(target)), calls_(calls) {
  static_cast<void>(replaces_pool());
  remove_leftovers();
  create_folder();
}

PoolStaging::~PoolStaging() { remove_folder(folder_); }

std::string PoolStaging::path_of(std::string_view name) const { return pool_file_path(target_, name); }

Descriptor PoolStaging::create_file(std::string_view name) {
  const std::string path = pool_file_path(folder_, name);
  if (name.find('/') != std::string_view::npos) {
    const std::string sub_folder = parent_of(path);
    if (::mkdir(sub_folder.c_str(), 0777) != 0 && errno != EEXIST)
      fail(name, errno, "cannot make its folder");
  }
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file.is_open()) fail(name, errno, "cannot write");
  return file;
}

void PoolStaging::add_file(FileRecord record) {
  const std::lock_guard lock(adding_);
  files_.push_back(std::move(record));
}

void PoolStaging::publish(Manifest manifest) {
  std::ranges::sort(files_, {}, &FileRecord::name);
  manifest.files = std::move(files_);
  write_manifest(manifest);
  for (const std::string_view sub_folder : kPoolSubFolders) {
    const std::string path = pool_file_path(folder_, sub_folder);
    if (fs::exists(path)) sync_folder(path);
  }
  sync_folder(folder_);
  take_name();
}

bool PoolStaging::replaces_pool() const {
  struct stat found = {};
  if (::stat(place_.c_str(), &found) != 0) {
    if (errno == ENOENT) return false;
    throw SystemError(target_, errno, "cannot look at it");
  }
  const auto refuse = [&](const std::string& what) {
    throw SystemError(target_, EEXIST, what + " and will not be replaced");
  };
  if (!S_ISDIR(found.st_mode)) refuse("this is not a pool");
  try {
    if (fs::is_empty(place_)) return false;
    if (!has_manifest(place_)) refuse("this is not a pool");
    const std::string foreign = foreign_entry(place_, "");
    if (!foreign.empty()) refuse(fmt::format("this holds '{}', which is not part of a pool,", foreign));
  } catch (const fs::filesystem_error& error) {
    throw SystemError(target_, error.code().value(), "cannot look at it");
  }
  return true;
}

void PoolStaging::create_folder() {
  constexpr int most_attempts = 1000;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    std::string name = fmt::format("{}{}{}-{}", place_, kPartialMark, ::getpid(), attempt);
    if (::mkdir(name.c_str(), 0777) != 0) {
      if (errno == EEXIST) continue;
      throw SystemError(target_, errno, "cannot make a folder beside it");
    }
    // Between the two calls another writer may have taken the new folder for a leftover.
    lock_ = locked_folder(name);
    if (lock_.is_open() && is_open_as(lock_.number(), name)) {
      folder_ = std::move(name);
      return;
    }
  }
  throw SystemError(target_, EEXIST, "cannot make a folder beside it");
}

void PoolStaging::remove_leftovers() const {
  const std::string beginning = fs::path(place_).filename().string() + std::string(kPartialMark);
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent_of(place_), ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(beginning) || !is_partial_number(name.substr(beginning.size()))) continue;
    const Descriptor lock = locked_folder(entry.path().string());
    if (lock.is_open()) remove_folder(entry.path().string());
  }
}

void PoolStaging::sync_folder(const std::string& folder) const {
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open()) throw SystemError(target_, errno, "cannot open its folder");
  const int error = calls_.sync(opened.number());
  // Some file systems have nothing to sync a folder with.
  if (error != 0 && error != EINVAL) throw SystemError(target_, error, "cannot sync its folder");
}

void PoolStaging::write_manifest(const Manifest& manifest) {
  const std::string text = manifest_text(manifest);
  Descriptor file = create_file(PoolFile::manifest);
  int error = calls_.write_all(file.number(), std::as_bytes(std::span(text)));
  if (error == 0) error = calls_.sync(file.number());
  if (error == 0) error = file.close();
  if (error != 0)
    fail(PoolFile::manifest, error, fmt::format("cannot write {} bytes", digit_groups(text.size())));
}

// Whatever fails, the target is afterwards what it was before.
void PoolStaging::take_name() {
  const bool replaces = replaces_pool();
  const auto swap = [&](const std::string& from, const std::string& to) {
    if (replaces) return exchange(from, to);
    return calls_.rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
  };
  if (const int error = swap(folder_, place_); error != 0)
    throw SystemError(target_, error, "cannot give the new pool its name");
  try {
    sync_folder(parent_of(place_));
  } catch (const SystemError&) {
    swap(place_, folder_);
    throw;
  }
  if (replaces) remove_folder(folder_);
}

// Two folders change places; 0 or errno. Where the file system cannot do it in one step there is a moment in
// which nothing has the name `other`.
int PoolStaging::exchange(const std::string& one, const std::string& other) const {
  if (calls_.exchange(one.c_str(), other.c_str()) == 0) return 0;
  if (errno != ENOSYS && errno != EINVAL && errno != ENOTSUP) return errno;
  const std::string aside = folder_ + "000";  // a partial name, too, and no attempt counts that far
  const auto move = [&](const std::string& from, const std::string& to) {
    return calls_.rename(from.c_str(), to.c_str()) == 0;
  };
  if (!move(other, aside)) return errno;
  const bool moved = move(one, other);
  if (moved && move(aside, one)) return 0;
  const int error = errno;
  if (moved) move(other, one);
  move(aside, other);
  return error;
}

void PoolStaging::fail(std::string_view name, int error, std::string_view what) const {
  throw SystemError(path_of(name), error, std::string(what));
}

}  // namespace inkling
