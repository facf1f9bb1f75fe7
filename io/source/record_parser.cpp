#include "io/source/record_parser.hpp"

#include <fmt/format.h>

namespace inkling {

RecordProblem too_long_record(std::uint64_t limit) {
  return {fmt::format("expected at most {} bytes in a record (--max-document), found more", limit)};
}

RecordProblem bad_byte(std::string_view text, std::size_t position) {
  return {fmt::format("expected UTF-8, found the byte 0x{:02X}", static_cast<unsigned char>(text[position])),
          position};
}

bool keeps_label(const SourceOptions& options, std::string_view label) {
  return options.labels.empty() || std::ranges::find(options.labels, label) != options.labels.end();
}

ChunkProblem problem_at(std::string_view text, const RecordProblem& problem) {
  const std::string_view before = text.substr(0, problem.position);
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  return {.line = std::ranges::count(before, '\n'),
          .column = static_cast<std::int64_t>(before.size() - line_begin) + 1,
          .expectation = problem.expectation};
}

}  // namespace inkling
