// The file of a set that lists which of its documents are one with another.
#pragma once

#include <string>

#include "io/corpus/pool/format/row_copies.hpp"
#include "io/corpus/pool/format/set_file.hpp"

namespace inkling {

/// An array of int64 as in FORMAT.md: the copies, ascending, then the original of each.
[[nodiscard]] std::string set_copies_bytes(const CopiedSetRows& copies);

/// What the file at `path` holds that the set names, checked; nothing if the set names none. Throws SystemError, and
/// CorruptFileError naming the file.
[[nodiscard]] CopiedSetRows read_set_copies(const std::string& set_path, const SetFile& set);

}  // namespace inkling
