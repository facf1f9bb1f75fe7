// A factor and its plain twin that learn the same events of random documents.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/core/random_stream.hpp"
#include "engine/model/cholesky_factor.hpp"
#include "tests/support/engine/dense_twin.hpp"

namespace inkling::test {

/// Keeps the gram of random sparse documents over the features added so far, in a factor and in its twin. The factor is changed
/// by the same calls as RidgeModel makes.
class FactorWalk {
 public:
  struct Options {
    FactorKind kind;
    std::int32_t features;  ///< how many may be added
    double density;         ///< of a document
    double ridge;
  };

  FactorWalk(const Options& options, RandomStream random);

  /// A random event: a reward, a new feature or a rebuild.
  void step();

  [[nodiscard]] const CholeskyFactor& factor() const noexcept { return *factor_; }
  [[nodiscard]] const DenseTwinFactor& twin() const noexcept { return twin_; }
  [[nodiscard]] double ridge() const noexcept { return options_.ridge; }
  [[nodiscard]] std::size_t size() const noexcept { return born_.size(); }

  /// The error of the last pivot that append() returned, against the same number from the twin.
  [[nodiscard]] double pivot_error() const noexcept { return pivot_error_; }

 private:
  struct Document {
    std::vector<double> values;  // by feature
    double plays;
  };

  void reward();
  void birth();
  void rebuild(std::int32_t capacity);

  Options options_;
  RandomStream random_;
  std::unique_ptr<CholeskyFactor> factor_;
  DenseTwinFactor twin_;
  std::vector<Document> documents_;
  std::vector<std::int32_t> born_;  // by position
  std::vector<std::int32_t> unborn_;
  double pivot_error_ = 0.0;
};

/// The largest error of each answer of a factor, relative to the largest entry of the right answer.
struct FactorErrors {
  double sparse_solve = 0.0;
  double dense_solve = 0.0;
  double product = 0.0;  ///< V x
  double diagonal = 0.0;
  double inverse_form = 0.0;
  double colour = 0.0;  ///< of A A' against V^-1
  double log_det = 0.0;
};

[[nodiscard]] FactorErrors errors_of(const FactorWalk& walk, RandomStream& random);

}  // namespace inkling::test
