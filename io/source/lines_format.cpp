// One document a line.
#include "io/source/record_format.hpp"
#include "io/source/record_parser.hpp"

namespace inkling {

// Each line is a document without id and label, the empty ones too, so that row n is line n + 1. A line ends in
// "\n" or "\r\n"; the last one may lack it.
ChunkOutcome parse_lines(const Chunk& chunk, const SourceOptions& options, const DocumentVisitor& visit) {
  TextDecoder decoder(chunk.bytes.view(), options.encoding, options.bad_bytes);
  PaddedText scratch;
  ChunkOutcome outcome = parse_chunk(chunk, rules_of(options), [&](std::string_view line) -> RecordVerdict {
    const std::optional<std::string_view> text = decoder.decode(line, scratch);
    if (!text) return bad_byte(line, decoder.bad_at());
    if (keeps_label(options, "")) visit({.text = *text, .id = {}, .label = {}});
    return std::nullopt;
  });
  outcome.bad_bytes = decoder.replaced();
  return outcome;
}

}  // namespace inkling
