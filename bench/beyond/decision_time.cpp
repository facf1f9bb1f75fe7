// decision-time: what a round costs in pools like text.
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "bench/beyond/beyond_programme.hpp"
#include "bench/worlds/synthetic_pool.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

/// A pool, and how many rounds are timed in it.
struct TimedPool {
  std::int32_t documents;
  std::int32_t features;
  double tokens;  ///< of a document, on average
  std::int64_t rounds;
};

/// The words that matter are common and always marked, so that policies which wait for marks soon have some.
WorldOptions marked_world(const PaperSettings& settings) {
  constexpr std::int32_t relevant = 20;
  WorldOptions options;
  options.relevant = relevant;
  options.relevant_frequency = {0.02, 1.0};
  options.noise = settings.noise;
  options.norm_bound = settings.norm_bound;
  options.mark_probability = 1.0;
  return options;
}

/// A quick run uses smaller pools.
std::vector<TimedPool> timed_pools(const PaperSettings& settings) {
  const std::int32_t many = settings.effort == PaperEffort::quick ? 20'000 : 100'000;
  return {{4868, 40, 10.0, 2048}, {4868, 1000, 40.0, 2048}, {4868, 47'757, 150.0, 512},
          {many, 40, 10.0, 512},  {many, 1000, 40.0, 512},  {many, 47'757, 150.0, 64}};
}

/// One candidate of each policy is enough to see what it takes.
std::vector<Entrant> untuned(std::vector<Entrant> entrants) {
  for (Entrant& entrant : entrants) {
    if (entrant.candidates.empty()) continue;
    entrant.play_as(entrant.candidates[entrant.candidates.size() / 2]);
    entrant.candidates.clear();
  }
  return entrants;
}

/// One trial: its policies play one after the other, and each has the machine for itself.
Study timed_study(const PaperSettings& settings, const TimedPool& size) {
  const WorldOptions options = marked_world(settings);
  Study study;
  study.name = fmt::format("{}-documents-{}-features", size.documents, size.features);
  study.world_settings = fmt::format("zipf pool of {} tokens, noise {} norm {} seed {}", size.tokens,
                                     options.noise, options.norm_bound, settings.seed);
  study.world = [size, options, seed = settings.seed](std::uint64_t trial) {
    const ZipfPoolOptions pool{
        .documents = size.documents, .features = size.features, .mean_tokens = size.tokens, .seed = seed};
    auto matrix = std::make_shared<const PoolMatrix>(make_zipf_pool(pool));
    World world = make_world(matrix->view(), options, seed, trial);
    world.pool_owner = std::move(matrix);
    return world;
  };
  study.settings = {{"words that matter", fmt::format("{}", options.relevant)},
                    {"documents", "drawn from Zipf's law, weighted by TF-IDF"}};
  study.features = size.features;
  study.trials = 1;
  study.entrants =
      untuned(all_policies(settings, entrants_in(settings, options, settings.horizon(size.rounds)),
                           size.features, TuningEffort::coarse));
  return study;
}

std::vector<Study> timed_studies(const PaperContext& context) {
  std::vector<Study> studies;
  for (const TimedPool& size : timed_pools(context.settings))
    studies.push_back(timed_study(context.settings, size));
  return studies;
}

double micros_of(const EntrantResult& result) {
  constexpr double micro = 1e6;
  return micro * result.decision_seconds().mean / static_cast<double>(result.entrant.rounds);
}

std::string micros_cell(const EntrantResult& result) {
  constexpr double few = 10.0;
  const double micros = micros_of(result);
  return micros < few ? fmt::format("{:.1f}", micros) : digit_groups(std::llround(micros));
}

FigureTable times_table(const Results& results) {
  std::vector<std::string> labels;
  for (const TimedPool& size : timed_pools(results.settings()))
    labels.push_back(fmt::format("{} documents, {} features, {} rounds", digit_groups(size.documents),
                                 digit_groups(size.features),
                                 digit_groups(results.settings().horizon(size.rounds))));
  FigureTable table =
      table_by_study(results, "Microseconds of choosing and learning a round", "pool", labels, micros_cell);
  table.view = TableView::open;
  return table;
}

/// One policy against another in the pool of most documents and most words.
ClaimRule faster(std::string id, std::string sentence, std::string_view fast, std::string_view slow,
                 double factor) {
  return {std::move(id), ClaimBy::ours, std::move(sentence), [=](const Results& results) {
            const StudyResult& largest = results.all().back();
            const double one = micros_of(largest.of(fast));
            const double other = micros_of(largest.of(slow));
            return Decision{
                one <= factor * other ? Verdict::holds : Verdict::fails,
                {{fmt::format("µs of {}", fast), {one, 0.0}}, {fmt::format("µs of {}", slow), {other, 0.0}}}};
          }};
}

}  // namespace

Figure decision_time_figure() {
  return {
      .name = "decision-time",
      .title = "What a decision costs",
      .paper_place = "Beyond the paper: pools like text",
      .studies = timed_studies,
      .tables = {{times_table}},
      .claims = {faster("decision-time-ff-oful",
                        "In the largest pool FF-OFUL decides in at most a tenth of the time of soft marks.",
                        "ff-oful", "soft-marks", 0.1),
                 faster("decision-time-soft-marks",
                        "In the largest pool soft marks take at most twice the time of OFUL.", "soft-marks",
                        "oful", 2.0)}};
}

}  // namespace inkling::bench
