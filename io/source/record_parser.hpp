// The loop that parsers of records in lines share: cutting, counting, and what is done about bad records.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/source/document_source.hpp"
#include "io/source/record_chunks.hpp"

namespace inkling {

/// What is wrong with one record, and where within it.
struct RecordProblem {
  std::string expectation;
  std::size_t position = 0;  // in bytes from the record's beginning
};

/// What a parser answers for a record: nothing where all is well.
using RecordVerdict = std::optional<RecordProblem>;

[[nodiscard]] RecordProblem too_long_record(std::uint64_t limit);

/// Requires: `text[position]` does not begin a character.
[[nodiscard]] RecordProblem bad_byte(std::string_view text, std::size_t position);

[[nodiscard]] bool keeps_label(const SourceOptions& options, std::string_view label);

/// A text without one line end at its end ("\n" or "\r\n").
[[nodiscard]] inline std::string_view without_line_end(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// The problem with line and column instead of a position; lines from 0 in `text`.
[[nodiscard]] ChunkProblem problem_at(std::string_view text, const RecordProblem& problem);

struct RecordRules {
  RecordEnd end = RecordEnd::every_line;
  std::uint64_t most_bytes = 0;
  bool skip_bad = false;
};

/// What the options of a source say of its records, where every line is one.
template <typename Options>
[[nodiscard]] RecordRules rules_of(const Options& options) {
  return {.most_bytes = options.most_document_bytes, .skip_bad = options.skip_bad};
}

/// Calls `parse_record(text)` for each record of `bytes`, in order, where line ends are cut off, and stops at
/// the first problem that it answers with unless bad records are skipped. Fills lines, skipped and problem
/// of `outcome`; lines and the problem's line go on from what `outcome.lines` was.
template <typename ParseRecord>
void parse_records(std::string_view bytes, const RecordRules& rules, ChunkOutcome& outcome,
                   const ParseRecord& parse_record) {
  while (!bytes.empty()) {
    const std::size_t length = std::min(first_record(bytes, rules.end), bytes.size());
    const std::string_view record = bytes.substr(0, length);
    const std::string_view text = without_line_end(record);
    bytes.remove_prefix(length);
    const RecordVerdict problem =
        text.size() > rules.most_bytes ? too_long_record(rules.most_bytes) : parse_record(text);
    if (problem && !rules.skip_bad) {
      outcome.problem = problem_at(text, *problem);
      outcome.problem->line += outcome.lines;
      return;
    }
    if (problem) ++outcome.skipped;
    outcome.lines += rules.end == RecordEnd::every_line ? static_cast<std::int64_t>(record.ends_with('\n'))
                                                        : std::ranges::count(record, '\n');
  }
}

/// The same for what follows the header of a chunk. Counts the lines of the header, and those that were dropped.
template <typename ParseRecord>
[[nodiscard]] ChunkOutcome parse_chunk(const Chunk& chunk, const RecordRules& rules,
                                       const ParseRecord& parse_record) {
  const std::string_view bytes = chunk.bytes.view();
  ChunkOutcome outcome = {.lines = std::ranges::count(bytes.substr(0, chunk.header_bytes), '\n')};
  parse_records(bytes.substr(chunk.header_bytes), rules, outcome, parse_record);
  outcome.lines += chunk.dropped_lines;
  return outcome;
}

}  // namespace inkling
