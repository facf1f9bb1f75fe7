// How far any document's score can have moved since a moment, told from the model's events alone.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/model/ridge_model.hpp"
#include "engine/scoring/live/relevant_rows.hpp"

namespace inkling {

/// Let mean and width be a document's at the moment of `restart`, and t any later time. As long as the
/// document holds no feature born since,
///   width_t <= growth * width      |mean_t - mean| <= growth * drift * width
/// and therefore mean_t + radius_t * width_t <= mean + reach(radius_t) * width.
///
/// Proof. A reward only takes from V^-1, so widths shrink. A birth adds (x.w)^2 / sigma to a squared width
/// and, by Cauchy and Schwarz, (x.w)^2 <= width^2 w'Vw; so it grows by a factor of at most 1 + w'Vw / sigma,
/// and growth^2 is the product of these. Of the change of theta since then, let delta be what the rewards did
/// and -eta w what each birth did to the features before it. Then |x.delta| <= width_t |delta|_V, with
/// |delta|_V followed below from event to event, and |x.w eta| <= width |w|_V |eta|. Their sum is drift.
///
/// |delta|_V^2 follows by products with the played row x alone, because u = V^-1 x: with p = x.delta, a
/// reward of gain g and leverage s makes it |delta|_V^2 + 2 g p + g^2 s + (p + g s)^2. A birth extends delta
/// by a zero and leaves its norm.
class ScoreDrift {
 public:
  /// Everything is measured from now on. Requires: as many as the model's features.
  void restart(std::size_t features);

  /// x: the played document restricted to the relevant features.
  void follow_reward(std::span<const RelevantEntry> x, const RankOneChange& change);
  void follow_birth(const RankOneChange& change);

  [[nodiscard]] double growth() const noexcept { return growth_; }
  /// What rewards did to means, and births, in widths; and both.
  [[nodiscard]] double reward_drift() const noexcept;
  [[nodiscard]] double birth_drift() const noexcept { return births_; }
  [[nodiscard]] double drift() const noexcept { return reward_drift() + birth_drift(); }

  /// What a document's score may be at most, in widths above its mean. Rounding is within its margin.
  [[nodiscard]] double reach(double radius) const noexcept;

 private:
  std::vector<double> delta_;
  double delta_square_ = 0.0;  // |delta|_V^2
  double largest_square_ = 0.0;
  double births_ = 0.0;  // sum of |eta| |w|_V
  double growth_ = 1.0;
};

}  // namespace inkling
