// What rounding does to a model after many rewards: every quantity against extended precision.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"
#include "engine/model/ridge_model.hpp"
#include "engine/scoring/live/running_scores.hpp"
#include "tests/support/engine/dense_twin.hpp"
#include "tests/support/engine/models.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling::test {
namespace {

struct DriftOptions {
  std::int64_t updates = 5000;
  std::int32_t relevant = 40;  // every column of the documents is relevant
  std::int32_t documents = 300;
  double ridge = 1.0;
  FactorKind factor = FactorKind::cholmod;
  std::int64_t refine_every = 0;  // 0 is never
};

constexpr DocumentId kScoredDocuments = 1000;

/// The first documents of a pool, whose running scores are compared.
PoolMatrix first_documents(CsrView documents) {
  CsrMatrix first(documents.columns());
  for (DocumentId i = 0; i < std::min(kScoredDocuments, documents.rows()); ++i) first.append_row(documents.row(i));
  return PoolMatrix(std::move(first));
}

/// A model and running scores that learn random rewards, and the plays and rewards from which the exact answer is computed.
class Drifting {
 public:
  explicit Drifting(const DriftOptions& options)
      : options_(options),
        pool_(pool_of_common_and_rare_features()),
        scored_(first_documents(pool_.view().by_document)),
        plays_(static_cast<std::size_t>(options.documents)),
        rewards_(plays_.size()),
        model_(pool_.view().features(), {options.ridge, options.factor}),
        scores_(scored_.view()) {
    RandomStream random(1, 0, RandomRole::target);
    for (FeatureId feature = 0; feature < options.relevant; ++feature) {
      truth_.push_back(random.normal() / std::sqrt(options.relevant));
      scores_.adopt(feature, model_.adopt(feature));
    }
  }

  void learn() {
    RandomStream random(1, 0, RandomRole::reward);
    for (std::int64_t done = 1; done <= options_.updates; ++done) {
      const auto document = static_cast<DocumentId>(random.below(plays_.size()));
      const double mean = dot(pool_.view().by_document.row(document), truth_);
      observe(document, mean + 0.1 * random.normal());
      if (options_.refine_every > 0 && done % options_.refine_every == 0) {
        model_.refine();
        scores_.refresh(model_);
      }
    }
  }

  void check() const {
    const SquareMatrix gram = exact_gram();
    const TextbookFactor exact(gram);
    const double condition = condition_of(gram, exact);
    const double precision = 100.0 * condition * std::numeric_limits<double>::epsilon();
    // Promise M1: fixed bounds from ridge 1 on; below it, what the condition of V allows.
    const bool usual = options_.ridge >= 1.0;
    check_weights(exact, usual ? 1e-10 : precision, usual ? 1e-12 : precision);
    check_scores(exact, std::max(1e-10, precision));
    CHECK(model_.rebuilds() == 0);
  }

 private:
  /// Rows of unit length, in which feature j is in one of about j / 3 documents.
  [[nodiscard]] PoolMatrix pool_of_common_and_rare_features() const {
    RandomStream random = stream_for(1);
    std::vector<RowOfEntries> rows(static_cast<std::size_t>(options_.documents));
    for (RowOfEntries& row : rows) {
      double squares = 0.0;
      for (FeatureId feature = 0; feature < options_.relevant; ++feature) {
        if (!random.coin(std::min(1.0, 3.0 / (feature + 1)))) continue;
        row.push_back({feature, static_cast<float>(0.2 + random.uniform())});
        squares += static_cast<double>(row.back().value) * row.back().value;
      }
      for (Entry& entry : row) entry.value = static_cast<float>(entry.value / std::sqrt(squares));
    }
    return pool_of(options_.relevant, rows);
  }

  void observe(DocumentId document, double reward) {
    ++plays_[static_cast<std::size_t>(document)];
    rewards_[static_cast<std::size_t>(document)] += static_cast<Real>(reward);
    const RankOneChange change = test::learn(model_, pool_.view(), document, reward);
    scores_.observe(change);
    if (change.rebuilt) scores_.refresh(model_);
  }

  [[nodiscard]] SquareMatrix exact_gram() const {
    SquareMatrix gram = identity_times(truth_.size(), options_.ridge);
    for (std::size_t i = 0; i < plays_.size(); ++i) {
      const SparseRow x = pool_.view().by_document.row(static_cast<DocumentId>(i));
      for (std::size_t p = 0; p < x.size(); ++p) {
        for (std::size_t q = 0; q < x.size(); ++q) {
          gram.at(static_cast<std::size_t>(x.features[p]), static_cast<std::size_t>(x.features[q])) +=
              static_cast<Real>(plays_[i]) * static_cast<Real>(x.values[p]) * static_cast<Real>(x.values[q]);
        }
      }
    }
    return gram;
  }

  [[nodiscard]] std::vector<Real> exact_theta(const TextbookFactor& exact) const {
    std::vector<Real> response(truth_.size(), 0.0L);
    for (std::size_t i = 0; i < rewards_.size(); ++i) {
      const SparseRow x = pool_.view().by_document.row(static_cast<DocumentId>(i));
      for (std::size_t n = 0; n < x.size(); ++n)
        response[static_cast<std::size_t>(x.features[n])] += static_cast<Real>(x.values[n]) * rewards_[i];
    }
    return exact.solve(response);
  }

  /// The largest eigenvalue over the smallest by power iteration: too small by a few percent at most.
  static double condition_of(const SquareMatrix& gram, const TextbookFactor& exact) {
    std::vector<Real> large(gram.size(), 1.0L);
    std::vector<Real> small(gram.size());
    for (std::size_t a = 0; a < small.size(); ++a) small[a] = a % 2 == 0 ? 1.0L : -0.5L;
    Real largest = 1.0L;
    Real inverse_smallest = 1.0L;
    for (int step = 0; step < 60; ++step) {
      std::vector<Real> product(gram.size(), 0.0L);
      for (std::size_t a = 0; a < gram.size(); ++a)
        for (std::size_t b = 0; b < gram.size(); ++b) product[a] += gram.at(a, b) * large[b];
      large = std::move(product);
      small = exact.solve(small);
      largest = normalise(large);
      inverse_smallest = normalise(small);
    }
    return static_cast<double>(largest * inverse_smallest);
  }

  /// Returns the length that the vector had.
  static Real normalise(std::vector<Real>& x) {
    const Real length = std::sqrt(inner(x, x));
    for (Real& entry : x) entry /= length;
    return length;
  }

  static double apart(double value, Real exact) { return static_cast<double>(std::fabs(static_cast<Real>(value) - exact)); }

  static double width(double square) { return std::sqrt(std::max(square, 0.0)); }

  void check_weights(const TextbookFactor& exact, double theta_allowed, double log_det_allowed) const {
    const std::vector<Real> theta = exact_theta(exact);
    double worst = 0.0;
    for (std::size_t a = 0; a < theta.size(); ++a) worst = std::max(worst, apart(model_.theta()[a], theta[a]));
    CHECK(worst <= theta_allowed);

    const Real prior = static_cast<Real>(truth_.size()) * std::log(static_cast<Real>(options_.ridge));
    const Real log_det = exact.log_det() - prior;
    REQUIRE(log_det > 1.0L);
    CHECK(apart(model_.log_det_ratio(), log_det) <= log_det_allowed);
  }

  void check_scores(const TextbookFactor& exact, double allowed) const {
    const std::vector<Real> theta = exact_theta(exact);
    double solved_width = 0.0;
    double running_mean = 0.0;
    double running_width = 0.0;
    for (DocumentId i = 0; i < scored_.view().documents(); ++i) {
      const SparseRow row = scored_.view().by_document.row(i);
      std::vector<Real> x(theta.size(), 0.0L);
      for (std::size_t n = 0; n < row.size(); ++n)
        x[static_cast<std::size_t>(row.features[n])] = static_cast<Real>(row.values[n]);
      const Real right = std::sqrt(inner(x, exact.solve(x)));
      const auto at = static_cast<std::size_t>(i);
      solved_width = std::max(solved_width, apart(width(model_.predict(row).square), right));
      running_mean = std::max(running_mean, apart(scores_.means()[at], inner(x, theta)));
      running_width = std::max(running_width, apart(width(scores_.squares()[at]), right));
    }
    CHECK(solved_width <= allowed);
    CHECK(running_mean <= allowed);
    CHECK(running_width <= allowed);
  }

  DriftOptions options_;
  PoolMatrix pool_;
  PoolMatrix scored_;
  std::vector<double> truth_;
  std::vector<std::int64_t> plays_;  // by document, as are rewards
  std::vector<Real> rewards_;
  RidgeModel model_;
  RunningScores scores_;
};

void check_drift(const DriftOptions& options) {
  CAPTURE(options.updates);
  CAPTURE(options.ridge);
  Drifting drifting(options);
  drifting.learn();
  drifting.check();
}

}  // namespace

TEST_CASE("a model is that of extended precision after 5,000 rewards") {
  check_drift({.factor = FactorKind::cholmod});
  check_drift({.factor = FactorKind::dense});
}

TEST_CASE("a model that is refined is that of extended precision with few documents and a small ridge") {
  check_drift({.documents = 20, .ridge = 0.0078125, .refine_every = 512});
}

TEST_CASE("a model is that of extended precision after a million rewards" * doctest::test_suite("slow")) {
  check_drift({.updates = 1'000'000, .relevant = 200, .documents = 20'000, .refine_every = 16'384});
}

}  // namespace inkling::test
