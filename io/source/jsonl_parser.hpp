// One JSON object a line.
#pragma once

#include "io/source/document_source.hpp"

namespace inkling {

/// Each line that is not blank is an object. Its text must be a string; id and label may be strings, numbers
/// and booleans (the shortest text that reads back the same), null or absent. Where a key comes twice the
/// first counts; other fields are looked at only in that they must be JSON. Thread safety: pure.
[[nodiscard]] ChunkOutcome parse_jsonl(const Chunk& chunk, const SourceOptions& options,
                                       const DocumentVisitor& visit);

}  // namespace inkling
