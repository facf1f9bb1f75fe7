#include "io/parts/folder/folder_staging.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/system/folder.hpp"
#include "io/base/system/interruption.hpp"

namespace inkling {
namespace {

std::string without_slash(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

PartialContents contents_of(const FolderKind& kind) { return {.files = kind.files, .folders = {}}; }

}  // namespace

void remove_leftovers_of(const FolderKind& kind, const std::string& target) {
  const std::string place = resolved_path(without_slash(target));
  remove_leftovers(std::span(&place, 1), contents_of(kind));
}

FolderStaging::FolderStaging(const FolderKind& kind, const std::string& target)
    : kind_(kind), target_(target), place_(resolved_path(without_slash(target))) {
  remove_leftovers_of(kind_, target_);
  check_target();
  partial_.emplace(place_, target_, contents_of(kind_));
  if (const int error = make_folder_at(partial_->fresh().c_str()); error != 0)
    throw SystemError(target_, error, "cannot make a folder beside it");
}

void FolderStaging::check_target() const {
  const std::optional<FileStatus> found = status_at(place_.c_str());
  if (!found && errno == ENOENT) return;
  if (!found) throw SystemError(target_, errno, "cannot look at it");
  if (is_empty_folder_at(place_)) return;
  try {
    static_cast<void>(ArrayFolder(kind_, place_));
  } catch (const CorruptFileError&) {
    throw SystemError(target_, EEXIST, fmt::format("this is not {}, or it is damaged, and will not be replaced", kind_.noun));
  }
}

std::string FolderStaging::path_of(std::string_view name) const { return pool_file_path(target_, name); }

File FolderStaging::create_file(std::string_view name) {
  const std::string path = pool_file_path(partial_->fresh(), name);
  File file = File::open(path, OpenAs::fresh);
  if (!file.is_open()) fail(name, errno, "cannot write");
  return file;
}

void FolderStaging::add_file(FileRecord record) {
  const std::lock_guard lock(adding_);
  files_.push_back(std::move(record));
}

void FolderStaging::write(std::string_view table, const PackedStrings& strings) {
  write(PoolFile::bytes_of(table), strings.bytes);
  write(PoolFile::offsets_of(table), strings.offsets);
}

Published FolderStaging::publish(FolderManifest manifest) {
  std::ranges::sort(files_, {}, &FileRecord::name);
  manifest.files = std::move(files_);
  const std::string text = folder_manifest_text(kind_, manifest);
  write_manifest(text);
  sync_folder(partial_->fresh());
  throw_if_interrupted();
  // Once it has its name, any step that may fail must be undone. Renaming a folder never replaces another one that is not empty.
  const int error = rename_path(partial_->fresh().c_str(), place_.c_str());
  if (error == 0) {
    try {
      sync_folder(folder_around(place_));
    } catch (const SystemError&) {
      static_cast<void>(rename_path(place_.c_str(), partial_->fresh().c_str()));
      throw;
    }
    return Published::now;
  }
  if (error != ENOTEMPTY && error != EEXIST) throw SystemError(target_, error, "cannot give it its name");
  if (is_there(text)) return Published::before;
  throw SystemError(target_, EEXIST,
                    fmt::format("another one of its kind, or a damaged one, is there, and is never "
                                "replaced: expected another place for {}, or remove that one",
                                kind_.noun));
}

void FolderStaging::write_manifest(const std::string& text) {
  File file = create_file(PoolFile::manifest);
  int error = file.write_all(std::as_bytes(std::span(text)));
  if (error == 0) error = file.sync();
  if (error == 0) error = file.close();
  if (error != 0) fail(PoolFile::manifest, error, fmt::format("cannot write {} bytes", text.size()));
}

void FolderStaging::sync_folder(const std::string& folder) const {
  const File opened = File::open(folder, OpenAs::folder);
  if (!opened.is_open()) throw SystemError(target_, errno, "cannot open its folder");
  const int error = opened.sync();
  if (error != 0 && error != EINVAL) throw SystemError(target_, error, "cannot sync its folder");
}

bool FolderStaging::is_there(const std::string& text) const {
  try {
    const ArrayFolder found(kind_, place_);
    found.verify();
    return found.checksum() == seal_of(text);
  } catch (const CorruptFileError&) {
    return false;
  }
}

void FolderStaging::fail(std::string_view name, int error, std::string_view what) const {
  throw_if_interrupted();
  throw SystemError(path_of(name), error, std::string(what));
}

}  // namespace inkling
