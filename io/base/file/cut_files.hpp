// Files that another process cuts short while they are mapped here, for a process that must outlive that.
#pragma once

#include <cstddef>
#include <string>

namespace inkling {

/// Of every `MappedFile`, from its beginning to its end, and of what SQLite maps (`outlive_cut_indexes`). `forget_mapped`
/// needs what `note_mapped` was told.
void note_mapped(const std::byte* bytes, std::size_t size, const std::string& path);
void forget_mapped(const std::byte* bytes) noexcept;

/// From now on, what is gone of a file that became shorter reads as zeros where it would raise SIGBUS, and takes what is
/// written for nobody else. Any other SIGBUS does what it did before. A program says what happened and ends
/// (`mapped_path_at`); this is for a process that is not ours, such as an interpreter of Python. Thread safety: any thread,
/// any time.
void outlive_cut_files();

/// Whether something was gone of any of them; as `check_cut_files`, without saying of which.
[[nodiscard]] bool has_cut_files() noexcept;
/// Throws CorruptFileError with the name of a file of which something was gone when it was read, as long as it is mapped.
/// Thread safety: any thread, any time.
void check_cut_files();

}  // namespace inkling
