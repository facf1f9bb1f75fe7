// Cuts a stream of bytes into chunks of whole records, without looking at more of them than it must.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "io/source/byte_stream.hpp"
#include "io/text/padded_text.hpp"

namespace inkling {

/// Which line ends end a record.
enum class RecordEnd {
  every_line,
  /// Those with an even number of quotes before them in the record. In CSV that keeps the rules these are the
  /// line ends outside quotes; elsewhere it is still a rule by which all readers find the same records.
  outside_quotes,
};

/// Length of the first record with its line end; npos where none ends.
[[nodiscard]] std::size_t first_record(std::string_view text, RecordEnd rule);

struct RecordLimits {
  std::uint64_t chunk_bytes = std::uint64_t{1} << 20U;
  std::uint64_t most_record_bytes = std::uint64_t{64} << 20U;
};

/// Keeps at most one chunk and one record, however long records are.
/// Thread safety: one thread at a time. Lifetime: the stream outlives it.
class RecordChunks {
 public:
  /// A byte order mark at the beginning of the stream is left out.
  RecordChunks(InputStream& stream, RecordEnd rule, RecordLimits limits);

  /// The next records into `bytes`, about `chunk_bytes` and at least one record; false at the end.
  /// A record that is too long may be the last of its chunk and cut, so that one byte more than
  /// `most_record_bytes` is left and another in case that it is a carriage return; `dropped_lines` are the
  /// line ends in what was cut off.
  [[nodiscard]] bool read(PaddedText& bytes, std::int64_t& dropped_lines);

 private:
  [[nodiscard]] std::size_t fill(PaddedText& bytes);
  /// Length of all whole records of a text whose first `searched_` bytes hold no end of a record; 0 where there is none.
  [[nodiscard]] std::size_t whole_records(std::string_view text);
  [[nodiscard]] std::int64_t drop_rest_of_record();

  InputStream* stream_;
  RecordEnd rule_;
  RecordLimits limits_;
  std::string left_over_;  // the beginning of the next record
  std::size_t searched_ = 0;
  bool in_quotes_ = false;  // after what was searched
  bool at_end_ = false;
};

}  // namespace inkling
