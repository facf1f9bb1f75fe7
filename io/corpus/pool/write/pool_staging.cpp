#include "io/corpus/pool/write/pool_staging.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/system/folder.hpp"
#include "io/base/system/interruption.hpp"

namespace inkling {
namespace {

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
  const std::optional<FileStatus> found = link_status_at(real.c_str());
  if (!found && errno == ENOENT) return real;
  if (!found) throw SystemError(target, errno, "cannot look at it");
  if (found->kind == FileKind::link) throw SystemError(target, ENOENT, "cannot follow the symbolic link");
  return real;
}

// An entry of the folder that no output of this kind has, or nothing. `prefix`: the path of the folder within `target`.
std::string foreign_entry(const std::string& folder, const std::string& target, const std::string& prefix,
                          const PartialContents& known) {
  std::string foreign;
  const bool is_whole = each_name_in(folder, [&](const std::string& entry) {
    const std::string name = prefix + entry;
    if (std::ranges::find(known.folders, name) != known.folders.end())
      foreign = foreign_entry(pool_file_path(folder, entry), target, name + "/", known);
    else if (std::ranges::find(known.files, name) == known.files.end())
      foreign = name;
    return foreign.empty();
  });
  if (!is_whole && foreign.empty()) throw SystemError(target, errno, "cannot look at it");
  return foreign;
}

bool has_manifest(const std::string& folder, const StagedKind& kind) {
  const std::string path = pool_file_path(folder, PoolFile::manifest);
  if (!is_file_at(path)) return false;
  const File file = open_regular_file(path);
  std::array<char, 64> beginning{};
  const std::size_t size = file.read_at(std::as_writable_bytes(std::span(beginning)), 0);
  return kind.begins_manifest({beginning.data(), size});
}

}  // namespace

void remove_pool(const std::string& path) noexcept { remove_output(path, kPoolContents); }

void remove_leftovers_of_pool(const std::string& path) noexcept {
  try {
    const std::string place = place_of(path);
    remove_leftovers(std::span(&place, 1), kPoolContents);
  } catch (const std::exception&) {
    return;  // then the next writer does
  }
}

StagedKind StagedKind::pool() { return {.contents = kPoolContents, .begins_manifest = looks_like_manifest}; }

PoolStaging::PoolStaging(const std::string& target, const StagedKind& kind)
    : target_(target), place_(place_of(target)), kind_(kind) {
  remove_leftovers(std::span(&place_, 1), kind_.contents);
  static_cast<void>(replaces_something());
  partial_.emplace(place_, target_, kind_.contents);
  folder_ = partial_->fresh();
  old_ = partial_->replaced();
  if (const int error = make_folder_at(folder_.c_str()); error != 0)
    throw SystemError(target_, error, "cannot make a folder beside it");
}

std::string PoolStaging::path_of(std::string_view name) const { return pool_file_path(target_, name); }

File PoolStaging::create_file(std::string_view name) {
  const std::string path = pool_file_path(folder_, name);
  if (name.find('/') != std::string_view::npos) {
    const int error = make_folder_at(folder_around(path).c_str());
    if (error != 0 && error != EEXIST) fail(name, error, "cannot make its folder");
  }
  File file = File::open(path, OpenAs::fresh);
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
    if (exists_at(path)) sync_folder(path);
  }
  sync_folder(folder_);
  sync_folder(partial_->path());
  throw_if_interrupted();
  take_name();
}

bool PoolStaging::replaces_something() const {
  const std::optional<FileStatus> found = status_at(place_.c_str());
  if (!found && errno == ENOENT) return false;
  if (!found) throw SystemError(target_, errno, "cannot look at it");
  const auto refuse = [&](const std::string& what) { throw SystemError(target_, EEXIST, what + " and will not be replaced"); };
  if (!found->is_folder()) refuse(fmt::format("this is not {}", kind_.what));
  if (is_empty_folder_at(place_)) return true;
  if (!has_manifest(place_, kind_)) refuse(fmt::format("this is not {}", kind_.what));
  const std::string foreign = foreign_entry(place_, target_, "", kind_.contents);
  if (!foreign.empty()) refuse(fmt::format("this holds '{}', which is not part of {},", foreign, kind_.what));
  return true;
}

File PoolStaging::open_folder(const std::string& folder) const {
  File opened = File::open(folder, OpenAs::folder);
  if (!opened.is_open()) throw SystemError(target_, errno, "cannot open its folder");
  return opened;
}

// Returns 0 or errno. Some file systems cannot sync a folder; that is not an error.
int PoolStaging::sync_error_of(const File& folder) noexcept {
  const int error = folder.sync();
  return error == EINVAL ? 0 : error;
}

void PoolStaging::sync_folder(const std::string& folder) const {
  const File opened = open_folder(folder);
  if (const int error = sync_error_of(opened); error != 0) throw SystemError(target_, error, "cannot sync its folder");
}

void PoolStaging::write_manifest() {
  const std::string& text = manifest_text_;
  File file = create_file(PoolFile::manifest);
  int error = file.write_all(std::as_bytes(std::span(text)));
  if (error == 0) error = file.sync();
  if (error == 0) error = file.close();
  if (error != 0) fail(PoolFile::manifest, error, fmt::format("cannot write {} bytes", digit_groups(text.size())));
  published_bytes_ += text.size();
}

// If anything fails, the target stays as it was. After the new pool has the name, nothing here needs memory or a file
// descriptor, so that only the disk can fail.
void PoolStaging::take_name() {
  const File parent = open_folder(folder_around(place_));
  std::string partial = partial_->path();
  const Swap swap = swap_in();
  if (const int error = sync_error_of(parent); error != 0) {
    swap_back(swap);
    throw SystemError(target_, error, "cannot sync its folder");
  }
  was_there_ = swap == Swap::none;
  if (!partial_->remove()) unremoved_ = std::move(partial);
}

PoolStaging::Swap PoolStaging::swap_in() const {
  Swap swap = Swap::moved;
  int error = 0;
  if (kind_.existing == StagedKind::Existing::stays) {
    error = rename_path(folder_.c_str(), place_.c_str());
    if (error == 0) return swap;
    if (error != ENOTEMPTY && error != EEXIST)
      throw SystemError(target_, error, fmt::format("cannot give {} its name", kind_.what));
    if (is_there_already()) return Swap::none;
    throw SystemError(target_, EEXIST, "another folder is there and will not be replaced");
  }
  const bool replaces = replaces_something();
  if (!replaces) {
    error = rename_path(folder_.c_str(), place_.c_str());
  } else if (error = exchange_paths(folder_.c_str(), place_.c_str()); error == 0) {
    swap = Swap::exchanged;
  } else if (error == ENOSYS || error == EINVAL || error == ENOTSUP) {
    swap = Swap::set_aside;
    error = set_aside();
  }
  if (error != 0) throw SystemError(target_, error, "cannot give the new pool its name");
  return swap;
}

// Whether the folder that has the name has the same manifest as this one: then all its bytes are the same.
bool PoolStaging::is_there_already() const {
  const std::string path = pool_file_path(place_, PoolFile::manifest);
  const File file = open_regular_file(path, pool_file_path(target_, PoolFile::manifest));
  std::string text(manifest_text_.size() + 1, '\0');
  const std::size_t size = file.read_at(std::as_writable_bytes(std::span(text)), 0);
  return std::string_view(text).substr(0, size) == manifest_text_;
}

// For file systems that cannot exchange two names. Between the two moves nothing has the name of the target; if the
// program is killed then, the next staging moves the old pool back.
int PoolStaging::set_aside() const {
  if (const int error = rename_path(place_.c_str(), old_.c_str()); error != 0) return error;
  const int error = rename_path(folder_.c_str(), place_.c_str());
  if (error != 0) static_cast<void>(rename_path(old_.c_str(), place_.c_str()));
  return error;
}

void PoolStaging::swap_back(Swap swap) const noexcept {
  if (swap == Swap::none) return;
  if (swap == Swap::exchanged) {
    static_cast<void>(exchange_paths(folder_.c_str(), place_.c_str()));
    return;
  }
  const bool is_out = rename_path(place_.c_str(), folder_.c_str()) == 0;
  if (is_out && swap == Swap::set_aside) static_cast<void>(rename_path(old_.c_str(), place_.c_str()));
}

void PoolStaging::fail(std::string_view name, int error, std::string_view what) const {
  throw_if_interrupted();
  throw SystemError(path_of(name), error, std::string(what));
}

}  // namespace inkling
