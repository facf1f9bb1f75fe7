// Invented results of a figure's studies, to test what its report says of known numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "bench/studies/figure.hpp"

namespace inkling::test {}

namespace inkling::bench::test {

using namespace inkling::test;  // tests name helpers of both as test::

/// Few trials of few rounds over few ridges.
[[nodiscard]] PaperContext tiny_context(std::int64_t rounds);

/// The regret of an entrant in trial 0, 1, ...
using RegretOf = std::function<double(const Study&, const Entrant&, std::int64_t trial)>;

/// The regret differs from trial to trial, but alike for all entrants, so that differences between entrants have no error.
[[nodiscard]] inline double around(double regret, std::int64_t trial) { return regret + static_cast<double>(trial); }

/// Every relevant word is found in the first round, and regret grows evenly with the rounds.
[[nodiscard]] TrialResult even_trial(const Entrant& entrant, double regret);

/// Empty for a figure that is computed without studies.
[[nodiscard]] std::vector<Study> studies_of(const Figure& figure, const PaperContext& context);

/// Trials of every entrant of the figure's studies. A tuned ridge is the second of its grid.
[[nodiscard]] std::vector<StudyResult> made_up_results(const Figure& figure, const PaperContext& context,
                                                       const RegretOf& regret_of);

/// The figure's report on them.
[[nodiscard]] FigureReport made_up_report(const Figure& figure, const PaperContext& context, const RegretOf& regret_of);

/// The claim with this id. Requires: there is one.
[[nodiscard]] const Claim& claim_of(const FigureReport& report, std::string_view id);

/// The number with this name. Requires: there is one.
[[nodiscard]] const Estimate& number_of(const Claim& claim, std::string_view name);

/// Runs the figure's studies with this number of threads, and returns its report.
[[nodiscard]] FigureReport run_report(const Figure& figure, const PaperContext& context, int threads);

}  // namespace inkling::bench::test
