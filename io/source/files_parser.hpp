// One document a file.
#pragma once

#include <string_view>

#include "io/source/document_source.hpp"

namespace inkling {

/// The name of the folder that a file lies in, told by its path below the source; empty where it lies in
/// none.
[[nodiscard]] std::string_view label_of_path(std::string_view path);

/// Each member is a document; its id is its name, its label that of its folder. Thread safety: pure.
[[nodiscard]] ChunkOutcome parse_files(const Chunk& chunk, const SourceOptions& options,
                                       const DocumentVisitor& visit);

}  // namespace inkling
