// What a reproduction of the paper is run with: what the paper fixes, and what it leaves open.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/model/confidence_radius.hpp"

namespace inkling::bench {

enum class PaperEffort {
  full,   ///< 100 trials and the horizons below
  quick,  ///< 20 trials, every other ridge, and a quarter of each horizon: the shapes, not the figures
};

/// Of what the paper leaves open, `--sweep` shows what each decides.
struct PaperSettings {
  PaperEffort effort = PaperEffort::full;
  std::int64_t trials = 100;  ///< the paper's
  std::int64_t tuning_trials = 10;
  std::uint64_t seed = 1;
  double noise = 0.5;          ///< R of rewards x.theta* + noise; open in the paper
  double norm_bound = 1.0;     ///< S, and the norm of theta*; open in the paper
  double logistic_norm = 5.0;  ///< the same where a logistic makes rewards +1 or -1; open in the paper
  double label_noise =
      0.1;                 ///< R that policies are told where a label is the reward, which has no noise; open
  double delta = 0.1;      ///< open in the paper
  std::int32_t words = 8;  ///< drawn for a synthetic document; open in the paper
  double mark_probability = 0.1;            ///< p, the paper's
  std::optional<std::int64_t> rounds = {};  ///< in place of every figure's own horizon

  /// A figure's horizon: `rounds` where given; else the figure's own, or a quarter of it.
  [[nodiscard]] std::int64_t horizon(std::int64_t usual) const;

  /// The paper's grid 2^-7 ... 2^10, or every other of them.
  [[nodiscard]] std::vector<double> ridges() const;

  [[nodiscard]] ConfidenceOptions confidence(double assumed_noise) const {
    return {assumed_noise, norm_bound, delta};
  }
};

/// The ridges over which the paper tunes OFUL: 2^-7 ... 2^10.
[[nodiscard]] std::vector<double> tuning_grid();

}  // namespace inkling::bench
