// The figures beyond the paper: soft marks, with other policies beside them. What they share: who plays, over
// which settings each policy is tuned, and the claims that compare them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/studies/figure.hpp"

namespace inkling::bench {

[[nodiscard]] const Programme& beyond_programme();

/// In the order of the page. The words about each are in bench/report/templates/beyond/NAME.md.
[[nodiscard]] Figure searches_figure();
[[nodiscard]] Figure reviews_figure();
[[nodiscard]] Figure paper_worlds_figure();
[[nodiscard]] Figure soft_marks_figure();
[[nodiscard]] Figure horizon_figure();
/// One figure for each setting of a world that changes while all others stay.
[[nodiscard]] std::vector<Figure> one_parameter_figures();
[[nodiscard]] Figure text_newsgroups_figure();
[[nodiscard]] Figure text_reviews_figure();
[[nodiscard]] Figure which_to_use_figure();

// What they share.

/// Makes the entrant of a preset, with everything that a figure's entrants share.
using EntrantMaker = std::function<Entrant(std::string_view preset)>;

/// Told the true noise and the true norm of theta*.
[[nodiscard]] EntrantMaker entrants_in(const PaperSettings& settings, const WorldOptions& world,
                                       std::int64_t rounds);

enum class TuningEffort {
  fine,    ///< every other ridge for oful; two sizes of sketches and projections at every fourth ridge
  coarse,  ///< where a trial takes long: every fourth ridge, and one size at every eighth
};

/// OFUL with the radius of soft marks and the ridge that their rule gives to words of which nothing is known,
/// R^2 d / S^2; not tuned. The gain of soft marks over this one is due to marks; the gain of this one over
/// oful is due to the radius and the ridge.
inline constexpr std::string_view kNarrowOful = "oful-narrow";

/// soft-marks by its rule; ff-oful with ridge 1, as in the paper; oful tuned; and kNarrowOful. In this order:
/// a chart of many panels shows the first in each.
[[nodiscard]] std::vector<Entrant> main_policies(const PaperSettings& settings, const EntrantMaker& maker,
                                                 std::int32_t features, TuningEffort effort);

/// These and ff-thompson, thompson, oful-sketched, oful-projected and lasso-bandit, each tuned. `features`
/// are the pool's: no sketch is as wide.
[[nodiscard]] std::vector<Entrant> all_policies(const PaperSettings& settings, const EntrantMaker& maker,
                                                std::int32_t features, TuningEffort effort);

using PolicyList = decltype(all_policies)*;

/// A study in the paper's synthetic worlds, with these policies and the fine tuning.
[[nodiscard]] Study rivals_study(const PaperSettings& settings, std::string name, const WorldOptions& options,
                                 std::int64_t rounds, PolicyList policies);

/// The two noises at which most figures run, and the study's name at each: "noise-0.1".
inline constexpr double kNoises[] = {0.1, 0.5};
[[nodiscard]] std::string noise_name(double noise);

/// The paper's worlds with 5 of 40 words that matter, at this noise.
[[nodiscard]] WorldOptions worlds_at_noise(const PaperSettings& settings, double noise);

/// A study at each of kNoises.
[[nodiscard]] std::vector<Study> studies_at_noises(const PaperSettings& settings, std::int64_t rounds,
                                                   PolicyList policies);

/// Two fifths of the trials and of the tuning's: for figures in which many policies play.
[[nodiscard]] PaperSettings fewer_trials(PaperSettings settings, double tuning_share = 0.4);

/// Settings of a figure: how many settings the tuning tried. The second one also names kNoises.
[[nodiscard]] SettingRows tuning_rows(const Results& results);
[[nodiscard]] SettingRows noise_rows(const Results& results);

/// A row for each study and a column for each entrant: its regret, with the setting that tuning chose. `labels` stand in
/// the first column, under `head`.
[[nodiscard]] FigureTable table_by_study(const Results& results, std::string line, std::string head,
                                         const std::vector<std::string>& labels);

/// Regret of soft marks over that of another entrant of the study, trial by trial.
[[nodiscard]] Estimate soft_ratio(const StudyResult& result, std::string_view other);

/// Fails where another entrant has clearly less regret than soft marks; adds the difference of each that has,
/// under its name and ", WHERE" if a place is given.
void fail_where_beaten(Decision& decision, const StudyResult& result, std::string_view where = {});

/// No policy in this study has clearly less regret than soft marks. The numbers are the regrets of all.
[[nodiscard]] ClaimRule unbeaten(std::string id, std::string sentence, std::string study);

}  // namespace inkling::bench
