// stopping: what rules for stopping are worth, in searches of newsgroup messages and of systematic reviews.
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "bench/beyond/beyond_programme.hpp"
#include "bench/beyond/review_results.hpp"
#include "bench/beyond/search_cases.hpp"
#include "bench/beyond/stop_rules.hpp"
#include "bench/paper/data/prepared_pool.hpp"
#include "bench/paper/data/search_pools.hpp"
#include "bench/studies/figure_parts.hpp"
#include "bench/studies/search_measures.hpp"
#include "bench/worlds/screening_world.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/search/events/learning.hpp"

namespace inkling::bench {
namespace {

constexpr double kRecall = 0.95;
constexpr std::int64_t kGuessesEvery = 25;
constexpr std::int64_t kMoreRounds = 400;  // after all was found, so that the guess can fall
constexpr std::string_view kReviews = "systematic reviews";

struct TopicSearches {
  std::string_view study;
  std::string_view name;
  double share;
};
constexpr TopicSearches kTopicSearches[] = {{"topics-5", "newsgroups, 5 % good", 0.05},
                                            {"topics-1", "newsgroups, 1 % good", 0.01}};

// Searches.

Entrant reader(const PaperSettings& settings, std::int64_t documents) {
  Entrant entrant = entrant_of(settings, kDefaultPolicy, documents, settings.label_noise);
  entrant.options.with_replacement = false;
  entrant.end = SearchEnd{.share_found = 1.0, .more_rounds = kMoreRounds};
  entrant.guesses_every = kGuessesEvery;
  return entrant;
}

std::vector<Study> studies_of_topics(const PaperContext& context) {
  constexpr std::int32_t part = 2000;  // documents of a search
  const PaperSettings& settings = context.settings;
  const Pool& pool = context.searches->many_topics();
  const std::vector<std::int32_t> topics = topics_of_pool(pool, settings.seed);
  std::vector<Study> studies;
  for (const TopicSearches& searches : kTopicSearches) {
    const SearchSetting setting = {.largest_share = searches.share, .most_documents = part};
    std::int64_t documents = part;
    for (const std::int32_t topic : topics) {
      const SearchSize size = size_of_search(setting, std::ssize(pool.labels()), std::ranges::count(pool.labels(), topic));
      documents = std::min(documents, size.wanted + size.others - 1);
    }
    Study& study = studies.emplace_back();
    study.name = searches.study;
    study.world_settings = fmt::format("stopping in {} share {} of {} topics {} seed {}", contents_of(pool), searches.share, part,
                                       fmt::join(topics, " "), settings.seed);
    study.world = [&pool, setting, topics, seed = settings.seed](std::uint64_t trial) {
      return make_search_world({pool.view(), pool.labels()}, setting, topics[trial % topics.size()], seed, trial);
    };
    study.features = pool.view().features();
    study.entrants = {reader(settings, documents)};
    study.trials = share_of_trials(settings.trials, settings.effort == PaperEffort::quick ? 0.2 : 0.8);
    study.settings = {{"documents of a search", digit_groups(documents)}, {"topics", digit_groups(std::ssize(topics))}};
  }
  return studies;
}

std::vector<Study> studies_of_reviews(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  std::vector<Study> studies;
  for (const ScreenedReview* review : reviews_of_run(context)) {
    const std::uint64_t seed = settings.seed ^ checksum_of(std::as_bytes(std::span(review->name)));
    const Screening screening{review->pool.view(), relevant_records(review->pool.labels(), review->relevant), {}, nullptr};
    Study& study = studies.emplace_back();
    study.name = review->name;
    study.world_settings = fmt::format("stopping in {} {} seed {}", review->name, contents_of(review->pool), settings.seed);
    study.world = [screening, seed](std::uint64_t trial) { return make_screening_world(screening, seed, trial); };
    study.features = review->pool.view().features();
    study.entrants = {reader(settings, documents_to_show(*review))};
    study.trials = share_of_trials(settings.trials, 0.2);
    study.settings = {{"records", digit_groups(std::ssize(screening.relevant))}};
  }
  return studies;
}

// Rules.

struct StopRuleTried {
  std::string name;
  std::function<Stop(const ReadSearch&, std::uint64_t trial)> stop;
};

std::vector<StopRuleTried> rules_tried(std::uint64_t seed) {
  std::vector<StopRuleTried> rules;
  for (const std::int64_t in_a_row : {50, 100, 200})
    rules.push_back({fmt::format("{} bad ones in a row", in_a_row),
                     [in_a_row](const ReadSearch& search, std::uint64_t) { return stop_without_good(search, in_a_row); }});
  rules.push_back(
      {"the model's guess: 95 % found", [](const ReadSearch& search, std::uint64_t) { return stop_by_guess(search, kRecall); }});
  rules.push_back({"Buscar: 95 % found, 95 % sure",
                   [](const ReadSearch& search, std::uint64_t) { return stop_by_buscar(search, kRecall, 0.95); }});
  rules.push_back({"certain: 50 bad ones, then random draws until 95 % are found, 95 % sure",
                   [seed](const ReadSearch& search, std::uint64_t trial) {
                     RandomStream random(seed, trial, RandomRole::sampling);
                     return stop_by_bound(search, random);
                   }});
  return rules;
}

/// Searches of one kind.
struct KindOfSearch {
  std::string name;
  std::vector<const EntrantResult*> results;
};

std::vector<KindOfSearch> kinds_of(const Results& results) {
  std::vector<KindOfSearch> kinds;
  for (const TopicSearches& searches : kTopicSearches)
    if (results.has(searches.study))
      kinds.push_back({std::string(searches.name), {&results.study(searches.study).of(kDefaultPolicy)}});
  if (!kinds.empty()) return kinds;
  kinds.push_back({std::string(kReviews), {}});
  for (const StudyResult& study : results.all()) kinds.front().results.push_back(&study.of(kDefaultPolicy));
  return kinds;
}

/// How the searches of a kind ended by one rule, a number for each.
struct Endings {
  std::vector<double> found_95;  // 100 or 0
  std::vector<double> found;     // percent of the wanted ones
  std::vector<double> read;      // percent of the documents
  std::vector<double> beyond;    // documents read after 95 % were found, by searches that got there
  std::int64_t not_stopped = 0;
};

Endings endings_of(const KindOfSearch& kind, const StopRuleTried& rule) {
  Endings endings;
  for (const EntrantResult* result : kind.results) {
    for (std::size_t n = 0; n < result->trials.size(); ++n) {
      const TrialResult& trial = result->trials[n];
      const ReadSearch search{*trial.finds, result->entrant.rounds, result->entrant.guesses_every};
      const Stop stop = rule.stop(search, n);
      const auto percent = [](std::int64_t part, std::int64_t whole) {
        return 100.0 * static_cast<double>(part) / static_cast<double>(std::max<std::int64_t>(whole, 1));
      };
      const std::optional<std::int64_t> needed = documents_until(trial, kRecall);
      const auto enough = static_cast<std::int64_t>(std::ceil(kRecall * static_cast<double>(trial.finds->there) - 1e-9));
      const bool reached = stop.found >= enough;
      endings.found_95.push_back(reached ? 100.0 : 0.0);
      endings.found.push_back(percent(stop.found, trial.finds->there));
      endings.read.push_back(percent(stop.read, search.documents));
      if (reached && needed) endings.beyond.push_back(static_cast<double>(std::max<std::int64_t>(0, stop.read - *needed)));
      endings.not_stopped += stop.has_stopped ? 0 : 1;
    }
  }
  return endings;
}

FigureTable rules_table(const Results& results) {
  FigureTable table{
      .line = "How searches end by a rule (means, and the median of documents read after 95 % were found)",
      .head = {"searched", "rule", "searches", "95 % found in %", "found %", "read %", "read beyond", "never stopped"},
      .first_number = 2,
      .view = TableView::open};
  for (const KindOfSearch& kind : kinds_of(results)) {
    for (const StopRuleTried& rule : rules_tried(results.settings().seed)) {
      const Endings endings = endings_of(kind, rule);
      table.rows.push_back(
          {kind.name, rule.name, fmt::format("{}", endings.found.size()),
           fmt::format("{:.0f}", estimate_of(endings.found_95).mean), fmt::format("{:.1f}", estimate_of(endings.found).mean),
           fmt::format("{:.1f}", estimate_of(endings.read).mean),
           endings.beyond.empty() ? "-" : fmt::format("{:.0f}", median(endings.beyond)), fmt::format("{}", endings.not_stopped)});
    }
  }
  return table;
}

// What the guess is worth.

FigureTable guess_table(const Results& results) {
  FigureTable table{.line = "The guess beside the truth, wherever it is known (every 25 documents)",
                    .head = {"searched", "guesses", "left, mean", "guessed, mean", "guessed, median", "left, median",
                             "recall guessed less recall, mean", "distance of both, mean"},
                    .first_number = 1};
  for (const KindOfSearch& kind : kinds_of(results)) {
    std::vector<double> lefts;
    std::vector<double> guesses;
    std::vector<double> biases;
    std::vector<double> distances;
    for (const EntrantResult* result : kind.results) {
      for (const TrialResult& trial : result->trials) {
        std::int64_t read = 0;
        for (const double guess : trial.finds->guesses) {
          read += result->entrant.guesses_every;
          if (guess < 0.0) continue;
          const double found = found_among(trial, read);
          const auto there = static_cast<double>(trial.finds->there);
          lefts.push_back(there - found);
          guesses.push_back(guess);
          biases.push_back(found / std::max(found + guess, 1.0) - found / there);
          distances.push_back(std::fabs(biases.back()));
        }
      }
    }
    if (lefts.empty()) continue;
    table.rows.push_back({kind.name, digit_groups(std::ssize(lefts)), fmt::format("{:.1f}", estimate_of(lefts).mean),
                          fmt::format("{:.1f}", estimate_of(guesses).mean), fmt::format("{:.1f}", median(guesses)),
                          fmt::format("{:.1f}", median(lefts)), fmt::format("{:+.3f}", estimate_of(biases).mean),
                          fmt::format("{:.3f}", estimate_of(distances).mean)});
  }
  return table;
}

/// Found against read, a point for each rule and a line for each kind of search, in the order of the table.
LineChart rules_chart(const Results& results) {
  LineChart chart{.title = "What rules find, and what they cost",
                  .x_label = "documents read, %",
                  .y_label = "searches with 95 % found, %",
                  .x_scale = AxisScale::linear};
  for (const KindOfSearch& kind : kinds_of(results)) {
    Series& series = chart.series.emplace_back(Series{.name = kind.name});
    std::vector<std::pair<double, double>> points;
    for (const StopRuleTried& rule : rules_tried(results.settings().seed)) {
      const Endings endings = endings_of(kind, rule);
      points.emplace_back(estimate_of(endings.read).mean, estimate_of(endings.found_95).mean);
    }
    std::ranges::sort(points);
    for (const auto& [read, found] : points) {
      series.x.push_back(read);
      series.y.push_back(found);
    }
  }
  return chart;
}

Figure figure_of(std::string name, std::string title, std::string place, PaperData needs,
                 std::function<std::vector<Study>(const PaperContext&)> studies) {
  return {.name = std::move(name),
          .title = std::move(title),
          .paper_place = std::move(place),
          .needs = needs,
          .studies = std::move(studies),
          .charts = {{"", rules_chart}},
          .tables = {{rules_table}, {guess_table}}};
}

}  // namespace

Figure stopping_figure() {
  return figure_of("stopping", "When to stop: topics of newsgroup messages", "Beyond the paper: rules for stopping",
                   PaperData::searches, studies_of_topics);
}

Figure stopping_reviews_figure() {
  return figure_of("stopping-reviews", "When to stop: systematic reviews", "Beyond the paper: rules for stopping",
                   PaperData::reviews, studies_of_reviews);
}

}  // namespace inkling::bench
