// Files that another process cuts short while they are mapped here, for a process that must outlive that.
#pragma once

#include <cstddef>
#include <string>

namespace inkling {

/// Of every `MappedFile`, from its beginning to its end, and of what SQLite maps (`outlive_cut_indexes`). `forget_mapped`
/// needs what `note_mapped` was told.
void note_mapped(const std::byte* bytes, std::size_t size, const std::string& path);
void forget_mapped(const std::byte* bytes) noexcept;

/// From now on, the missing part of a mapped file that became shorter reads as zeros instead of raising SIGBUS, and what is
/// written there is lost. Any other SIGBUS does what it did before. Our own programs report it and end (`mapped_path_at`);
/// this is for a host process that must live on, such as a Python interpreter. Thread safety: any thread, any time.
void outlive_cut_files();

/// Whether any of them was found to be cut short; `check_cut_files` says which.
[[nodiscard]] bool has_cut_files() noexcept;
/// Throws CorruptFileError, which names a mapped file that was found to be cut short when it was read.
/// Thread safety: any thread, any time.
void check_cut_files();

}  // namespace inkling
