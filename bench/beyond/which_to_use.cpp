// which-to-use: all policies side by side, and when to use which.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/beyond/beyond_programme.hpp"
#include "bench/beyond/rivals.hpp"
#include "bench/studies/figure_parts.hpp"

namespace inkling::bench {
namespace {

/// What no number tells.
struct Advice {
  std::string_view preset;
  std::string_view needs;
  std::string_view when;
};

constexpr Advice kAdvice[] = {
    {"soft-marks", "R and S; nothing to tune", "people may mark words, and no guarantee is needed"},
    {"ff-oful", "R and S; nothing to tune",
     "a proof is needed, or a round must take microseconds in a large pool"},
    {kNarrowOful, "R and S; nothing to tune", "nobody marks words, and no guarantee is needed"},
    {"oful", "R, S and a ridge", "nobody marks words, and a guarantee is needed"},
    {"ff-thompson", "R and a ridge", "as ff-oful, when the same model should make varied choices"},
    {"thompson", "R and a ridge", "as oful-narrow, when the same model should make varied choices"},
    {"oful-sketched", "R, S, a ridge and a size", "a matrix of all words or all rounds does not fit"},
    {"oful-projected", "R, S, a ridge and a size", "as oful-sketched, when memory matters more than regret"},
    {"lasso-bandit", "a scale", "R and S are unknown, and nobody marks words"}};

FigureTable advice_table(const Results& results) {
  FigureTable table{
      .line = "Regret and cost of all, and which to use when",
      .head = {"policy", "use it when", "is told", "regret, noise 0.1", "regret, noise 0.5", "µs a round"},
      .rows = {},
      .first_number = 3,
      .view = TableView::open};
  constexpr double micro = 1e6;
  for (const Advice& advice : kAdvice) {
    const EntrantResult& quiet = results.all()[0].of(advice.preset);
    const EntrantResult& noisy = results.all()[1].of(advice.preset);
    const auto rounds = static_cast<double>(noisy.entrant.options.rounds);
    table.rows.push_back({std::string(advice.preset), std::string(advice.when), std::string(advice.needs),
                          estimate_text(quiet.regret()), estimate_text(noisy.regret()),
                          fmt::format("{:.0f}", micro * noisy.decision_seconds().mean / rounds)});
  }
  return table;
}

}  // namespace

Figure which_to_use_figure() {
  constexpr std::int64_t rounds = 2048;
  Figure figure{.name = "which-to-use",
                .title = "Which to use",
                .paper_place = "Beyond the paper: all policies side by side",
                .studies =
                    [](const PaperContext& context) {
                      return studies_at_noises(fewer_trials(context.settings), rounds, all_policies);
                    },
                .tables = {{advice_table}},
                .more_settings = noise_rows};
  for (const double noise : kNoises) {
    const std::string study = noise_name(noise);
    figure.charts.push_back(regret_curves(noise == kNoises[0] ? "" : "noisy",
                                          fmt::format("All policies, noise {}", noise), study));
    figure.tables.push_back(outcomes(study, fmt::format("Noise {}", noise)));
    figure.claims.push_back(unbeaten(
        "which-least-" + study,
        fmt::format("At noise {} no policy was found with clearly less regret than soft marks.", noise),
        study));
  }
  return figure;
}

}  // namespace inkling::bench
