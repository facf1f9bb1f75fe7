#include "io/corpus/pool/write/pool_staging.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/file/file_identity.hpp"
#include "io/base/file/interruption.hpp"

namespace inkling {
namespace {

namespace fs = std::filesystem;

constexpr auto kWholePool = [] {
  std::array<std::string_view, kPoolFileNames.size() + 1> names{};
  std::ranges::copy(kPoolFileNames, names.begin());
  names.back() = PoolFile::manifest;
  return names;
}();

constexpr PartialContents kPoolContents = {.files = kWholePool, .folders = kPoolSubFolders};

// The real path of the target: with symbolic links followed, and without a slash at the end.
std::string place_of(const std::string& target) {
  std::string place = target;
  while (place.size() > 1 && place.back() == '/') place.pop_back();
  std::string real = resolved_path(place);
  struct stat found = {};
  if (::lstat(real.c_str(), &found) != 0) {
    if (errno == ENOENT) return real;
    throw SystemError(target, errno, "cannot look at it");
  }
  if (S_ISLNK(found.st_mode)) throw SystemError(target, ENOENT, "cannot follow the symbolic link");
  return real;
}

std::string parent_of(const std::string& place) {
  const fs::path parent = fs::path(place).parent_path();
  return parent.empty() ? "." : parent.string();
}

// An entry of the folder that no output of this kind has, or nothing. `prefix`: the path of the folder within the output.
std::string foreign_entry(const fs::path& folder, const std::string& prefix, const PartialContents& known) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    std::string name = prefix + entry.path().filename().string();
    if (std::ranges::find(known.folders, name) != known.folders.end()) {
      std::string foreign = foreign_entry(entry.path(), name + "/", known);
      if (!foreign.empty()) return foreign;
    } else if (std::ranges::find(known.files, name) == known.files.end()) {
      return name;
    }
  }
  return {};
}

bool has_manifest(const fs::path& folder, const StagedKind& kind) {
  const std::string path = (folder / PoolFile::manifest).string();
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;
  const Descriptor file = open_regular_file(AT_FDCWD, path, path);
  std::array<char, 64> beginning{};
  const std::size_t size = read_at(file.number(), std::as_writable_bytes(std::span(beginning)), 0);
  return kind.begins_manifest({beginning.data(), size});
}

}  // namespace

void remove_pool(const std::string& path) noexcept { remove_output(path, kPoolContents); }

StagedKind StagedKind::pool() { return {.contents = kPoolContents, .begins_manifest = looks_like_manifest}; }

PoolStaging::PoolStaging(const std::string& target, WriteCalls calls, const StagedKind& kind)
    : target_(target), place_(place_of(target)), calls_(calls), kind_(kind) {
  remove_leftovers(std::span(&place_, 1), kind_.contents);
  static_cast<void>(replaces_something());
  partial_.emplace(place_, target_, kind_.contents);
  folder_ = partial_->fresh();
  old_ = partial_->replaced();
  if (::mkdir(folder_.c_str(), 0777) != 0)
    throw SystemError(target_, errno, "cannot make a folder beside it");
}

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
  publish([&manifest](std::vector<FileRecord> files) {
    manifest.files = std::move(files);
    return manifest_text(manifest);
  });
}

void PoolStaging::publish(const std::function<std::string(std::vector<FileRecord>)>& manifest_text) {
  std::ranges::sort(files_, {}, &FileRecord::name);
  for (const FileRecord& record : files_) published_bytes_ += record.bytes;
  manifest_text_ = manifest_text(std::move(files_));
  write_manifest();
  for (const std::string_view sub_folder : kind_.contents.folders) {
    const std::string path = pool_file_path(folder_, sub_folder);
    std::error_code error;
    if (fs::exists(path, error)) sync_folder(path);
  }
  sync_folder(folder_);
  sync_folder(partial_->path());
  throw_if_interrupted();
  take_name();
}

bool PoolStaging::replaces_something() const {
  struct stat found = {};
  if (::stat(place_.c_str(), &found) != 0) {
    if (errno == ENOENT) return false;
    throw SystemError(target_, errno, "cannot look at it");
  }
  const auto refuse = [&](const std::string& what) {
    throw SystemError(target_, EEXIST, what + " and will not be replaced");
  };
  if (!S_ISDIR(found.st_mode)) refuse(fmt::format("this is not {}", kind_.what));
  try {
    if (fs::is_empty(place_)) return true;
    if (!has_manifest(place_, kind_)) refuse(fmt::format("this is not {}", kind_.what));
    const std::string foreign = foreign_entry(place_, "", kind_.contents);
    if (!foreign.empty())
      refuse(fmt::format("this holds '{}', which is not part of {},", foreign, kind_.what));
  } catch (const fs::filesystem_error& error) {
    throw SystemError(target_, error.code().value(), "cannot look at it");
  }
  return true;
}

Descriptor PoolStaging::open_folder(const std::string& folder) const {
  Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open()) throw SystemError(target_, errno, "cannot open its folder");
  return opened;
}

// Returns 0 or errno. Some file systems cannot sync a folder; that is not an error.
int PoolStaging::sync_error_of(const Descriptor& folder) const noexcept {
  const int error = calls_.sync(folder.number());
  return error == EINVAL ? 0 : error;
}

void PoolStaging::sync_folder(const std::string& folder) const {
  const Descriptor opened = open_folder(folder);
  if (const int error = sync_error_of(opened); error != 0)
    throw SystemError(target_, error, "cannot sync its folder");
}

void PoolStaging::write_manifest() {
  const std::string& text = manifest_text_;
  Descriptor file = create_file(PoolFile::manifest);
  int error = calls_.write_all(file.number(), std::as_bytes(std::span(text)));
  if (error == 0) error = calls_.sync(file.number());
  if (error == 0) error = file.close();
  if (error != 0)
    fail(PoolFile::manifest, error, fmt::format("cannot write {} bytes", digit_groups(text.size())));
  published_bytes_ += text.size();
}

// If anything fails, the target stays as it was. After the new pool has the name, nothing here needs memory or a file
// descriptor, so that only the disk can fail.
void PoolStaging::take_name() {
  const Descriptor parent = open_folder(parent_of(place_));
  std::string partial = partial_->path();
  const Swap swap = swap_in();
  if (const int error = sync_error_of(parent); error != 0) {
    swap_back(swap);
    throw SystemError(target_, error, "cannot sync its folder");
  }
  stood_already_ = swap == Swap::none;
  if (!partial_->remove()) unremoved_ = std::move(partial);
}

PoolStaging::Swap PoolStaging::swap_in() const {
  Swap swap = Swap::moved;
  int error = 0;
  if (kind_.standing == StagedKind::Standing::stays) {
    error = move(folder_, place_);
    if (error == 0) return swap;
    if (error != ENOTEMPTY && error != EEXIST)
      throw SystemError(target_, error, fmt::format("cannot give {} its name", kind_.what));
    if (stands_already()) return Swap::none;
    throw SystemError(target_, EEXIST, "another one stands there and will not be replaced");
  }
  const bool replaces = replaces_something();
  if (!replaces) {
    error = move(folder_, place_);
  } else if (calls_.exchange(folder_.c_str(), place_.c_str()) == 0) {
    swap = Swap::exchanged;
  } else if (error = errno; error == ENOSYS || error == EINVAL || error == ENOTSUP) {
    swap = Swap::set_aside;
    error = set_aside();
  }
  if (error != 0) throw SystemError(target_, error, "cannot give the new pool its name");
  return swap;
}

// Whether the folder that has the name has the same manifest as this one: then all its bytes are the same.
bool PoolStaging::stands_already() const {
  const std::string path = pool_file_path(place_, PoolFile::manifest);
  const Descriptor file = open_regular_file(AT_FDCWD, path, pool_file_path(target_, PoolFile::manifest));
  std::string text(manifest_text_.size() + 1, '\0');
  const std::size_t size = read_at(file.number(), std::as_writable_bytes(std::span(text)), 0);
  return std::string_view(text).substr(0, size) == manifest_text_;
}

// For file systems that cannot exchange two names. Between the two moves nothing has the name of the target; if the
// program is killed then, the next staging moves the old pool back.
int PoolStaging::set_aside() const {
  if (const int error = move(place_, old_); error != 0) return error;
  const int error = move(folder_, place_);
  if (error != 0) static_cast<void>(move(old_, place_));
  return error;
}

void PoolStaging::swap_back(Swap swap) const noexcept {
  if (swap == Swap::none) return;
  if (swap == Swap::exchanged) {
    static_cast<void>(calls_.exchange(folder_.c_str(), place_.c_str()));
    return;
  }
  const bool is_out = move(place_, folder_) == 0;
  if (is_out && swap == Swap::set_aside) static_cast<void>(move(old_, place_));
}

int PoolStaging::move(const std::string& from, const std::string& to) const noexcept {
  return calls_.rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

void PoolStaging::fail(std::string_view name, int error, std::string_view what) const {
  throw_if_interrupted();
  throw SystemError(path_of(name), error, std::string(what));
}

}  // namespace inkling
