// OFUL on some of the relevant words alone, at a short and at a long horizon.
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/paper/figures.hpp"
#include "bench/studies/figure_parts.hpp"
#include "bench/studies/synthetic_study.hpp"

namespace inkling::bench {
namespace {

constexpr std::int64_t kShortSubsetRounds = 256;  // the paper's
constexpr std::int64_t kLongSubsetRounds = 4096;
constexpr std::int32_t kSubsetRelevant = 10;
constexpr std::int32_t kPartSizes[] = {2, 4, 6, 8, 10};

std::string part_name(std::int32_t size) { return fmt::format("{} of {}", size, kSubsetRelevant); }

Study subsets_study(const PaperSettings& settings, std::string name, std::int64_t rounds) {
  Study study = synthetic_study(settings, std::move(name), synthetic_options(settings, kSubsetRelevant));
  for (const std::int32_t size : kPartSizes) {
    Entrant entrant = entrant_of(settings, "oful-subset", rounds, settings.noise);
    entrant.name = part_name(size);
    entrant.options.subset_size = size;
    study.entrants.push_back(std::move(entrant));
  }
  Entrant plain = entrant_of(settings, "oful", rounds, settings.noise);
  plain.name = "oful, λ = 1";
  Entrant best = tuned(entrant_of(settings, "oful", rounds, settings.noise), settings);
  best.name = "oful, tuned";
  study.entrants.push_back(std::move(plain));
  study.entrants.push_back(std::move(best));
  return study;
}

std::vector<Study> subsets_studies(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  return {subsets_study(settings, "main", settings.horizon(kShortSubsetRounds)),
          subsets_study(settings, "long", settings.horizon(kLongSubsetRounds))};
}

ChartRule subsets_chart(std::string suffix, std::string title, const std::string& study) {
  PlottedNumbers subsets{"oful on this many", {}, SeriesStyle::points};
  for (const std::int32_t size : kPartSizes)
    subsets.points.emplace_back(size, regret_of({study, part_name(size)}));
  return number_chart(
      std::move(suffix),
      {.title = std::move(title), .x_label = "relevant words in use", .y_label = "regret", .series = {}},
      {std::move(subsets),
       {"oful, tuned, all 40", {{0.0, regret_of({study, "oful, tuned"})}}, SeriesStyle::reference},
       {"oful, λ = 1, all 40", {{0.0, regret_of({study, "oful, λ = 1"})}}, SeriesStyle::reference}});
}

/// The smallest sizes are what the paper's picture is about: few words are enough.
Decision some_part_is_better(const Results& results) {
  const StudyResult& result = results.study("main");
  const EntrantResult& all = result.of("oful, tuned");
  Decision decision{Verdict::fails, {{"regret of oful on all 40, tuned", all.regret()}}};
  for (const std::int32_t size : kPartSizes) {
    const Estimate difference = paired_difference(result.of(part_name(size)), all, final_regret);
    decision.numbers.push_back({fmt::format("oful on {} words minus that", part_name(size)), difference});
    if (size < kSubsetRelevant && clearly_below(difference, 0.0)) decision.verdict = Verdict::holds;
  }
  return decision;
}

}  // namespace

Figure subsets_synthetic_figure() {
  return {.name = "subsets-synthetic",
          .title = "Some of the relevant words alone",
          .paper_place = "Better early-regret bounds, (b): feature subsets, synthetic data",
          .studies = subsets_studies,
          .charts = {subsets_chart("", "After few rounds", "main"),
                     subsets_chart("long", "After many rounds", "long")},
          .tables = {outcomes("main"), outcomes("long", "The long horizon")},
          .claims = {{"subset-beats-all-features", ClaimBy::paper,
                      "At a short horizon OFUL on a random part of the relevant words has less regret than "
                      "tuned OFUL on all 40.",
                      some_part_is_better}}};
}

}  // namespace inkling::bench
