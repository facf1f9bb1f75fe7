// Lets a process survive when another one shortens the index of a write-ahead log (FILE-shm), which SQLite maps.
#pragma once

namespace inkling {

/// From now on, registers with `outlive_cut_files` the index that SQLite maps of each database it opens. If the index is
/// shortened, reading and committing throw CorruptFileError until the database is closed. Thread safety: any thread, any time.
void outlive_cut_indexes();

/// The VFS with which SQLite must open files, or nullptr for its default.
[[nodiscard]] const char* layer_of_files() noexcept;

}  // namespace inkling
