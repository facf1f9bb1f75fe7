#include "tests/support/reference_lasso.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace inkling::test {
namespace {

/// y - X theta, play by play.
std::vector<Real> residuals_of(CsrView documents, std::span<const Observation> plays,
                               std::span<const double> theta) {
  std::vector<Real> residuals;
  for (const Observation& play : plays) {
    Real residual = static_cast<Real>(play.reward);
    for (std::size_t j = 0; j < theta.size(); ++j) {
      residual -= static_cast<Real>(value_at(documents.row(play.document), static_cast<FeatureId>(j))) *
                  static_cast<Real>(theta[j]);
    }
    residuals.push_back(residual);
  }
  return residuals;
}

struct Column {
  Real slope = 0.0L;   // x_j.(y - X theta)
  Real square = 0.0L;  // x_j.x_j
};

Column column_of(CsrView documents, std::span<const Observation> plays, std::span<const Real> residuals,
                 std::size_t j) {
  Column column;
  for (std::size_t n = 0; n < plays.size(); ++n) {
    const auto value =
        static_cast<Real>(value_at(documents.row(plays[n].document), static_cast<FeatureId>(j)));
    column.slope += value * residuals[n];
    column.square += value * value;
  }
  return column;
}

}  // namespace

Real lasso_objective(CsrView documents, std::span<const Observation> plays, std::span<const double> theta,
                     double penalty) {
  Real fit = 0.0L;
  for (const Real residual : residuals_of(documents, plays, theta)) fit += residual * residual;
  Real size = 0.0L;
  for (const double weight : theta) size += std::fabs(static_cast<Real>(weight));
  return fit / static_cast<Real>(plays.size()) + static_cast<Real>(penalty) * size;
}

Real lasso_violation(CsrView documents, std::span<const Observation> plays, std::span<const double> theta,
                     double penalty) {
  const std::vector<Real> residuals = residuals_of(documents, plays, theta);
  Real worst = 0.0L;
  for (std::size_t j = 0; j < theta.size(); ++j) {
    const Real slope =
        2.0L * column_of(documents, plays, residuals, j).slope / static_cast<Real>(plays.size());
    const auto bound = static_cast<Real>(penalty);
    const Real beyond = theta[j] == 0.0  ? std::fabs(slope) - bound
                        : theta[j] > 0.0 ? std::fabs(slope - bound)
                                         : std::fabs(slope + bound);
    worst = std::max(worst, beyond);
  }
  return worst;
}

std::vector<double> reference_lasso(CsrView documents, std::span<const Observation> plays, double penalty) {
  constexpr int sweeps = 3000;
  std::vector<double> theta(static_cast<std::size_t>(documents.columns()), 0.0);
  const Real threshold = static_cast<Real>(penalty) * static_cast<Real>(plays.size()) / 2.0L;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    const std::vector<double> before = theta;
    for (std::size_t j = 0; j < theta.size(); ++j) {
      const Column column = column_of(documents, plays, residuals_of(documents, plays, theta), j);
      if (column.square == 0.0L) continue;
      const Real pull = column.slope + column.square * static_cast<Real>(theta[j]);
      const Real beyond = std::max(std::fabs(pull) - threshold, 0.0L);
      theta[j] = static_cast<double>(std::copysign(beyond / column.square, pull));
    }
    if (theta == before) break;
  }
  return theta;
}

}  // namespace inkling::test
