// Matrices in the exchange format MatrixMarket: a banner, comments, a line with the size, then an entry a
// line.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "io/matrix/matrix_source.hpp"
#include "io/source/record_parser.hpp"

namespace inkling {

struct MatrixMarketHeader {
  enum class Field { real, pattern };  ///< integer is read as real; an entry of a pattern is 1
  enum class Symmetry { general, symmetric, skew };

  Field field = Field::real;
  Symmetry symmetry = Symmetry::general;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t entries = 0;  ///< lines; of a symmetric matrix those of one half
};

/// Takes the lines up to the size, one after the other.
class MatrixMarketHeaderParser {
 public:
  /// Requires: not done.
  [[nodiscard]] RecordVerdict take_line(std::string_view line);

  [[nodiscard]] bool done() const { return state_ == State::done; }
  [[nodiscard]] const MatrixMarketHeader& header() const { return header_; }

 private:
  enum class State { banner, size, done };

  [[nodiscard]] RecordVerdict take_banner(std::string_view line);
  [[nodiscard]] RecordVerdict take_size(std::string_view line);

  State state_ = State::banner;
  MatrixMarketHeader header_;
};

/// Entries of what follows `chunk.header_bytes`: "ROW COLUMN VALUE", both from 1, in any order. Blank lines
/// and comments are passed over. Thread safety: pure.
[[nodiscard]] ChunkOutcome parse_matrix_market(const Chunk& chunk, const MatrixMarketHeader& header,
                                               const MatrixSourceOptions& options, MatrixBatch& batch);

}  // namespace inkling
