#include "io/base/sqlite/cut_indexes.hpp"

#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <new>

#include <sqlite3.h>

#include "io/base/file/cut_files.hpp"
#include "io/base/file/mapped_file.hpp"

namespace inkling {
namespace {

// A copy of SQLite's default VFS that also reports what it maps. It shares all functions and files with the default one.
sqlite3_vfs* system_layer = nullptr;
sqlite3_vfs telling_layer{};
std::atomic<const char*> telling_name = nullptr;

std::mutex files_mutex;
const sqlite3_io_methods* system_methods = nullptr;
sqlite3_io_methods telling_methods{};
std::multimap<sqlite3_file*, const std::byte*> noted_maps;

int map_and_note(sqlite3_file* file, int region, int size, int may_extend, void volatile** at) {
  const int code = system_methods->xShmMap(file, region, size, may_extend, at);
  if (code != SQLITE_OK || *at == nullptr) return code;
  try {
    const std::scoped_lock lock(files_mutex);
    const auto* const bytes = static_cast<const std::byte*>(const_cast<void*>(*at));  // only its address is used
    const char* const path = mapped_path_at(bytes);
    noted_maps.emplace(file, bytes);
    note_mapped(bytes, static_cast<std::size_t>(size), path == nullptr ? "the index of a database" : path);
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  }
  return code;
}

int forget_and_unmap(sqlite3_file* file, int is_deleted) {
  {
    const std::scoped_lock lock(files_mutex);
    const auto [first, last] = noted_maps.equal_range(file);
    for (auto noted = first; noted != last; ++noted) forget_mapped(noted->second);
    noted_maps.erase(first, last);
  }
  return system_methods->xShmUnmap(file, is_deleted);
}

int open_telling(sqlite3_vfs* /*layer*/, const char* name, sqlite3_file* file, int flags, int* opened) {
  const int code = system_layer->xOpen(system_layer, name, file, flags, opened);
  if (code != SQLITE_OK || (flags & SQLITE_OPEN_MAIN_DB) == 0) return code;
  const std::scoped_lock lock(files_mutex);
  if (system_methods == nullptr && file->pMethods->iVersion > 1 && file->pMethods->xShmMap != nullptr) {
    telling_methods = *file->pMethods;
    telling_methods.xShmMap = map_and_note;
    telling_methods.xShmUnmap = forget_and_unmap;
    system_methods = file->pMethods;
  }
  if (file->pMethods == system_methods) file->pMethods = &telling_methods;
  return code;
}

}  // namespace

void outlive_cut_indexes() {
  static const bool installed = [] {
    constexpr const char* name = "inkling-telling";
    system_layer = sqlite3_vfs_find(nullptr);
    if (system_layer == nullptr) return false;
    telling_layer = *system_layer;
    telling_layer.pNext = nullptr;
    telling_layer.zName = name;
    telling_layer.xOpen = open_telling;
    if (sqlite3_vfs_register(&telling_layer, 0) != SQLITE_OK) return false;
    telling_name = name;
    return true;
  }();
  static_cast<void>(installed);
}

const char* layer_of_files() noexcept { return telling_name; }

}  // namespace inkling
