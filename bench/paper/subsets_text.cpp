#include "bench/paper/figures.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/paper/data/newsgroups.hpp"
#include "bench/paper/text_world.hpp"
#include "bench/studies/figure_parts.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

constexpr std::int32_t kFeatures = 498;
constexpr std::int32_t kSizes[] = {5, 10, 15, 20, 25};
constexpr std::string_view kAllTuned = "oful, all words, tuned";
constexpr std::string_view kAll = "oful, all words, ridge 1";

std::string name_of(std::int32_t size) { return fmt::format("subset of {}", size); }

std::vector<Study> studies(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  const SharedReducedPool space = newsgroups_space(context, kFeatures);
  const std::int64_t rounds = settings.horizon(2048);
  Study study{.name = "main",
              .world_settings = text_world_settings(context, "topic", *space),
              .world = [context, space](std::uint64_t trial) { return topic_world(context, space, trial); },
              .features = kFeatures,
              .entrants = {},
              .trials = settings.trials,
              .tuning_trials = settings.tuning_trials};
  for (const std::int32_t size : kSizes) {
    study.entrants.push_back(entrant_of(settings, "oful-subset", rounds, settings.label_noise));
    study.entrants.back().name = name_of(size);
    study.entrants.back().options.subset_size = size;
  }
  Entrant all = entrant_of(settings, "oful", rounds, settings.label_noise);
  all.name = kAll;
  study.entrants.push_back(all);
  all.name = kAllTuned;
  study.entrants.push_back(tuned(std::move(all), settings));
  return {std::move(study)};
}

void add(Series& series, const Estimate& estimate) {
  series.y.push_back(estimate.mean);
  series.low.push_back(estimate.mean - kBand * estimate.standard_error);
  series.high.push_back(estimate.mean + kBand * estimate.standard_error);
}

LineChart chart_of(const StudyResult& result) {
  LineChart chart{.title = "OFUL on random subsets of a topic's words",
                  .x_label = "words in the subset",
                  .y_label = fmt::format("regret after {} rounds",
                                         digit_groups(result.entrants.front().entrant.options.rounds)),
                  .series = {},
                  .y_scale = AxisScale::logarithmic};
  Series subsets{.name = "subsets", .x = {}, .y = {}, .style = SeriesStyle::points};
  for (const std::int32_t size : kSizes) {
    subsets.x.push_back(size);
    add(subsets, result.of(name_of(size)).regret());
  }
  chart.series.push_back(std::move(subsets));
  for (const std::string_view name : {kAll, kAllTuned}) {
    Series reference{.name = std::string(name), .x = {}, .y = {}, .style = SeriesStyle::reference};
    add(reference, result.of(name).regret());
    chart.series.push_back(std::move(reference));
  }
  return chart;
}

/// The subset of most words, and how much it saves against OFUL on all.
Claim claim_of(const StudyResult& result) {
  std::optional<std::int32_t> least;
  std::vector<Measurement> numbers;
  for (const std::int32_t size : kSizes) {
    const Estimate difference =
        paired_difference(result.of(name_of(size)), result.of(kAllTuned), final_regret);
    numbers.push_back({fmt::format("regret with {} words less that of tuned OFUL on all", size), difference});
    if (!least && difference.mean < -kBand * difference.standard_error) least = size;
  }
  Claim claim{.id = "subsets-text-early",
              .sentence =
                  "At a short horizon OFUL on a random subset of the words that matter has less regret than "
                  "tuned OFUL on all words, in real text.",
              .verdict = least ? Verdict::holds : Verdict::fails,
              .numbers = std::move(numbers)};
  if (least && *least != kSizes[0]) claim.why = fmt::format("It takes at least {} words.", *least);
  if (!least)
    claim.why =
        "At this horizon too little of a topic is told by so few of its words; a wanted topic has other "
        "words "
        "in most of its messages, and those messages stay unseen.";
  return claim;
}

FigureReport report_of(const PaperContext& context, const std::vector<StudyResult>& results) {
  const StudyResult& result = results.front();
  FigureReport report;
  report.paragraph = fmt::format(
      "The words that matter are known in part from the start: OFUL is restricted to a random subset of the "
      "wanted "
      "topic's oracle words, another subset and topic in each trial, and compared with OFUL on all {} words. "
      "Regret "
      "after {} rounds: {} with 5 words, {} with 25, {} with all words at ridge 1 and {} at the best ridge, "
      "{}.",
      kFeatures, digit_groups(result.entrants.front().entrant.options.rounds),
      estimate_text(result.of(name_of(5)).regret()), estimate_text(result.of(name_of(25)).regret()),
      estimate_text(result.of(kAll).regret()), estimate_text(result.of(kAllTuned).regret()),
      ridge_text(result.of(kAllTuned).entrant.contestant.ridge));
  report.settings = common_settings(context, result);
  report.settings.emplace_back("the oracle", context.newsgroups->oracle_facts());
  report.settings.emplace_back("of the paper's figure",
                               "d = 498, k = 92, from annotations that are not public");
  report.charts = {
      {"", chart_of(result),
       "Each point is a mean over random subsets of that size with its 95 % region; lines are OFUL on all "
       "words."}};
  report.tables = {outcome_table(result)};
  report.claims = {claim_of(result)};
  return report;
}

}  // namespace

Figure subsets_text_figure() {
  return {"subsets-text",
          "Early regret: subsets of what matters, in real text",
          "Early regret, (c)",
          PaperData::newsgroups,
          studies,
          report_of};
}

}  // namespace inkling::bench
