#include "io/session/event_file.hpp"

#include <memory>

#include "engine/core/errors.hpp"
#include "io/source/record_chunks.hpp"

namespace inkling {

EventLog read_events(InputStream& stream, const std::string& path, const EventScope& scope,
                     const EventRules& rules) {
  EventLog log = {.path = path, .events = {}, .skipped = 0};
  EventParser parser(scope, rules);
  RecordChunks chunks(stream, RecordEnd::every_line,
                      {.chunk_bytes = rules.chunk_bytes, .most_record_bytes = rules.most_line_bytes});
  Chunk chunk;
  chunk.origin = std::make_shared<const std::string>(path);
  std::int64_t lines = 0;
  while (chunks.read(chunk.bytes, chunk.dropped_lines)) {
    const ChunkOutcome outcome = parser.parse(chunk, log.events);
    if (outcome.problem) {
      throw FormatError(place_of(chunk, *outcome.problem, lines),
                        outcome.problem->expectation + " (--skip-bad leaves bad events out)");
    }
    lines += outcome.lines;
    log.skipped += outcome.skipped;
  }
  return log;
}

EventLog read_events(const std::string& path, const EventScope& scope, const EventRules& rules) {
  FileStream stream(path);
  return read_events(stream, path, scope, rules);
}

}  // namespace inkling
