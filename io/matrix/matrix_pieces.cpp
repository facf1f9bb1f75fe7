#include "io/matrix/matrix_pieces.hpp"

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <tbb/parallel_pipeline.h>

#include "engine/core/errors.hpp"

namespace inkling {
namespace {

// A piece on its way. Failures travel with it, to be thrown when its turn has come.
struct Passage {
  MatrixPiece piece;
  MatrixBatch batch;
  ChunkOutcome outcome;
  std::exception_ptr failure;
};

// False at the end, of which a failure to read is one.
bool read_next(MatrixSource& source, Passage& passage, bool& ended) {
  if (ended) return false;
  passage.failure = nullptr;
  passage.batch.clear();
  try {
    std::optional<MatrixPiece> piece = source.read();
    if (!piece) return false;
    passage.piece = std::move(*piece);
  } catch (...) {
    ended = true;
    passage.failure = std::current_exception();
  }
  return true;
}

void parse(Passage& passage) {
  if (passage.failure) return;
  try {
    passage.outcome = passage.piece.parse(passage.batch);
    passage.piece.parse = nullptr;  // its bytes go
  } catch (...) {
    passage.failure = std::current_exception();
  }
}

// Adds up what comes out, and says where in its file a problem stands.
class Arrivals {
 public:
  void take(const Passage& passage) {
    if (passage.failure) std::rethrow_exception(passage.failure);
    if (passage.piece.origin != origin_) {
      origin_ = passage.piece.origin;
      lines_ = 0;
    }
    if (passage.outcome.problem) {
      Chunk chunk;
      chunk.origin = origin_;
      throw FormatError(place_of(chunk, *passage.outcome.problem, lines_),
                        passage.outcome.problem->expectation);
    }
    lines_ += passage.outcome.lines;
    totals_.records += passage.batch.records;
    totals_.zeros += passage.batch.zeros;
    totals_.skipped += passage.outcome.skipped;
  }

  [[nodiscard]] const MatrixTotals& totals() const { return totals_; }

 private:
  std::shared_ptr<const std::string> origin_;
  std::int64_t lines_ = 0;
  MatrixTotals totals_;
};

}  // namespace

MatrixTotals read_matrix(MatrixSource& source, std::size_t at_once,
                         const std::function<void(const MatrixBatch&)>& consume) {
  // Pieces leave in the order in which they came, so a place is free again when its turn comes round. The
  // pipeline passes numbers of places, because it loses what it holds when an exception ends it.
  std::vector<Passage> places(at_once);
  std::size_t pieces = 0;
  bool ended = false;
  Arrivals arrivals;
  const auto read = tbb::make_filter<void, std::size_t>(tbb::filter_mode::serial_in_order,
                                                        [&](tbb::flow_control& control) -> std::size_t {
                                                          const std::size_t place = pieces++ % places.size();
                                                          if (!read_next(source, places[place], ended))
                                                            control.stop();
                                                          return place;
                                                        });
  const auto parse_each =
      tbb::make_filter<std::size_t, std::size_t>(tbb::filter_mode::parallel, [&](std::size_t place) {
        parse(places[place]);
        return place;
      });
  const auto hand_on =
      tbb::make_filter<std::size_t, void>(tbb::filter_mode::serial_in_order, [&](std::size_t place) {
        arrivals.take(places[place]);
        consume(places[place].batch);
      });
  tbb::parallel_pipeline(at_once, read & parse_each & hand_on);

  const std::optional<std::int64_t> declared = source.shape().records;
  if (declared && *declared != arrivals.totals().records) {
    throw FormatError(source.name(), fmt::format("expected {} entries, as its header says, found {}",
                                                 *declared, arrivals.totals().records));
  }
  return arrivals.totals();
}

}  // namespace inkling
