#include "bench/speed/extended_ridge.hpp"

#include <cmath>

#include <doctest/doctest.h>

#include "engine/sparse/csr_matrix.hpp"

namespace inkling::bench {

namespace {

constexpr double kLastBits = 1e-17;  // finer than a double can tell

double apart(Extended value, Extended expected) { return static_cast<double>(std::fabs(value - expected)); }

/// Rows (1, 1) and (0, 2).
CsrMatrix two_documents() { return {2, {0, 2, 3}, {0, 1, 1}, {1.0F, 1.0F, 2.0F}}; }

}  // namespace

// Played: (1, 1) twice with rewards 1 and 2, (0, 2) once with reward 4, ridge 1.
// V = [3 2; 2 7], det 17; sum y x = (3, 11); theta = (7 * 3 - 2 * 11, -2 * 3 + 3 * 11) / 17 = (-1, 27) / 17.
TEST_CASE("extended ridge agrees with two features worked out by hand") {
  const CsrMatrix documents = two_documents();
  PlayLog log(2);
  log.record(0, 1.0);
  log.record(0, 2.0);
  log.record(1, 4.0);

  const ExtendedRidge exact(documents.view(), log, 1.0);

  CHECK(apart(exact.theta()[0], -1.0L / 17.0L) < kLastBits);
  CHECK(apart(exact.theta()[1], 27.0L / 17.0L) < kLastBits);
  CHECK(apart(exact.log_det_ratio(), std::log(17.0L)) < kLastBits);
  // (1, 1) V^-1 (1, 1)' = (7 - 2 - 2 + 3) / 17.
  const ExtendedRidge::Prediction prediction = exact.predict(documents.view().row(0));
  CHECK(apart(prediction.mean, 26.0L / 17.0L) < kLastBits);
  CHECK(apart(prediction.square, 6.0L / 17.0L) < kLastBits);
  // Eigenvalues 5 +- sqrt(8).
  CHECK(exact.condition() == doctest::Approx((5.0 + std::sqrt(8.0)) / (5.0 - std::sqrt(8.0))));
}

TEST_CASE("without a play the gram is the ridge alone") {
  const CsrMatrix documents = two_documents();

  const ExtendedRidge exact(documents.view(), PlayLog(2), 0.25);

  CHECK(exact.theta()[0] == 0.0L);
  CHECK(apart(exact.log_det_ratio(), 0.0L) < kLastBits);
  CHECK(apart(exact.predict(documents.view().row(1)).square, 16.0L) < kLastBits);
  CHECK(exact.condition() == doctest::Approx(1.0));
}

TEST_CASE("a play log keeps what a plain sum of doubles drops") {
  PlayLog log(1);

  log.record(0, 1e25);
  for (int n = 0; n < 1000; ++n) log.record(0, 1.0);
  log.record(0, -1e25);

  CHECK(log.plays(0) == 1002);
  CHECK(log.reward_sum(0) == 1000.0L);
}

}  // namespace inkling::bench
