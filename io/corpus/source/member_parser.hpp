// How a file that is a document is read: as plain text, as a page or as a letter.
#pragma once

#include <string_view>

#include "io/corpus/source/document_source.hpp"

namespace inkling {

/// The name of the folder that a file lies in, by its path below the source; empty where it lies in none.
[[nodiscard]] std::string_view label_of_path(std::string_view path);

/// Hands over the members of a chunk in order, each as a document. Thread safety: pure.
[[nodiscard]] ChunkOutcome parse_members(const Chunk& chunk, const SourceOptions& options, const DocumentVisitor& visit);

}  // namespace inkling
