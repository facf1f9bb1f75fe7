// One document a line.
#pragma once

#include "io/source/document_source.hpp"

namespace inkling {

/// Each line is a document without id and label, the empty ones too, so that row n is line n + 1. What ends a
/// line is "\n" or "\r\n"; the last may lack it. Thread safety: pure.
[[nodiscard]] ChunkOutcome parse_lines(const Chunk& chunk, const SourceOptions& options,
                                       const DocumentVisitor& visit);

}  // namespace inkling
