#include "bench/paper/data/json_lines.hpp"

#include <optional>
#include <utility>
#include <variant>

#include "engine/core/errors.hpp"
#include "io/corpus/source/record_parser.hpp"

namespace inkling::bench {

void refuse_record(std::string expectation) { throw FormatError("", std::move(expectation)); }

void for_each_json_line(InputStream& stream, const std::string& name, const JsonLineLimits& limits,
                        const std::function<void(simdjson::dom::object)>& take) {
  const ReadingOptions reading = {.most_document_bytes = limits.most_line_bytes};
  RecordChunks chunks(stream, RecordEnd::every_line, reading);
  JsonObjectParser parser;
  PaddedText bytes;
  std::int64_t dropped_lines = 0;
  std::uint64_t total = 0;
  ChunkOutcome outcome;
  const auto read_line = [&](std::string_view line) -> RecordVerdict {
    if (is_blank_record(line)) return std::nullopt;
    auto parsed = parser.parse(line);
    if (auto* problem = std::get_if<RecordProblem>(&parsed)) return std::move(*problem);
    try {
      take(std::get<simdjson::dom::object>(parsed));
    } catch (const FormatError& error) {
      return RecordProblem{error.expectation()};
    }
    return std::nullopt;
  };
  while (chunks.read(bytes, dropped_lines)) {
    total += bytes.size();
    if (total > limits.most_bytes)
      throw FormatError(name, fmt::format("expected at most {} bytes, found more", limits.most_bytes));
    parse_records(bytes.view(), RecordEnd::every_line, reading, outcome, read_line);
    if (outcome.problem)
      throw FormatError(fmt::format("{}:{}:{}", name, outcome.problem->line + 1, outcome.problem->column),
                        outcome.problem->expectation);
    outcome.lines += dropped_lines;
  }
}

}  // namespace inkling::bench
