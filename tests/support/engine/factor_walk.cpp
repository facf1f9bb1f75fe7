#include "tests/support/engine/factor_walk.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/model/played_documents.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling::test {
namespace {

struct OwnedRow {
  std::vector<std::int32_t> positions;
  std::vector<double> values;
  [[nodiscard]] RestrictedRow view() const { return {positions, values}; }
};

OwnedRow restricted(const std::vector<double>& document, const std::vector<std::int32_t>& born) {
  OwnedRow row;
  for (std::size_t a = 0; a < born.size(); ++a) {
    const double value = document[static_cast<std::size_t>(born[a])];
    if (value == 0.0) continue;
    row.positions.push_back(static_cast<std::int32_t>(a));
    row.values.push_back(value);
  }
  return row;
}

/// Removes a random element and returns it.
std::int32_t taken_from(std::vector<std::int32_t>& list, RandomStream& random) {
  const auto at = static_cast<std::ptrdiff_t>(random.below(list.size()));
  const std::int32_t taken = list[static_cast<std::size_t>(at)];
  list.erase(list.begin() + at);
  return taken;
}

double relative_error(std::span<const double> found, std::span<const Real> right) {
  Real worst = 0.0L;
  Real scale = 1e-30L;
  for (std::size_t i = 0; i < found.size(); ++i) {
    worst = std::max(worst, std::fabs(static_cast<Real>(found[i]) - right[i]));
    scale = std::max(scale, std::fabs(right[i]));
  }
  return static_cast<double>(worst / scale);
}

double colour_error(const CholeskyFactor& factor, const SquareMatrix& inverse) {
  const std::size_t n = inverse.size();
  SquareMatrix covariance(n);
  Real scale = 1e-30L;
  for (std::size_t k = 0; k < n; ++k) {
    std::vector<double> one(n, 0.0);
    one[k] = 1.0;
    std::vector<double> column(n);
    factor.colour(one, column);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) covariance.at(i, j) += static_cast<Real>(column[i]) * column[j];
  }
  Real worst = 0.0L;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      worst = std::max(worst, std::fabs(covariance.at(i, j) - inverse.at(i, j)));
      scale = std::max(scale, std::fabs(inverse.at(i, j)));
    }
  }
  return static_cast<double>(worst / scale);
}

}  // namespace

FactorWalk::FactorWalk(const Options& options, RandomStream random)
    : options_(options),
      random_(random),
      factor_(make_cholesky_factor(options.kind)),
      twin_(0, options.ridge),
      unborn_(static_cast<std::size_t>(options.features)) {
  std::iota(unborn_.begin(), unborn_.end(), 0);
}

void FactorWalk::step() {
  const double choice = random_.uniform();
  if (choice < 0.6) return reward();
  if (choice < 0.95 && !unborn_.empty()) return birth();
  rebuild(static_cast<std::int32_t>(born_.size()) + between(0, 3, random_));
}

void FactorWalk::reward() {
  Document document{std::vector<double>(static_cast<std::size_t>(options_.features), 0.0), 1.0};
  for (double& value : document.values)
    if (random_.coin(options_.density)) value = random_.normal();
  const OwnedRow row = restricted(document.values, born_);
  factor_->update(row.view());
  twin_.update(row.view());
  documents_.push_back(std::move(document));
}

void FactorWalk::birth() {
  if (!factor_->has_room()) rebuild(std::max(1, 2 * static_cast<std::int32_t>(born_.size())));
  const auto feature = static_cast<std::size_t>(taken_from(unborn_, random_));
  std::vector<double> b(born_.size(), 0.0);
  double c = options_.ridge;
  for (const Document& document : documents_) {
    for (std::size_t a = 0; a < born_.size(); ++a)
      b[a] += document.values[feature] * document.values[static_cast<std::size_t>(born_[a])];
    c += document.values[feature] * document.values[feature];
  }
  const std::vector<Real> exact_b(b.begin(), b.end());
  const Real schur = c - inner(exact_b, twin_.factor().solve(exact_b));
  pivot_error_ = static_cast<double>(std::fabs(factor_->append(b, c) - schur) / c);
  twin_.append(b, c);
  born_.push_back(static_cast<std::int32_t>(feature));
}

/// Rebuilds the factor only: its gram stays the same, so the twin need not change.
void FactorWalk::rebuild(std::int32_t capacity) {
  PlayedRows rows;
  for (const Document& document : documents_) rows.append(restricted(document.values, born_).view(), document.plays);
  factor_->rebuild(rows, options_.ridge, static_cast<std::int32_t>(born_.size()), capacity);
}

FactorErrors errors_of(const FactorWalk& walk, RandomStream& random) {
  const std::size_t n = walk.size();
  const TextbookFactor right = walk.twin().factor();
  FactorErrors errors;

  std::vector<double> dense(n);
  for (double& entry : dense) entry = random.normal();
  std::vector<double> solution(n);
  walk.factor().solve(dense, solution);
  errors.dense_solve = relative_error(solution, right.solve(std::vector<Real>(dense.begin(), dense.end())));

  std::vector<Real> right_product(n);
  std::vector<Real> right_diagonal(n);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) right_product[a] += walk.twin().gram().at(a, b) * static_cast<Real>(dense[b]);
    right_diagonal[a] = walk.twin().gram().at(a, a);
  }
  walk.factor().multiply(dense, solution);
  errors.product = relative_error(solution, right_product);
  walk.factor().diagonal(solution);
  errors.diagonal = relative_error(solution, right_diagonal);

  OwnedRow row;
  for (const std::int32_t position : shuffled(static_cast<std::int32_t>(n), random)) {
    if (!random.coin(0.3)) continue;
    row.positions.push_back(position);
    row.values.push_back(random.normal());
  }
  const std::vector<Real> x = spelled_out(row.view(), n);
  const std::vector<Real> right_solution = right.solve(x);
  walk.factor().solve(row.view(), solution);
  errors.sparse_solve = relative_error(solution, right_solution);

  const Real form = inner(x, right_solution);
  errors.inverse_form =
      static_cast<double>(std::fabs(walk.factor().inverse_form(row.view()) - form) / std::max(form, static_cast<Real>(1e-30)));
  const Real log_det = right.log_det() - static_cast<Real>(n) * std::log(static_cast<Real>(walk.ridge()));
  errors.log_det = static_cast<double>(std::fabs(walk.factor().log_det_ratio(walk.ridge()) - log_det) / std::max(log_det, 1.0L));
  errors.colour = colour_error(walk.factor(), right.inverse());
  return errors;
}

}  // namespace inkling::test
