// Files in memory, and what happens where one is cut short meanwhile.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "io/base/system/file.hpp"

namespace inkling {

/// Maps a whole file to be read; nullptr and errno where that fails. The file may be closed, renamed and removed while it is
/// mapped. Where it becomes shorter, reading what is gone raises SIGBUS, but what is gone of the last page that is left
/// reads as zeros. Requires: `bytes` is its size, and not 0.
[[nodiscard]] const std::byte* map_file(const File& file, std::size_t bytes) noexcept;
void unmap_file(const std::byte* mapped, std::size_t bytes) noexcept;

/// The path of the file that is mapped where an address lies, by whomever (SQLite maps one beside a log), or nullptr.
/// Async-signal-safe. Lifetime of the path: until the next call.
[[nodiscard]] const char* mapped_path_at(const void* address) noexcept;

/// For programs: `handle(path)` is called where a mapped file became shorter and what is gone was read, and must end the
/// process by async-signal-safe calls.
void on_cut_file(void (*handle)(const char* path)) noexcept;

/// Of every `MappedFile`, from its beginning to its end, and of what SQLite maps (`outlive_cut_indexes`). `forget_mapped`
/// needs the `bytes` that `note_mapped` was given.
void note_mapped(const std::byte* bytes, std::size_t size, const std::string& path);
void forget_mapped(const std::byte* bytes) noexcept;

/// From now on, the missing part of a mapped file that became shorter reads as zeros instead of raising SIGBUS, and what is
/// written there is lost. Any other SIGBUS does what it did before. Our own programs report it and end (`on_cut_file`); this
/// is for a host process that must live on, such as a Python interpreter. Thread safety: any thread, any time.
void outlive_cut_files();
/// Whether any noted file was found to be cut short, and the path of one. Thread safety: any thread, any time.
[[nodiscard]] bool has_cut_files() noexcept;
[[nodiscard]] std::optional<std::string> cut_file();

}  // namespace inkling
