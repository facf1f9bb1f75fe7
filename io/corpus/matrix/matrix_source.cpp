#include "io/corpus/matrix/matrix_source.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "engine/core/ordered_pipeline.hpp"
#include "io/corpus/matrix/npz_source.hpp"
#include "io/corpus/matrix/text_matrix.hpp"

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

bool is_allowed(float value) {
  return value == 0.0F || (std::isfinite(value) && std::abs(value) >= std::numeric_limits<float>::min());
}

}  // namespace

const char* read_matrix_value(const char* begin, const char* end, float& value) {
  float number = 0;
  const auto [stopped, error] = std::from_chars(begin, end, number);
  if (error != std::errc() || !is_allowed(number)) return nullptr;
  value = number + 0.0F;  // -0 + 0 is 0
  return stopped;
}

std::optional<float> matrix_value(double number) {
  const auto value = static_cast<float>(number);
  const bool vanished = value == 0.0F && number != 0.0;
  if (vanished || !is_allowed(value)) return std::nullopt;
  return value + 0.0F;
}

std::span<const MatrixFormat> matrix_formats() { return kMatrixFormats; }

std::unique_ptr<MatrixSource> open_matrix_source(const std::vector<std::string>& paths, const MatrixSourceOptions& options) {
  const auto* const format = std::ranges::find(kMatrixFormats, options.format, &MatrixFormat::name);
  assert(format != kMatrixFormats.end());
  if (paths.size() > 1 && !format->takes_many_files)
    throw FormatError(paths[1], "expected one file for a matrix, found a second");
  return format->open(paths, options);
}

MatrixTotals read_matrix(MatrixSource& source, std::size_t at_once, const std::function<void(const MatrixBatch&)>& consume) {
  std::vector<ParsedPiece> places(at_once);
  OutcomeCheck outcomes;
  MatrixTotals totals;
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
        outcomes.take(place.piece.origin, place.outcome);
        totals.records += place.batch.records;
        totals.zeros += place.batch.zeros;
        totals.skipped += place.outcome.skipped;
        consume(place.batch);
      });

  const std::optional<std::int64_t> declared = source.shape().records;
  if (declared && *declared != totals.records)
    throw FormatError(source.name(), fmt::format("expected {} entries, as its header says, found {}", *declared, totals.records));
  return totals;
}

}  // namespace inkling
