// One document a line.
#include "io/corpus/source/record_format.hpp"
#include "io/corpus/source/record_parser.hpp"

namespace inkling {

// Each line is a document without id and label, the empty ones too, so that row n is line n + 1. A line ends in
// "\n" or "\r\n"; the last one may lack it.
ChunkOutcome parse_lines(const Chunk& chunk, const SourceOptions& options, const DocumentVisitor& visit) {
  return parse_lines_of_text(chunk, options, [&](std::string_view text) -> RecordVerdict {
    if (keeps_label(options, "")) visit({.text = text, .id = {}, .label = {}});
    return std::nullopt;
  });
}

}  // namespace inkling
