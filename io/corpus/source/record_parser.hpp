// Streams cut into chunks of whole records, and chunks into records: what the parsers of all formats share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/base/file/reading_budget.hpp"
#include "io/corpus/source/document_source.hpp"
#include "io/corpus/unpack/byte_stream.hpp"

namespace inkling {

/// Where a record ends: at line ends, or before a line that begins the next one.
enum class RecordEnd {
  every_line,
  /// Line ends that no field in quotes encloses. A quote begins a field only at the begin of a record or after a character that
  /// may separate fields; anywhere else it is text, as pandas reads it.
  outside_quotes,
  after_object,    ///< the closing brace of a JSON object that is in none
  before_ris,      ///< "TY  -"
  before_ris_end,  ///< "ER  -", which is all that parts references without "TY  -"
  before_nbib,     ///< "PMID-"
  before_medline,  ///< "OWN - ERIC" or "PMC - PMC"
  before_bibtex,   ///< "@word{", or with a parenthesis, indented or not
  before_wos,      ///< "PT "
  before_enw,      ///< "%0 "
  before_refer,    ///< "%", at the begin or after a blank line
  before_ovid,     ///< "<12>"
  before_embase,   ///< "\"TITLE\","
  before_endnote,  ///< "<record>", anywhere in a line
  before_pubmed,   ///< "<PubmedArticle>" or "<PubmedBookArticle>", anywhere in a line
  before_mail,     ///< "From ", with a time of day and a year in the line, or between a blank line and a header
};

/// Whether records begin at marks, mostly of a line, rather than end at line ends or braces. Lines may then end in "\r" alone.
[[nodiscard]] constexpr bool begins_with_mark(RecordEnd rule) {
  return rule != RecordEnd::every_line && rule != RecordEnd::outside_quotes && rule != RecordEnd::after_object;
}
/// So many bytes at the begin of a line are enough to tell whether it begins a record.
inline constexpr std::size_t kLongestMark = 256;

/// The position of the first (the last) mark from `from` on that begins a record; never 0, and npos if there is none.
/// Requires: begins_with_mark(rule).
[[nodiscard]] std::size_t next_mark(std::string_view text, RecordEnd rule, std::size_t from);
[[nodiscard]] std::size_t last_mark(std::string_view text, RecordEnd rule, std::size_t from);

/// The length of the first record with its line end; npos if no record ends.
[[nodiscard]] std::size_t first_record(std::string_view text, RecordEnd rule);

/// Finds the line ends outside of quoted fields, in a text that comes in pieces.
class QuotedLines {
 public:
  /// The position after the next one; npos if all of the piece was read.
  [[nodiscard]] std::size_t next(std::string_view piece, std::size_t from);

 private:
  bool in_quotes_ = false;
  bool has_closed_ = false;  // the last byte was a quote that closed a field, unless another one follows
  char before_ = '\n';
};

/// Finds where objects of JSON end in a text that comes in pieces. A line end ends every string, because it may not be in one.
class ObjectEnds {
 public:
  /// The position after the next brace that closes an object which is in none; npos if all of the piece was read.
  [[nodiscard]] std::size_t next(std::string_view piece, std::size_t from);

 private:
  [[nodiscard]] std::size_t pass_string(std::string_view piece, std::size_t at);

  std::size_t depth_ = 0;
  bool in_string_ = false;
  bool is_escaped_ = false;  // the next byte, in a string
};

/// Counts line ends of a text that comes in pieces.
class LineCount {
 public:
  explicit LineCount(RecordEnd rule) : rule_(rule) {}
  void add(std::string_view piece);
  [[nodiscard]] std::int64_t lines() const { return lines_; }

 private:
  RecordEnd rule_;
  std::int64_t lines_ = 0;
  bool after_return_ = false;  // the piece before ended in "\r"
};
[[nodiscard]] std::int64_t line_ends_in(std::string_view text, RecordEnd rule);

/// Whether a stream begins where its file begins.
enum class StreamBegin { at_file_begin, within_file };

/// Cuts a stream and reads no further ahead than it must; keeps at most one chunk and one record in memory, however long
/// records are. Thread safety: one thread at a time. Lifetime: the stream outlives it.
class RecordChunks {
 public:
  /// A byte order mark at the beginning of the file is left out.
  RecordChunks(InputStream& stream, RecordEnd rule, const ReadingOptions& reading,
               StreamBegin begin = StreamBegin::at_file_begin);

  /// The next records into `bytes`, about `chunk_bytes` and at least one record; false at the end.
  /// A record that is too long may be cut: then `most_document_bytes` and three bytes of it are left. One byte makes it
  /// too long; two more are needed because it may end in "\r\n" within quotes, which looks like its line end.
  /// `dropped_lines` counts the line ends that were cut off.
  [[nodiscard]] bool read(PaddedText& bytes, std::int64_t& dropped_lines);
  /// Whether all was read.
  [[nodiscard]] bool is_done() const { return at_end_ && left_over_.empty(); }

 private:
  [[nodiscard]] std::size_t fill(PaddedText& bytes);
  [[nodiscard]] bool cut_after(std::size_t whole, PaddedText& bytes);
  /// The length of all whole records at the front of a text; 0 if there is none. Requires: no record ends in its first
  /// `searched_` bytes.
  [[nodiscard]] std::size_t whole_records(std::string_view text);
  [[nodiscard]] std::size_t next_end(std::string_view text, std::size_t from);
  [[nodiscard]] std::int64_t drop_rest_of_record();
  [[nodiscard]] std::int64_t drop_to_mark(std::string_view cut);

  InputStream* stream_;
  RecordEnd rule_;
  std::size_t chunk_bytes_;
  std::uint64_t most_record_bytes_;
  bool record_a_chunk_;
  std::string left_over_;  // the beginning of the next record
  std::size_t searched_ = 0;
  QuotedLines lines_;   // in what was searched
  ObjectEnds objects_;  // in what was searched
  bool at_end_ = false;
};

/// What is wrong with one record, and where within it.
struct RecordProblem {
  std::string expectation;
  std::size_t position = 0;  // in bytes from the record's beginning
  bool is_kept = false;      // the record was handed over, and this is a remark on it
};

/// What a parser returns for a record: nothing if all is well.
using RecordVerdict = std::optional<RecordProblem>;

[[nodiscard]] RecordProblem too_long_record(const ReadingOptions& reading);

/// The budget of one record after another, to be renewed for each.
[[nodiscard]] ReadingBudget budget_of_records(const ReadingOptions& reading);

/// What `parse` returns; the problem of a record that would take more than its budget.
template <typename Parse>
[[nodiscard]] RecordVerdict within_budget(const Parse& parse) {
  try {
    return parse();
  } catch (const OverBudget& over) {
    return RecordProblem{over.expectation()};
  }
}

/// What is wrong with a label that a pool cannot store, because it keeps one label a line; nothing for all others.
[[nodiscard]] RecordVerdict unstorable_label(std::string_view label);

/// Requires: `text[position]` does not begin a character of the encoding.
[[nodiscard]] RecordProblem bad_byte(std::string_view text, std::size_t position, TextEncoding encoding = TextEncoding::utf8);

/// Whether a document of this label is wanted; notes the label in `options.seen`.
[[nodiscard]] bool keeps_label(const SourceOptions& options, std::string_view label);

/// A text without one line end at its end ("\n" or "\r\n").
[[nodiscard]] inline std::string_view without_line_end(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// The problem with line and column instead of a position; lines are counted from 0 in `text`.
[[nodiscard]] ChunkProblem problem_at(std::string_view text, const RecordProblem& problem,
                                      RecordEnd rule = RecordEnd::every_line);

/// Keeps a remark; of the first ones of a chunk, because all of a file may be alike.
void remark(ChunkOutcome& outcome, ChunkProblem found);
/// Counts a bad record that is left out, and keeps why as a remark.
void leave_out(ChunkOutcome& outcome, ChunkProblem problem);
/// What was wrong with the first record that was left out; empty if none was.
[[nodiscard]] std::string why_left_out(const ChunkOutcome& outcome);

/// Takes the outcomes of chunks in order, and says where in its file a problem is.
class OutcomeCheck {
 public:
  /// Throws FormatError for a problem: "FILE:LINE:COLUMN", with the member's name where there is one. Throws it also for more
  /// lines than bytes on the disk, because a small file may unpack to millions that hold nothing.
  void take(const std::shared_ptr<const std::string>& origin, const ChunkOutcome& outcome);

  /// What was said of the records so far, each with its place ("FILE:LINE: left out: expected ..."); the first thousand.
  [[nodiscard]] std::vector<std::string> take_remarks() { return std::move(remarks_); }

 private:
  static constexpr std::size_t most_remarks = 1000;

  [[nodiscard]] std::string place_of(const ChunkProblem& problem) const;

  std::vector<std::string> remarks_;
  std::set<std::string> said_of_files_;  // once for all chunks of a file, and all files of a folder
  std::shared_ptr<const std::string> origin_;
  std::int64_t lines_ = 0;  // of the chunks before, of the same origin
  std::uint64_t lines_of_all_ = 0;
};

/// Where a document is: "FILE:LINE", or the name of the file that it is.
struct RecordPlace {
  std::string place;
  std::string id;
};

/// The places of these documents of a source, which are counted from 0; fewer if the source has fewer documents.
/// Requires: `rows` ascend; nothing of the source was read yet, and each of its chunks has one record.
[[nodiscard]] std::vector<RecordPlace> places_of(DocumentSource& source, std::span<const std::int64_t> rows);

/// Calls `parse_record(text)` for each record of `bytes`, in order, without its line end. Stops at the first problem that
/// it returns, unless bad records are left out. Fills lines, skipped, problem and remarks of `outcome`; counts lines from
/// `outcome.lines` on.
template <typename ParseRecord>
void parse_records(std::string_view bytes, RecordEnd end, const ReadingOptions& reading, ChunkOutcome& outcome,
                   const ParseRecord& parse_record) {
  while (!bytes.empty()) {
    const std::size_t length = std::min(first_record(bytes, end), bytes.size());
    const std::string_view record = bytes.substr(0, length);
    const std::string_view text = without_line_end(record);
    bytes.remove_prefix(length);
    const bool too_long = text.size() > reading.most_document_bytes;
    const RecordVerdict problem = too_long ? too_long_record(reading) : within_budget([&] { return parse_record(text); });
    if (problem) {
      ChunkProblem found = problem_at(text, *problem, end);
      found.line += outcome.lines;
      if (!reading.skip_bad) {
        outcome.problem = std::move(found);
        return;
      }
      if (problem->is_kept)
        remark(outcome, std::move(found));
      else
        leave_out(outcome, std::move(found));
    }
    outcome.lines += end == RecordEnd::every_line ? static_cast<std::int64_t>(record.ends_with('\n')) : line_ends_in(record, end);
  }
}

/// The same for what follows the header of a chunk. Counts the lines of the header, and those that were dropped.
template <typename ParseRecord>
[[nodiscard]] ChunkOutcome parse_chunk(const Chunk& chunk, RecordEnd end, const ReadingOptions& reading,
                                       const ParseRecord& parse_record) {
  const std::string_view bytes = chunk.bytes.view();
  ChunkOutcome outcome = {.lines = line_ends_in(bytes.substr(0, chunk.header_bytes), end), .disk_bytes = chunk.disk_bytes};
  parse_records(bytes.substr(chunk.header_bytes), end, reading, outcome, parse_record);
  outcome.lines += chunk.dropped_lines;
  return outcome;
}

/// The same where every record must be decoded first; `parse_text` gets its text padded.
template <typename ParseText>
[[nodiscard]] ChunkOutcome parse_lines_of_text(const Chunk& chunk, const SourceOptions& options, const ParseText& parse_text) {
  TextDecoder decoder(chunk.bytes.view(), options.encoding, options.bad_bytes);
  PaddedText scratch;
  const auto decode_and_parse = [&](std::string_view line) -> RecordVerdict {
    const std::optional<std::string_view> text = decoder.decode(line, scratch);
    return text ? parse_text(*text) : bad_byte(line, decoder.bad_at(), options.encoding);
  };
  ChunkOutcome outcome = parse_chunk(chunk, RecordEnd::every_line, options.reading, decode_and_parse);
  outcome.bad_bytes = decoder.replaced();
  return outcome;
}

}  // namespace inkling
