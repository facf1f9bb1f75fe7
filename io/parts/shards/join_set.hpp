// Joins shards to a set.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/from_text/document_columns.hpp"
#include "io/corpus/pool/format/row_copies.hpp"
#include "io/corpus/pool/format/set_file.hpp"

namespace inkling {

/// The set of these shards, given in any order, for a file at `set_path`: checks that they are all parts of one corpus, each
/// once, that they have the same words and idf to the last bit, and that all their files are there with their lengths.
/// Throws FormatError, CorruptFileError and SystemError, which name the shard. Requires: at least one.
[[nodiscard]] SetFile joined_set(const std::vector<std::string>& shards, const std::string& set_path,
                                 std::string_view program_version);

/// Adds what only reading the shards tells: the fingerprint of the one pool with the same documents, and, where equal texts are
/// noted, which documents have the text of an earlier one. Returns these, for the file that the set then names beside itself.
/// Without the marks of texts, which shards of earlier programs lack, the set says nothing of equal texts. Throws as above.
[[nodiscard]] CopiedSetRows compare_texts(SetFile& set, const std::string& set_path, EqualTexts equal_texts);

}  // namespace inkling
