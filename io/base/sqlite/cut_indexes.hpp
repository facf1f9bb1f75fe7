// The index of a write-ahead log (FILE-shm), which SQLite maps, in a process that must outlive its being cut short.
#pragma once

namespace inkling {

/// From now on, what SQLite maps of a database that is opened is known to `outlive_cut_files`: where it was cut short,
/// whoever reads or commits gets a CorruptFileError, until the database is closed. Thread safety: any thread, any time.
void outlive_cut_indexes();

/// The layer through which SQLite is to open files, or nullptr for its own.
[[nodiscard]] const char* layer_of_files() noexcept;

}  // namespace inkling
