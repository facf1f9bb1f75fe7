// The plain twin of Policy: it has separate code for each preset, and computes everything again in every round.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/core/random_stream.hpp"
#include "engine/policy/policy_state.hpp"
#include "engine/sparse/csr_view.hpp"
#include "tests/support/engine/reference_beliefs.hpp"
#include "tests/support/engine/reference_ridge.hpp"

namespace inkling::test {

struct ReferencePlay {
  DocumentId document = -1;
  bool explored = false;
  std::optional<Real> radius;
  Real condition_bound = 1.0L;  ///< of V
  /// The score of each document that may be chosen; empty if the document was drawn at random.
  std::vector<std::optional<Real>> scores;
};

/// Whether a preset chooses by a draw from its posterior.
[[nodiscard]] bool draws_from_posterior(const std::string& preset);

/// Throws std::logic_error for a preset that it does not know. Lifetime: the pool must outlive it.
class ReferencePolicy {
 public:
  ReferencePolicy(PoolView pool, std::string preset, const PolicyOptions& options, RandomStream exploration,
                  RandomStream sampling);

  [[nodiscard]] bool exhausted() const noexcept { return remaining_.empty(); }
  [[nodiscard]] ReferencePlay choose();
  void observe(DocumentId document, double reward, std::span<const FeatureId> marks, std::span<const double> confidences);

 private:
  [[nodiscard]] double exploration_probability() const;
  [[nodiscard]] bool takes_marks() const;
  [[nodiscard]] Real radius(const SolvedRidge& ridge) const;
  [[nodiscard]] std::vector<Real> drawn_theta(const SolvedRidge& ridge);
  void believe();
  void score(const SolvedRidge& ridge, ReferencePlay& play);

  PoolView pool_;
  std::string preset_;
  PolicyOptions options_;
  RandomStream exploration_;
  RandomStream sampling_;
  std::optional<ReferenceBeliefs> beliefs_;  // of soft-marks
  ReferenceRidge ridge_;
  std::vector<DocumentId> remaining_;
  std::int64_t round_ = 0;
  std::int64_t plays_ = 0;
  std::int64_t rounds_since_first_mark_ = 0;
  bool marked_ = false;
};

}  // namespace inkling::test
