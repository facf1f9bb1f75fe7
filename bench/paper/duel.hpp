// FF-OFUL against tuned OFUL at small cost, so that many settings can be tried.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/studies/figure.hpp"
#include "bench/studies/paper_settings.hpp"
#include "bench/studies/study.hpp"
#include "bench/worlds/world.hpp"

namespace inkling::bench {

/// `ff-oful` and `oful` in such worlds, told the true noise. OFUL is tuned over every other ridge of the
/// settings, in two fifths of the tuning trials.
[[nodiscard]] Study duel_study(const PaperSettings& settings, std::string name, const WorldOptions& options,
                               std::int64_t rounds);

/// How that was done, for a list of settings.
[[nodiscard]] std::string duel_method(const Study& study);

/// Regret of FF-OFUL over that of OFUL, trial by trial.
[[nodiscard]] Estimate duel_ratio(const EntrantResult& marked, const EntrantResult& oful);

/// A chart of such ratios, logarithmic in x, with the level at which both do equally well.
[[nodiscard]] LineChart duel_chart(std::string title, std::string x_label, std::vector<Series> ratios);

/// Of a table of duels: the ridge, both regrets and their ratio.
[[nodiscard]] std::vector<std::string> duel_head();
[[nodiscard]] std::vector<std::string> duel_cells(const EntrantResult& marked, const EntrantResult& oful);

}  // namespace inkling::bench
