#include "io/matrix/matrix_source.hpp"

#include <algorithm>
#include <cassert>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "engine/core/ordered_pipeline.hpp"
#include "io/matrix/npz_source.hpp"
#include "io/matrix/text_matrix.hpp"

namespace inkling {
namespace {

constexpr std::array kMatrixFormats = {
    MatrixFormat{"svmlight", {".svm", ".svmlight", ".libsvm"}, true, open_svmlight},
    MatrixFormat{"mtx", {".mtx"}, false, open_matrix_market},
    MatrixFormat{"npz", {".npz"}, false, open_npz},
};

// A piece on its way, and what parsing it gave.
struct ParsedPiece {
  MatrixPiece piece;
  MatrixBatch batch;
  ChunkOutcome outcome;
};

// Adds up what comes out, and says where in its file a problem stands.
class Arrivals {
 public:
  void take(const ParsedPiece& parsed) {
    if (parsed.piece.origin != origin_) {
      origin_ = parsed.piece.origin;
      lines_ = 0;
    }
    if (parsed.outcome.problem) {
      Chunk chunk;
      chunk.origin = origin_;
      throw FormatError(place_of(chunk, *parsed.outcome.problem, lines_),
                        parsed.outcome.problem->expectation);
    }
    lines_ += parsed.outcome.lines;
    totals_.records += parsed.batch.records;
    totals_.zeros += parsed.batch.zeros;
    totals_.skipped += parsed.outcome.skipped;
  }

  [[nodiscard]] const MatrixTotals& totals() const { return totals_; }

 private:
  std::shared_ptr<const std::string> origin_;
  std::int64_t lines_ = 0;
  MatrixTotals totals_;
};

}  // namespace

std::span<const MatrixFormat> matrix_formats() { return kMatrixFormats; }

std::unique_ptr<MatrixSource> open_matrix_source(const std::vector<std::string>& paths,
                                                 const MatrixSourceOptions& options) {
  const auto* const format = std::ranges::find(kMatrixFormats, options.format, &MatrixFormat::name);
  assert(format != kMatrixFormats.end());
  if (paths.size() > 1 && !format->takes_many_files)
    throw FormatError(paths[1], "expected one file for a matrix, found a second");
  return format->open(paths, options);
}

MatrixTotals read_matrix(MatrixSource& source, std::size_t at_once,
                         const std::function<void(const MatrixBatch&)>& consume) {
  std::vector<ParsedPiece> places(at_once);
  Arrivals arrivals;
  ordered_pipeline(
      places,
      [&](ParsedPiece& place) {
        std::optional<MatrixPiece> piece = source.read();
        if (piece) place.piece = std::move(*piece);
        return piece.has_value();
      },
      [](ParsedPiece& place) {
        place.batch.clear();
        place.outcome = place.piece.parse(place.batch);
        place.piece.parse = nullptr;  // frees the bytes of the piece
      },
      [&](const ParsedPiece& place) {
        arrivals.take(place);
        consume(place.batch);
      });

  const std::optional<std::int64_t> declared = source.shape().records;
  if (declared && *declared != arrivals.totals().records) {
    throw FormatError(source.name(), fmt::format("expected {} entries, as its header says, found {}",
                                                 *declared, arrivals.totals().records));
  }
  return arrivals.totals();
}

}  // namespace inkling
