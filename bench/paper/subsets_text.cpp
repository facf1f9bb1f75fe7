// OFUL on some of the words that tell a topic, in real text.
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/paper/data/newsgroups.hpp"
#include "bench/paper/figures.hpp"
#include "bench/paper/text_world.hpp"
#include "bench/studies/figure_parts.hpp"

namespace inkling::bench {
namespace {

constexpr std::int32_t kSubsetTextFeatures = 498;
constexpr std::int32_t kTopicWordCounts[] = {5, 10, 15, 20, 25};

Place all_words_tuned() { return {"main", "oful, all words, tuned"}; }
Place all_words_plain() { return {"main", "oful, all words, ridge 1"}; }
Place on_topic_words(std::int32_t count) { return {"main", fmt::format("subset of {}", count)}; }

std::vector<Study> subsets_text_studies(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  const SharedReducedPool space = newsgroups_space(context, kSubsetTextFeatures);
  const std::int64_t rounds = settings.horizon(2048);
  Study study{
      .name = "main",
      .world_settings = text_world_settings(context, "topic", *space),
      .world = [context, space](std::uint64_t trial) { return topic_world(context, space, trial); },
      .features = kSubsetTextFeatures,
      .entrants = {},
      .trials = settings.trials,
      .tuning_trials = settings.tuning_trials,
      .settings = {{"the oracle", context.newsgroups->oracle_facts()},
                   {"of the paper's figure", "d = 498, k = 92, from annotations that are not public"}}};
  for (const std::int32_t count : kTopicWordCounts) {
    study.entrants.push_back(entrant_of(settings, "oful-subset", rounds, settings.label_noise));
    study.entrants.back().name = on_topic_words(count).entrant;
    study.entrants.back().options.subset_size = count;
  }
  Entrant all = entrant_of(settings, "oful", rounds, settings.label_noise);
  all.name = all_words_plain().entrant;
  study.entrants.push_back(all);
  all.name = all_words_tuned().entrant;
  study.entrants.push_back(tuned(std::move(all), settings));
  return {std::move(study)};
}

ChartRule subsets_text_chart() {
  PlottedNumbers subsets{"subsets", {}, SeriesStyle::points};
  for (const std::int32_t count : kTopicWordCounts)
    subsets.points.emplace_back(count, regret_of(on_topic_words(count)));
  return number_chart(
      "",
      {.title = "OFUL on random subsets of a topic's words",
       .x_label = "words in the subset",
       .y_label = "regret",
       .series = {},
       .y_scale = AxisScale::logarithmic},
      {std::move(subsets),
       {all_words_plain().entrant, {{0.0, regret_of(all_words_plain())}}, SeriesStyle::reference},
       {all_words_tuned().entrant, {{0.0, regret_of(all_words_tuned())}}, SeriesStyle::reference}});
}

Decision some_subset_is_better(const Results& results) {
  Decision decision{Verdict::fails, {}};
  for (const std::int32_t count : kTopicWordCounts) {
    const Estimate difference = regret_difference(on_topic_words(count), all_words_tuned())(results);
    decision.numbers.push_back(
        {fmt::format("regret with {} words minus that of tuned OFUL on all", count), difference});
    if (clearly_below(difference, 0.0)) decision.verdict = Verdict::holds;
  }
  return decision;
}

}  // namespace

Figure subsets_text_figure() {
  return {
      .name = "subsets-text",
      .title = "Early regret: subsets of what matters, in real text",
      .paper_place = "Early regret, (c)",
      .needs = PaperData::newsgroups,
      .studies = subsets_text_studies,
      .charts = {subsets_text_chart()},
      .tables = {outcomes("main")},
      .claims = {{"subsets-text-early", ClaimBy::paper,
                  "At a short horizon OFUL on a random subset of the words that matter has less regret than "
                  "tuned OFUL on all words, in real text, for at least one of the sizes.",
                  some_subset_is_better}}};
}

}  // namespace inkling::bench
