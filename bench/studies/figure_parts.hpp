// The parts of which most figures are made: entrants, numbers, and rules for charts, tables and claims.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/studies/figure.hpp"
#include "bench/studies/study.hpp"
#include "bench/worlds/world.hpp"

namespace inkling::bench {

// Entrants.

/// An entrant of a preset with the paper's settings: `rounds`, seed, confidence for rewards of this noise,
/// lambda = 1. Requires: the preset exists.
[[nodiscard]] Entrant entrant_of(const PaperSettings& settings, std::string_view preset, std::int64_t rounds,
                                 double assumed_noise);

/// The same entrant, tuned over these ridges, which ascend.
[[nodiscard]] Entrant tuned(Entrant entrant, std::span<const double> ridges);

// Numbers.

/// Half the width of a 95 % band, in standard errors.
inline constexpr double kBand = 1.96;

/// Whether the number lies on that side of the bound by more than kBand standard errors. Never if it is
/// not finite.
[[nodiscard]] bool clearly_below(const Estimate& number, double bound);
[[nodiscard]] bool clearly_above(const Estimate& number, double bound);

[[nodiscard]] Number constant(double value);
[[nodiscard]] Number regret_of(Place place);
[[nodiscard]] Number features_found_of(Place place);
/// The mean of `number` over the trials.
[[nodiscard]] Number mean_of(Place place, std::function<double(const TrialResult&)> number);
/// Regret of one minus that of the other, and the regret of one over that of the other, trial by trial.
[[nodiscard]] Number regret_difference(Place one, Place other);
[[nodiscard]] Number regret_ratio(Place one, Place other);

// Numbers as text.

/// "0.36 ± 0.03", digits by the standard error.
[[nodiscard]] std::string estimate_text(const Estimate& estimate);

/// A ridge as the paper writes it: "2⁻⁵", "1"; in decimals if it is not a power of two.
[[nodiscard]] std::string ridge_text(double ridge);

/// The ridge of an entrant: its own, the one that tuning chose, or a note that a rule decides.
[[nodiscard]] std::string setting_text(const EntrantResult& result);

// Charts.

/// A point at the mean, its band kBand standard errors to both sides.
void add_point(Series& series, double x, const Estimate& estimate);

/// A line of a chart, and whose it is.
struct NamedPlace {
  std::string name;
  Place place;
};

/// Regret against rounds of one entrant, with 95 % bands over trials.
[[nodiscard]] Series regret_curve(std::string name, const EntrantResult& entrant);

/// The same for all of these entrants.
[[nodiscard]] LineChart regret_chart(std::span<const EntrantResult> results, std::string title);

/// The same for all entrants of a study, or for the named ones.
[[nodiscard]] ChartRule regret_curves(std::string suffix, std::string title, std::string study);
[[nodiscard]] ChartRule regret_curves(std::string suffix, std::string title, std::vector<NamedPlace> lines);

/// Mean regret in the tuning trials against the ridge, a line for each tuned entrant of a study.
[[nodiscard]] ChartRule tuning_curves(std::string suffix, std::string title, std::string study);

/// A number against a parameter. A reference has one point, whose x is ignored.
struct PlottedNumbers {
  std::string name;
  std::vector<std::pair<double, Number>> points;
  SeriesStyle style = SeriesStyle::line;
};

/// The frame says title, labels and scales; its own series come last.
[[nodiscard]] ChartRule number_chart(std::string suffix, LineChart frame, std::vector<PlottedNumbers> lines);

// Tables.

/// Entrants of a study with setting, regret, reward, words found and random rounds. `line` says which study,
/// where a figure has several.
[[nodiscard]] TableRule outcomes(std::string study, std::string line = "");

struct NumberRow {
  std::string name;
  std::vector<Number> numbers;
};

/// A row of numbers for each name.
[[nodiscard]] TableRule number_table(std::string line, std::vector<std::string> head, std::vector<NumberRow> rows,
                                     TableView view = TableView::folded);

// Claims.

/// Holds where `less` has less regret than `more` by more than kBand standard errors of the difference, trial
/// by trial.
[[nodiscard]] ClaimRule less_regret(std::string id, ClaimBy whose, std::string sentence, Place less, Place more);

/// Holds where the mean regret of `one` is at most `factor` times that of `other`.
[[nodiscard]] ClaimRule within_factor(std::string id, ClaimBy whose, std::string sentence, Place one, Place other, double factor);

/// A check of ours: holds where the chosen ridge is neither the least nor the largest of those tried.
[[nodiscard]] ClaimRule ridge_inside(std::string id, Place tuned);

struct BoundedNumber {
  std::string name;
  Number number;
  double bound = 0.0;
};

/// Holds where every number is clearly below its bound.
[[nodiscard]] ClaimRule all_below(std::string id, ClaimBy whose, std::string sentence, std::vector<BoundedNumber> numbers);

// Studies in the paper's synthetic worlds.

/// N = 1000 documents over d = 40 words, `relevant` of which matter.
[[nodiscard]] WorldOptions synthetic_options(const PaperSettings& settings, std::int32_t relevant);

/// A study in such worlds, a new one for each trial, without entrants.
[[nodiscard]] Study synthetic_study(const PaperSettings& settings, std::string name, const WorldOptions& options);

/// This share of the trials, but not fewer than two, which show a spread.
[[nodiscard]] std::int64_t share_of_trials(std::int64_t trials, double share);

/// How likely a random play marks its least likely relevant feature: p times the share of documents that hold
/// it, the least over all trials of the study. The p of the paper's Assumption 2.
[[nodiscard]] double least_discovery(const Study& study);

}  // namespace inkling::bench
