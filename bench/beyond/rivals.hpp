// Who plays in the figures beyond the paper, and over which settings each is tuned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/studies/figure.hpp"
#include "bench/studies/study.hpp"

namespace inkling::bench {

/// Makes the entrant of a preset, with everything that a figure's entrants share.
using EntrantMaker = std::function<Entrant(std::string_view preset)>;

/// Told the true noise and the true norm of theta*.
[[nodiscard]] EntrantMaker entrants_in(const PaperSettings& settings, const WorldOptions& world,
                                       std::int64_t rounds);

enum class TuningEffort {
  fine,    ///< every other ridge for oful; two sizes of sketches and projections at every fourth
  coarse,  ///< where a trial takes long: every fourth ridge, and one size at every eighth
};

/// What soft marks are without marks: OFUL with their radius and the rule's ridge for words of which nothing
/// is known, R^2 d / S^2; not tuned. What soft marks have less than it is due to marks; what it has less than
/// oful, to the radius and the ridge.
inline constexpr std::string_view kNarrowOful = "oful-narrow";

/// ff-oful with ridge 1, as in the paper; soft-marks by its rule; oful tuned; and kNarrowOful. In this order.
[[nodiscard]] std::vector<Entrant> main_policies(const PaperSettings& settings, const EntrantMaker& maker,
                                                 std::int32_t features, TuningEffort effort);

/// These and ff-thompson, thompson, oful-sketched, oful-projected and lasso-bandit, each tuned. `features`
/// are the pool's: no sketch is as wide.
[[nodiscard]] std::vector<Entrant> all_policies(const PaperSettings& settings, const EntrantMaker& maker,
                                                std::int32_t features, TuningEffort effort);

/// How that was done, for a list of settings.
[[nodiscard]] std::string tuning_method(const StudyResult& result);

/// The policy of least mean regret. Requires: somebody played.
[[nodiscard]] const EntrantResult& least_regret(const StudyResult& result);

/// holds where `one` does not have clearly more regret than `other`: not by more than 1.96 standard errors.
[[nodiscard]] Claim no_worse_claim(std::string id, std::string sentence, const EntrantResult& one,
                                   const EntrantResult& other);

/// holds where nobody has clearly less regret than soft marks, at this error of one comparison; says who has.
[[nodiscard]] Claim unbeaten_claim(std::string id, std::string sentence, const StudyResult& result);

}  // namespace inkling::bench
