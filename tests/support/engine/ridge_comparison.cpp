#include "tests/support/engine/ridge_comparison.hpp"

#include <cmath>
#include <stdexcept>

namespace inkling::test {
namespace {

/// The largest difference and the largest right value of one kind of number.
class Comparison {
 public:
  void add(double found, Real right) {
    const Real difference = std::fabs(static_cast<Real>(found) - right);
    worst_ = std::isfinite(found) ? std::max(worst_, difference) : HUGE_VALL;
    scale_ = std::max(scale_, std::fabs(right));
  }
  [[nodiscard]] double relative(Real smallest_scale = 1e-30L) const {
    return static_cast<double>(worst_ / std::max(scale_, smallest_scale));
  }

 private:
  Real worst_ = 0.0L;
  Real scale_ = 0.0L;
};

}  // namespace

RidgeErrors errors_of(const RidgeModel& model, const SolvedRidge& right, PoolView pool) {
  const std::size_t m = right.features.size();
  if (!std::ranges::equal(model.features().in_order(), right.features))
    throw std::logic_error("the model and its twin are on other features");
  Comparison theta;
  for (std::size_t a = 0; a < m; ++a) theta.add(model.theta()[a], right.theta[a]);

  Comparison inverse;
  const std::vector<double> found = model.inverse();
  const SquareMatrix expected = right.factor.inverse();
  for (std::size_t a = 0; a < m; ++a)
    for (std::size_t b = 0; b < m; ++b) inverse.add(found[a * m + b], expected.at(a, b));

  Comparison mean;
  Comparison square;
  for (DocumentId document = 0; document < pool.documents(); ++document) {
    const SparseRow row = pool.by_document.row(document);
    const Prediction prediction = model.predict(row);
    mean.add(prediction.mean, right.mean(row));
    square.add(prediction.square, right.square(row));
  }
  Comparison log_det;
  log_det.add(model.log_det_ratio(), right.log_det_ratio);
  return {theta.relative(), log_det.relative(1.0L), inverse.relative(), mean.relative(), square.relative()};
}

}  // namespace inkling::test
