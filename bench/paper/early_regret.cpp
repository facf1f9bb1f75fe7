// Early regret of policies that use a part of the relevant features: on the unit sphere, relative to pure exploration; and with a
// part of the relevant words, in synthetic worlds and in real text.
#include <cmath>

#include <fmt/format.h>

#include "bench/paper/data/newsgroups.hpp"
#include "bench/paper/figures.hpp"
#include "bench/paper/text_world.hpp"
#include "bench/studies/figure_parts.hpp"
#include "bench/studies/study.hpp"

namespace inkling::bench {
namespace {

constexpr std::int64_t kSphereRounds = 1024;
constexpr std::int32_t kSphereRelevant = 5;
constexpr std::int32_t kSubsetsOfRelevant[] = {1, 2, 3, 4, 5};

Place on_subset(std::int32_t size) { return {"main", fmt::format("oful on {} of {}", size, kSphereRelevant)}; }

std::vector<Study> sphere_studies(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  const std::int64_t rounds = settings.horizon(kSphereRounds);
  WorldOptions options = synthetic_options(settings, kSphereRelevant);
  options.pool.rows = SyntheticRows::sphere;
  Study study = synthetic_study(settings, "main", options);
  Entrant committed = entrant_of(settings, "explore-then-commit", rounds, settings.noise);
  committed.explore_rounds = std::llround(std::sqrt(static_cast<double>(rounds)));
  study.entrants = {entrant_of(settings, "random", rounds, settings.noise), std::move(committed)};
  for (const std::int32_t size : kSubsetsOfRelevant) {
    Entrant entrant = entrant_of(settings, "oful-subset", rounds, settings.noise);
    entrant.name = on_subset(size).entrant;
    entrant.subset_size = size;
    study.entrants.push_back(std::move(entrant));
  }
  return {std::move(study)};
}

/// Regret of a round in the second half, when a policy on few features has nothing left to learn, over that of pure exploration.
Number slope_against_random(std::int32_t size) {
  return [size](const Results& results) {
    const EntrantResult& entrant = results.at(on_subset(size));
    const std::int64_t rounds = entrant.entrant.rounds;
    return paired_ratio(entrant, results.at({"main", "random"}), [rounds](const TrialResult& trial) {
      return trial.regret - regret_until(trial, rounds, 0.5 * static_cast<double>(rounds));
    });
  };
}

/// By how much the paper's bound on the slope is smaller where j of k features are used.
double factor_of_paper(std::int32_t size) { return std::sqrt(static_cast<double>(kSphereRelevant - size) / kSphereRelevant); }

/// What the slope would be if the best reward that a policy can reach were in proportion to the length of the
/// part of theta* that it knows: that part has a mean square of j/k.
double factor_by_length(std::int32_t size) { return 1.0 - std::sqrt(static_cast<double>(size) / kSphereRelevant); }

ChartRule slope_chart() {
  PlottedNumbers measured{"measured", {}, SeriesStyle::points};
  Series paper{.name = "√((k − j)/k), the paper's"};
  Series length{.name = "1 − √(j/k)"};
  for (const std::int32_t size : kSubsetsOfRelevant) measured.points.emplace_back(size, slope_against_random(size));
  for (std::int32_t size = 0; size <= kSphereRelevant; ++size) {
    for (Series* series : {&paper, &length}) series->x.push_back(size);
    paper.y.push_back(factor_of_paper(size));
    length.y.push_back(factor_by_length(size));
  }
  return number_chart("slopes",
                      {.title = "Regret a round on part of what matters",
                       .x_label = "relevant features in use (j)",
                       .y_label = "times that of pure exploration",
                       .series = {std::move(paper), std::move(length)}},
                      {std::move(measured)});
}

TableRule slope_table() {
  std::vector<NumberRow> rows;
  for (const std::int32_t size : kSubsetsOfRelevant) {
    rows.push_back({fmt::format("{} of {}", size, kSphereRelevant),
                    {slope_against_random(size), constant(factor_of_paper(size)), constant(factor_by_length(size))}});
  }
  return number_table("Regret a round in the second half, relative to pure exploration",
                      {"features in use", "measured", "√((k − j)/k)", "1 − √(j/k)"}, std::move(rows));
}

std::vector<BoundedNumber> slopes_below(double (*bound)(std::int32_t), std::int32_t largest) {
  std::vector<BoundedNumber> slopes;
  for (std::int32_t size = 1; size <= largest; ++size) {
    slopes.push_back({fmt::format("slope with {} of {}, to be below {:.3f}", size, kSphereRelevant, bound(size)),
                      slope_against_random(size), bound(size)});
  }
  return slopes;
}

// Some of the relevant words alone.

constexpr std::int64_t kShortSubsetRounds = 256;  // the paper's
constexpr std::int64_t kLongSubsetRounds = 4096;
constexpr std::int32_t kSubsetRelevant = 10;
constexpr std::int32_t kSubsetTextFeatures = 498;

/// OFUL on random subsets of these sizes, beside OFUL on all words.
struct SubsetPlayers {
  std::vector<std::int32_t> sizes;
  std::string_view subset;  ///< the name of an entrant, with "{}" for its size
  std::string_view plain;   ///< of OFUL on all words with ridge 1
  std::string_view tuned;   ///< of tuned OFUL

  [[nodiscard]] std::string name(std::int32_t size) const { return fmt::format(fmt::runtime(subset), size); }
};

const SubsetPlayers kInSynthetic = {{2, 4, 6, 8, 10}, "{} of 10", "oful, λ = 1", "oful, tuned"};
const SubsetPlayers kInText = {{5, 10, 15, 20, 25}, "subset of {}", "oful, all words, ridge 1", "oful, all words, tuned"};

std::vector<Entrant> subset_entrants(const PaperSettings& settings, const SubsetPlayers& players, std::int64_t rounds,
                                     double noise) {
  std::vector<Entrant> entrants;
  for (const std::int32_t size : players.sizes) {
    Entrant& entrant = entrants.emplace_back(entrant_of(settings, "oful-subset", rounds, noise));
    entrant.name = players.name(size);
    entrant.subset_size = size;
  }
  entrants.push_back(entrant_of(settings, "oful", rounds, noise));
  entrants.back().name = players.plain;
  entrants.push_back(tuned(entrant_of(settings, "oful", rounds, noise), settings.ridges()));
  entrants.back().name = players.tuned;
  return entrants;
}

std::vector<Study> subsets_studies(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  const WorldOptions options = synthetic_options(settings, kSubsetRelevant);
  std::vector<Study> studies = {synthetic_study(settings, "main", options), synthetic_study(settings, "long", options)};
  studies[0].entrants = subset_entrants(settings, kInSynthetic, settings.horizon(kShortSubsetRounds), settings.noise);
  studies[1].entrants = subset_entrants(settings, kInSynthetic, settings.horizon(kLongSubsetRounds), settings.noise);
  return studies;
}

std::vector<Study> subsets_text_studies(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  Study study = topic_study(context, "main", newsgroups_space(context, kSubsetTextFeatures));
  study.tuning_trials = settings.tuning_trials;
  study.settings = {{"the oracle", context.newsgroups->oracle.facts},
                    {"of the paper's figure", "d = 498, k = 92, from annotations that are not public"}};
  study.entrants = subset_entrants(settings, kInText, settings.horizon(2048), settings.label_noise);
  return {std::move(study)};
}

PlottedNumbers by_size(std::string name, const std::string& study, const SubsetPlayers& players) {
  PlottedNumbers line{std::move(name), {}, SeriesStyle::points};
  for (const std::int32_t size : players.sizes) line.points.emplace_back(size, regret_of({study, players.name(size)}));
  return line;
}

PlottedNumbers level_of(std::string name, const std::string& study, std::string_view entrant) {
  return {std::move(name), {{0.0, regret_of({study, std::string(entrant)})}}, SeriesStyle::reference};
}

ChartRule synthetic_chart(std::string suffix, std::string title, const std::string& study) {
  return number_chart(
      std::move(suffix), {.title = std::move(title), .x_label = "relevant words in use", .y_label = "regret"},
      {by_size("oful on this many", study, kInSynthetic), level_of("oful, tuned, all 40", study, kInSynthetic.tuned),
       level_of("oful, λ = 1, all 40", study, kInSynthetic.plain)});
}

ChartRule text_chart() {
  return number_chart("",
                      {.title = "OFUL on random subsets of a topic's words",
                       .x_label = "words in the subset",
                       .y_label = "regret",
                       .y_scale = AxisScale::logarithmic},
                      {by_size("subsets", "main", kInText), level_of(std::string(kInText.plain), "main", kInText.plain),
                       level_of(std::string(kInText.tuned), "main", kInText.tuned)});
}

/// Adds, under this name, each size's difference to tuned OFUL on all words. Holds if a size of at most `most` words is clearly
/// better.
Decision some_subset_is_better(const Results& results, const SubsetPlayers& players, std::int32_t most,
                               std::string_view difference_name, Decision decision) {
  const EntrantResult& all = results.at({"main", std::string(players.tuned)});
  for (const std::int32_t size : players.sizes) {
    const EntrantResult& subset = results.at({"main", players.name(size)});
    const Estimate difference = paired_difference(subset, all, final_regret);
    decision.numbers.push_back({fmt::format(fmt::runtime(difference_name), size), difference});
    if (size <= most && clearly_below(difference, 0.0)) decision.verdict = Verdict::holds;
  }
  return decision;
}

Decision some_part_is_better(const Results& results) {
  const Estimate all = results.at({"main", std::string(kInSynthetic.tuned)}).regret();
  return some_subset_is_better(results, kInSynthetic, kSubsetRelevant - 1, "oful on {} of 10 words minus that",
                               {Verdict::fails, {{"regret of oful on all 40, tuned", all}}});
}

Decision some_topic_words_are_better(const Results& results) {
  return some_subset_is_better(results, kInText, kInText.sizes.back(), "regret with {} words minus that of tuned OFUL on all",
                               {Verdict::fails, {}});
}

}  // namespace

Figure pure_exploration_figure() {
  return {.name = "pure-exploration",
          .title = "Early regret: part of what matters",
          .paper_place = "Better early-regret bounds, (a): pure exploration versus explore-then-commit",
          .studies = sphere_studies,
          .charts = {regret_curves("", "Early regret on the unit sphere", "main"), slope_chart()},
          .tables = {slope_table(), outcomes("main")},
          .claims = {less_regret("commit-beats-pure-exploration", ClaimBy::paper,
                                 "Explore-then-commit with T0 about √T has less regret than pure exploration.",
                                 {"main", "explore-then-commit"}, {"main", "random"}),
                     all_below("subset-slope-below-pure-exploration", ClaimBy::paper,
                               "OFUL on any number of the relevant features has less regret a round than pure "
                               "exploration.",
                               slopes_below([](std::int32_t) { return 1.0; }, kSphereRelevant)),
                     all_below("subset-slope-within-factor", ClaimBy::paper,
                               "OFUL on j of the k relevant features has less than √((k − j)/k) times pure "
                               "exploration's regret a round.",
                               slopes_below(factor_of_paper, kSphereRelevant - 1))},
          .facts = {{"T0", [](const Results& results) {
                       const EntrantResult& committed = results.at({"main", "explore-then-commit"});
                       return Estimate{static_cast<double>(*committed.entrant.explore_rounds), 0.0};
                     }}}};
}

Figure subsets_synthetic_figure() {
  return {.name = "subsets-synthetic",
          .title = "Some of the relevant words alone",
          .paper_place = "Better early-regret bounds, (b): feature subsets, synthetic data",
          .studies = subsets_studies,
          .charts = {synthetic_chart("", "After few rounds", "main"), synthetic_chart("long", "After many rounds", "long")},
          .tables = {outcomes("main"), outcomes("long", "The long horizon")},
          .claims = {{"subset-beats-all-features", ClaimBy::paper,
                      "At a short horizon OFUL on a random part of the relevant words has less regret than "
                      "tuned OFUL on all 40.",
                      some_part_is_better}}};
}

Figure subsets_text_figure() {
  return {.name = "subsets-text",
          .title = "Early regret: subsets of what matters, in real text",
          .paper_place = "Early regret, (c)",
          .needs = PaperData::newsgroups,
          .studies = subsets_text_studies,
          .charts = {text_chart()},
          .tables = {outcomes("main")},
          .claims = {{"subsets-text-early", ClaimBy::paper,
                      "At a short horizon OFUL on a random subset of the words that matter has less regret than "
                      "tuned OFUL on all words, in real text, for at least one of the sizes.",
                      some_topic_words_are_better}}};
}

}  // namespace inkling::bench
