// A file of records, searched without a step between: its pool is made beside it, once.
#pragma once

#include <string>

namespace inkling {

/// The pool that is meant by a path: the path itself where a pool or a set lies there, or nothing that can be read; else
/// `FILE.pool` of that file of records, or a pool in `~/.local/share/inkling` where none can be made beside it. It is
/// built, and said so, where there is none. Where the file has changed since, it is built anew, or, where searches belong to
/// it, gets the records that are new (add_records). Throws what `inkling build` does.
[[nodiscard]] std::string pool_of_records(const std::string& path);

/// The same pool, if it is there; nothing is built. The path itself where there is none.
[[nodiscard]] std::string existing_pool_of(const std::string& path);

/// `~/.local/share/inkling`, or where XDG_DATA_HOME says: what belongs to no folder of its own.
[[nodiscard]] std::string own_data();

}  // namespace inkling
