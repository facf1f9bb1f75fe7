// Searches a file of records directly: its pool is made beside it, once.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/corpus/same/record_identity.hpp"
#include "io/doors/cli/option_table.hpp"

namespace inkling {

/// The options by which a file of records is read where it takes the place of a pool, and those of them that were given, as
/// arguments of `inkling build`.
[[nodiscard]] OptionGroup records_group();
[[nodiscard]] std::vector<std::string> records_args(const ParsedOptions& options);

/// The pool for a path. For a pool, a set, or anything that cannot be read, that is the path itself. For a file of records it is
/// `FILE.pool` beside the file, or, if none can be made there, a pool in `~/.local/share/inkling`. A missing pool is built, with
/// a message. If the file has changed since, the pool is built again, or, if there are searches of it, gets the new records
/// (add_records). Several paths that are all files of records have one pool, beside the first of them. `same_by`: by what its
/// records are one; a pool that was built by other rules is built again. With `reading`, the arguments of a build that say how to
/// read it, the pool is built again, too. UsageError if there are searches of it. Throws what `inkling build` throws.
[[nodiscard]] std::string pool_of_records(std::span<const std::string> paths, std::optional<SameBy> same_by,
                                          std::span<const std::string> reading = {});

/// The paths of pools and sets, in their order, and in the place of the first file of records one pool of all files.
[[nodiscard]] std::vector<std::string> pools_of_paths(std::span<const std::string> paths, std::optional<SameBy> same_by,
                                                      std::span<const std::string> reading = {});

/// "a.ris+b.csv", or "a.ris+3-1a2b3c4d" where that would be long or files of one name lie in different folders.
[[nodiscard]] std::string joined_name(std::span<const std::string> paths);

/// The same pool if it exists, else the path itself. Builds nothing.
[[nodiscard]] std::string existing_pool_of(const std::string& path);

/// `~/.local/share/inkling`, or `inkling` in XDG_DATA_HOME: for files that have no folder of their own.
[[nodiscard]] std::string own_data();

}  // namespace inkling
