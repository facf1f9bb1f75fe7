// How far any document's score can have moved since a restart, computed from the model's events alone.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/model/rank_one_change.hpp"
#include "engine/scoring/live/relevant_rows.hpp"
#include "engine/scoring/live/restricted_score.hpp"

namespace inkling {

class CholeskyFactor;
class RidgeModel;

/// There are reference weights: those of the model at `restart`, and the first weights of features born since. Let mean
/// be a document's mean by these weights. Let width be its width at `restart`; or, for a document
/// measured later, let growth * width bound its width then. Then at any later time t, as long as the document holds no
/// feature born since the width was known,
///   width_t <= growth * width      mean_t <= mean + drift * width_t
/// and therefore mean_t + radius_t * width_t <= mean + reach(radius_t) * width.
///
/// Proof. A reward only takes from V^-1, so widths shrink. A birth adds (x.w)^2 / sigma to a squared width and, by Cauchy and
/// Schwarz, (x.w)^2 <= width^2 w'Vw; so it grows by a factor of at most 1 + w'Vw / sigma, and growth^2 is the product of these.
/// Let lag be theta minus the reference weights. If no document has a negative value of a feature, a larger lag of it makes no
/// mean smaller. So mean_t - mean = x.lag <= x.delta <= width_t |delta|_V, which is the drift, for any delta >= lag that equals
/// lag at features with negative values. A birth changes the earlier weights by -eta w and gives the new feature the weight eta,
/// which becomes its reference: x_j eta is added to the means of its documents, and a zero is appended to lag and delta.
///
/// Every change of theta is also applied to lag and delta. |delta|_V^2 follows the rewards by products with the played row x
/// alone, because u = V^-1 x: with p = x.delta, a reward of gain g and leverage s makes it
/// |delta|_V^2 + 2 g p + g^2 s + (p + g s)^2.
///
/// `relax` chooses the delta of least |delta|_V: weights that fell then add little or nothing to the drift. With lambda >= 0 the
/// multipliers of the constraints delta >= lag, delta = V^-1 lambda. They are found by a few rounds of coordinate descent; their
/// distance from the optimum only makes the drift larger.
class ScoreDrift {
 public:
  /// The current weights become the reference, and widths are the current ones. Requires: as many as the model's
  /// features.
  void restart(std::size_t features);
  /// The current weights become the reference; widths stay those of the last `restart`.
  void restart_weights();

  /// x: the played document restricted to the relevant features.
  void follow_reward(std::span<const RelevantEntry> x, const RankOneChange& change);

  /// The weights by which means are computed, from theta, the current ones.
  void reference_weights(std::span<const double> theta, std::vector<double>& weights) const;

  /// Turns the current line of a document with this row into one by the reference weights.
  [[nodiscard]] ReachLine by_reference(const ReachLine& now, std::span<const RelevantEntry> x) const noexcept {
    return {now.mean - product(lag_, x), now.width * (kMargin / growth_)};
  }

  /// How a birth changes the line of a document that holds the new feature.
  class Birth {
   public:
    Birth(const RankOneChange& change, double growth_before, double growth)
        : eta_(change.mean_gain),
          overlap_(std::sqrt(change.leverage)),
          square_gain_(change.square_gain),
          growth_before_(growth_before),
          to_reference_(kMargin / growth) {}

    /// The new line, from the document's line before and the feature's value in it.
    [[nodiscard]] ReachLine line(const ReachLine& before, double value) const noexcept {
      const double width = before.width * growth_before_;
      const double more = std::fabs(value) + width * overlap_;  // at least |x_j - x.w|
      return {before.mean + value * eta_, std::sqrt(width * width + more * more * square_gain_) * to_reference_};
    }

   private:
    double eta_;
    double overlap_;      // |w|_V
    double square_gain_;  // 1 / sigma
    double growth_before_;
    double to_reference_;
  };

  /// Requires: the factor of the model's V after the birth.
  Birth follow_birth(const RankOneChange& change, const CholeskyFactor& factor);

  /// Makes the drift about as small as possible. may_fall[a] is not 0 if no document has a negative value of the feature at
  /// position a. Requires: the model whose events were followed; it keeps V^-1.
  void relax(const RidgeModel& model, std::span<const std::uint8_t> may_fall);

  /// The position of the feature whose settling reduces the drift most for its cost; nothing if none reduces it. Requires:
  /// relaxed since the last event.
  [[nodiscard]] std::optional<std::size_t> worth_settling(const std::function<double(std::size_t)>& cost) const;

  /// The current weight of the feature becomes its reference. Returns by how much it was above the reference, which the
  /// caller must bring into the means. The drift counts this only after the next `relax`.
  [[nodiscard]] double settle(std::size_t position);

  [[nodiscard]] double growth() const noexcept { return growth_; }
  [[nodiscard]] double drift() const noexcept;

  /// The most that a document may score, in widths above its mean. Its margin covers rounding.
  [[nodiscard]] double reach(double radius) const noexcept;

 private:
  /// A margin far above the rounding of a reach or a width.
  static constexpr double kMargin = 1.0 + 1e-9;

  [[nodiscard]] static double product(std::span<const double> weights, std::span<const RelevantEntry> x) noexcept {
    double sum = 0.0;
    for (const RelevantEntry& entry : x)
      sum += static_cast<double>(entry.value) * weights[static_cast<std::size_t>(entry.position)];
    return sum;
  }
  void add_to_weights(double gain, std::span<const double> direction);
  void measure(const CholeskyFactor& factor);
  void set_square(double square, double rounding);

  std::vector<double> lag_;
  std::vector<double> delta_;
  double delta_square_ = 0.0;    // |delta|_V^2
  double largest_square_ = 0.0;  // since it was last computed from delta
  double rounding_ = 0.0;        // of delta_square_ when it was computed from delta
  double growth_ = 1.0;
  std::vector<double> product_;   // V delta, as last computed
  std::vector<double> diagonal_;  // of V at that time
  std::vector<double> pulls_;     // kept for their memory, as is the next
  std::vector<double> reached_;
};

}  // namespace inkling
