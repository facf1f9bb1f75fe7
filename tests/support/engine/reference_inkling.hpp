// The plain twin of the policy `inkling`: it remembers all ratings and marks, and computes the scores from all of them each time.
#pragma once

#include <span>
#include <vector>

#include "engine/policy/policy_options.hpp"
#include "engine/sparse/csr_view.hpp"
#include "tests/support/engine/dense_twin.hpp"

namespace inkling::test {

/// Lifetime: the pools must outlive it.
class ReferenceInkling {
 public:
  explicit ReferenceInkling(PoolView pool) : ReferenceInkling(pool, pool) {}
  /// `whole`: the same documents with the numbers of their vectors as features after the words, each of the precision 1 / 0.05.
  ReferenceInkling(PoolView pool, PoolView whole) : pool_(pool), whole_(whole) {}

  void observe(DocumentId document, double reward, std::span<const SaidWord> marks);
  void rate_words(std::span<const SaidWord> ratings);

  /// Whether the ratings are read as measurements.
  [[nodiscard]] bool measured() const;
  /// Whether the next document is drawn at random.
  [[nodiscard]] bool explores_anyway() const;
  /// The score of every document of the pool.
  [[nodiscard]] std::vector<Real> scores() const;

 private:
  struct Said {
    DocumentId document = -1;  ///< -1: words were rated
    double reward = 0.0;
    std::vector<SaidWord> marks = {};
    std::vector<SaidWord> words = {};
  };

  [[nodiscard]] std::vector<double> said_grades() const;
  [[nodiscard]] std::vector<Real> graded_scores() const;
  [[nodiscard]] std::vector<Real> measured_scores() const;
  [[nodiscard]] std::vector<double> precisions(std::size_t said, double scale) const;
  [[nodiscard]] Real evidence(std::size_t said, const std::vector<double>& precisions, Real& noise) const;

  PoolView pool_;
  PoolView whole_;
  std::vector<Said> said_;
};

}  // namespace inkling::test
