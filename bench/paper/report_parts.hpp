// Parts that the reports of several figures share: curves, comparisons and the words for them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/paper/figure.hpp"

namespace inkling::bench {

/// Mean +- 1.96 standard errors.
inline constexpr double kBand = 1.96;

/// A point at the mean, its band kBand standard errors to both sides.
void add_point(Series& series, double x, const Estimate& estimate);

/// Regret against rounds of every entrant, with 95 % bands over trials.
[[nodiscard]] LineChart regret_chart(const StudyResult& result, std::string_view title);

/// Mean tuning regret against the ridge, one line a tuned entrant; logarithmic x.
[[nodiscard]] LineChart tuning_chart(const StudyResult& result, std::string_view title);

/// "0.36 ± 0.03", digits by the standard error.
[[nodiscard]] std::string estimate_text(const Estimate& estimate);

/// A ridge as the paper writes it: "2^-5".
[[nodiscard]] std::string ridge_text(double ridge);

/// What it played with: its ridge, or what its tuning chose, or that a rule decides.
[[nodiscard]] std::string setting_text(const EntrantResult& result);

/// Entrants with ridge, regret, reward, words found and random rounds, as a table.
[[nodiscard]] FigureTable outcome_table(const StudyResult& result);

/// holds where `less` has less regret than `more` by more than 1.96 standard errors of the paired difference;
/// fails otherwise. The numbers are both regrets, their difference and their ratio.
[[nodiscard]] Claim less_regret_claim(std::string id, std::string sentence, const EntrantResult& less,
                                      const EntrantResult& more);

/// holds where regret(one) <= factor * regret(other), by the means; the ratio stands with its error.
[[nodiscard]] Claim within_factor_claim(std::string id, std::string sentence, const EntrantResult& one,
                                        const EntrantResult& other, double factor);

/// holds where the tuned ridge lies strictly inside the grid.
[[nodiscard]] Claim ridge_inside_claim(std::string id, const EntrantResult& tuned);

/// The settings that every study has: trials, rounds, seed, delta, S; to which a figure adds its own.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> common_settings(const PaperContext& context,
                                                                               const StudyResult& result);

/// An entrant of a preset with the paper's settings: `rounds`, seed, confidence for rewards of this noise,
/// lambda = 1. Requires: the preset exists.
[[nodiscard]] Entrant entrant_of(const PaperSettings& settings, std::string_view preset, std::int64_t rounds,
                                 double assumed_noise);

/// The same, tuned over these ridges, which ascend, or over the settings' own.
[[nodiscard]] Entrant tuned(Entrant entrant, std::span<const double> ridges);
[[nodiscard]] Entrant tuned(Entrant entrant, const PaperSettings& settings);

/// Every so many-th of the settings' ridges, from the least on.
[[nodiscard]] std::vector<double> some_ridges(const PaperSettings& settings, std::size_t step);

/// What soft marks came to, in a sentence or two that open with a space. Requires: it played, as did ff-oful.
[[nodiscard]] std::string soft_marks_text(const StudyResult& result);

}  // namespace inkling::bench
