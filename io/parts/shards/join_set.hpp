// Joins shards to a set.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/pool/format/row_copies.hpp"
#include "io/corpus/pool/format/set_file.hpp"
#include "io/corpus/same/record_identity.hpp"

namespace inkling {

/// The set of these shards, given in any order, for a file at `set_path`: checks that they are all parts of one corpus, each
/// once, that they have the same words and idf to the last bit, and that all their files are there with their lengths.
/// Throws FormatError, CorruptFileError and SystemError, which name the shard. Requires: at least one.
[[nodiscard]] SetFile joined_set(const std::vector<std::string>& shards, const std::string& set_path,
                                 std::string_view program_version);

/// Adds what only reading the shards tells: the fingerprint of the one pool with the same documents, and which documents are one
/// with another. Returns these, for the file that the set then names beside itself. Without the marks of texts, which shards of
/// earlier programs lack, the set says nothing of them. Throws as above.
[[nodiscard]] CopiedSetRows compare_records(SetFile& set, const std::string& set_path, SameBy by);

}  // namespace inkling
