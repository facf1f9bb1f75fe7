// Logistic regression and the linear support vector machine on sparse rows, with a cost for each example.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/sparse/sparse_row.hpp"

namespace inkling::bench {

/// The cost of an example as a function of its margin z, its side times its score.
enum class ClassifierLoss {
  logistic,       ///< ln(1 + exp(-z))
  squared_hinge,  ///< max(0, 1 - z)^2
};

/// Lifetime: lends the row.
struct ClassifierExample {
  SparseRow row;
  double side = 1.0;      ///< +1 or -1
  double cost = 1.0;      ///< >= 0: how much its loss counts
  double constant = 1.0;  ///< its value in the column that every document has; 0 for what is no document
};

struct ClassifierOptions {
  ClassifierLoss loss = ClassifierLoss::logistic;
  /// > 0. The fit is accepted if the slope of the objective is at most this share of the most that it can
  /// be where all weights are 0. A squared hinge on values that differ by many powers of ten may end with
  /// more, after 200 steps.
  double accuracy = 1e-5;
};

/// The weights w and the constant c that minimise
///   (|w|^2 + c^2) / 2 + sum over the examples of cost * loss(side * (x.w + c * constant)),
/// the objective of LIBLINEAR and so of scikit-learn's LinearSVC. It has one minimum whatever the examples
/// are: with one side alone the weights are drawn to that side, and without examples they are 0.
///
/// Newton's method from the fit before, each step by conjugate gradients, with a search along the step (Lin,
/// Weng and Keerthi 2008). Work is in proportion to the entries of the examples, however many features there
/// are. Thread safety: none; a fit uses one thread and no random numbers, so it has the same bits everywhere.
class LinearClassifier {
 public:
  LinearClassifier(std::int32_t features, const ClassifierOptions& options);

  /// Requires: every feature of a row is below `features`.
  void fit(std::span<const ClassifierExample> examples);

  /// By feature.
  [[nodiscard]] std::span<const double> weights() const noexcept { return weights_; }
  [[nodiscard]] double constant() const noexcept { return constant_; }

 private:
  struct Entry {
    std::size_t column;
    double value;
  };
  struct OnTheWay {
    double objective;
    double slope;
  };

  void gather(std::span<const ClassifierExample> examples);
  void append(const ClassifierExample& example);
  void give_back();
  [[nodiscard]] std::span<const Entry> row(std::size_t example) const noexcept {
    return std::span(entries_).subspan(begins_[example], begins_[example + 1] - begins_[example]);
  }
  void multiply(std::span<const double> direction, std::span<double> products) const;
  void add_rows(std::span<const double> shares, std::span<double> sum) const;

  [[nodiscard]] double allowed_slope() const noexcept;
  [[nodiscard]] double take_slope();
  void find_step(double slope);
  void take_diagonal();
  [[nodiscard]] bool walk();
  [[nodiscard]] double way_down(const OnTheWay& start) const noexcept;
  [[nodiscard]] OnTheWay along_step(double length) const noexcept;

  ClassifierOptions options_;
  std::vector<double> weights_;
  double constant_ = 0.0;

  // The examples at hand, in the columns that they hold; the last column is the constant's. A row is the
  // example's times its side, so that x.w is a margin.
  std::vector<std::size_t> column_of_;  // by feature; kNoColumn where no example holds it
  std::vector<FeatureId> features_;     // by column
  std::vector<std::size_t> begins_;
  std::vector<Entry> entries_;
  std::vector<double> costs_;
  std::vector<double> theta_;    // by column
  std::vector<double> margins_;  // by example, as are the next three
  std::vector<double> advance_;  // of the margins, along the step
  std::vector<double> shares_;
  std::vector<double> curvatures_;
  std::vector<double> slope_;  // by column, as are the next five
  std::vector<double> diagonal_;
  std::vector<double> step_;
  std::vector<double> residual_;
  std::vector<double> direction_;
  std::vector<double> product_;
};

}  // namespace inkling::bench
