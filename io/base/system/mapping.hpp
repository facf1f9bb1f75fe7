// Files mapped into memory, and what happens if one is shortened meanwhile.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "io/base/system/file.hpp"

namespace inkling {

/// Maps a whole file for reading; nullptr and errno on failure. The file may be closed, renamed and removed while it is mapped.
/// If it is shortened, reading a page that is gone raises SIGBUS; in the last page that is left, missing bytes read as zeros.
/// Requires: `bytes` is its size, and not 0.
[[nodiscard]] const std::byte* map_file(const File& file, std::size_t bytes) noexcept;
void unmap_file(const std::byte* mapped, std::size_t bytes) noexcept;

/// The path of the file that is mapped at this address by any code (SQLite maps one beside a log), or nullptr. Async-signal-safe.
/// Lifetime of the path: until the next call.
[[nodiscard]] const char* mapped_path_at(const void* address) noexcept;

/// For programs: `handle(path)` is called if a page of a mapped file that is gone is read; it must end the process by
/// async-signal-safe calls.
void on_cut_file(void (*handle)(const char* path)) noexcept;

/// Called when a mapping begins and ends: of every `MappedFile`, and of what SQLite maps (`outlive_cut_indexes`). `bytes` is the
/// same in both calls.
void note_mapped(const std::byte* bytes, std::size_t size, const std::string& path);
void forget_mapped(const std::byte* bytes) noexcept;

/// From now on, the missing part of a mapped file that was shortened reads as zeros instead of raising SIGBUS, and writes to it
/// are lost. Any other SIGBUS has the effect that it had before. Our own programs report it and end (`on_cut_file`); this is for
/// a host process that must live on, such as a Python interpreter. Thread safety: any thread, any time.
void outlive_cut_files();
/// Whether any noted file was found to be cut short, and the path of one. Thread safety: any thread, any time.
[[nodiscard]] bool has_cut_files() noexcept;
[[nodiscard]] std::optional<std::string> cut_file();

}  // namespace inkling
