#include "io/source/lines_parser.hpp"

#include "io/source/record_parser.hpp"

namespace inkling {

ChunkOutcome parse_lines(const Chunk& chunk, const SourceOptions& options, const DocumentVisitor& visit) {
  ChunkOutcome outcome;
  TextDecoder decoder(chunk.bytes.view(), options.encoding, options.bad_bytes);
  PaddedText scratch;
  const RecordRules rules = {.most_bytes = options.most_document_bytes, .skip_bad = options.skip_bad};
  parse_records(chunk.bytes.view(), rules, outcome, [&](std::string_view line) -> RecordVerdict {
    const std::optional<std::string_view> text = decoder.decode(line, scratch);
    if (!text) return bad_byte(line, decoder.bad_at());
    if (keeps_label(options, "")) visit({.text = *text, .id = {}, .label = {}});
    return std::nullopt;
  });
  outcome.lines += chunk.dropped_lines;
  outcome.bad_bytes = decoder.replaced();
  return outcome;
}

}  // namespace inkling
