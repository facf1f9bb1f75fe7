#include "bench/beyond/figures/decision_time.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/beyond/rivals.hpp"
#include "bench/studies/figure_parts.hpp"
#include "bench/worlds/zipf_pool.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

/// A pool, and how many rounds are timed in it.
struct Size {
  std::int32_t documents;
  std::int32_t features;
  double tokens;  ///< of a document, on average
  std::int64_t rounds;
};

constexpr Size kSizes[] = {{4868, 40, 10.0, 2048},     {4868, 1000, 40.0, 2048},
                           {4868, 47'757, 150.0, 512}, {100'000, 40, 10.0, 512},
                           {100'000, 1000, 40.0, 512}, {100'000, 47'757, 150.0, 64}};
constexpr std::int32_t kRelevant = 20;
/// A quick run makes smaller pools do.
constexpr std::int32_t kQuickDocuments = 20'000;

/// The words that matter are common and always marked, so that policies which wait for marks soon have some.
WorldOptions marked_world(const PaperSettings& settings) {
  WorldOptions options;
  options.relevant = kRelevant;
  options.relevant_frequency = {0.02, 1.0};
  options.noise = settings.noise;
  options.norm_bound = settings.norm_bound;
  options.mark_probability = 1.0;
  return options;
}

std::vector<Size> sizes_of(const PaperSettings& settings) {
  std::vector<Size> sizes(std::begin(kSizes), std::end(kSizes));
  if (settings.effort == PaperEffort::quick) {
    for (Size& size : sizes) size.documents = std::min(size.documents, kQuickDocuments);
  }
  return sizes;
}

World zipf_world(const Size& size, const WorldOptions& options, std::uint64_t seed, std::uint64_t trial) {
  ZipfPoolOptions pool;
  pool.documents = size.documents;
  pool.features = size.features;
  pool.mean_tokens = size.tokens;
  pool.seed = seed;
  auto matrix = std::make_shared<const PoolMatrix>(make_zipf_pool(pool));
  World world = make_world(matrix->view(), options, seed, trial);
  world.pool_owner = std::move(matrix);
  return world;
}

/// One candidate of each policy is enough to see what it takes.
std::vector<Entrant> untuned(std::vector<Entrant> entrants) {
  for (Entrant& entrant : entrants) {
    if (entrant.candidates.empty()) continue;
    entrant.contestant = entrant.candidates[entrant.candidates.size() / 2].contestant;
    entrant.candidates.clear();
  }
  return entrants;
}

/// One trial: its policies play one after the other, and each has the machine for itself.
Study study_of(const PaperSettings& settings, const Size& size) {
  const WorldOptions options = marked_world(settings);
  Study study;
  study.name = fmt::format("{}-documents-{}-features", size.documents, size.features);
  study.world_settings = fmt::format("zipf pool of {} tokens, noise {} norm {} seed {}", size.tokens,
                                     options.noise, options.norm_bound, settings.seed);
  study.world = [size, options, seed = settings.seed](std::uint64_t trial) {
    return zipf_world(size, options, seed, trial);
  };
  study.features = size.features;
  study.trials = 1;
  study.entrants =
      untuned(all_policies(settings, entrants_in(settings, options, settings.horizon(size.rounds)),
                           size.features, TuningEffort::coarse));
  return study;
}

std::vector<Study> studies(const PaperContext& context) {
  std::vector<Study> studies;
  for (const Size& size : sizes_of(context.settings)) studies.push_back(study_of(context.settings, size));
  return studies;
}

double micros_of(const EntrantResult& result) {
  constexpr double micro = 1e6;
  return micro * result.decision_seconds() / static_cast<double>(result.entrant.options.rounds);
}

std::string micros_text(double micros) {
  constexpr double few = 10.0;
  return micros < few ? fmt::format("{:.1f}", micros) : digit_groups(std::llround(micros));
}

FigureTable table_of(const PaperSettings& settings, const std::vector<StudyResult>& results) {
  const std::vector<Size> sizes = sizes_of(settings);
  FigureTable table{.line = "Microseconds of choosing and learning a round",
                    .head = {"documents", "features", "rounds"},
                    .rows = {},
                    .first_number = 0,
                    .view = TableView::open};
  for (const EntrantResult& entrant : results[0].entrants) table.head.push_back(entrant.entrant.name);
  for (std::size_t n = 0; n < results.size(); ++n) {
    std::vector<std::string> row = {digit_groups(static_cast<std::uint64_t>(sizes[n].documents)),
                                    digit_groups(static_cast<std::uint64_t>(sizes[n].features)),
                                    digit_groups(results[n].entrants[0].entrant.options.rounds)};
    for (const EntrantResult& entrant : results[n].entrants) row.push_back(micros_text(micros_of(entrant)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// One policy against another in the widest pool of most documents.
Claim faster_claim(const StudyResult& largest, std::string id, std::string sentence, std::string_view fast,
                   std::string_view slow, double factor) {
  const double one = micros_of(largest.of(fast));
  const double other = micros_of(largest.of(slow));
  Claim claim{.id = std::move(id),
              .sentence = std::move(sentence),
              .verdict = one <= factor * other ? Verdict::holds : Verdict::fails,
              .numbers = {{fmt::format("µs of {}", fast), {one, 0.0}},
                          {fmt::format("µs of {}", slow), {other, 0.0}}}};
  if (claim.verdict == Verdict::fails) claim.why = "The table has the times of all, in all pools.";
  return claim;
}

FigureReport report_of(const PaperContext& context, const std::vector<StudyResult>& results) {
  FigureReport report;
  report.paragraph =
      "What a round costs: documents drawn from Zipf's law and weighted by TF-IDF, in pools of two sizes and "
      "three widths; one trial of each policy at one of its settings, alone on the machine, with all of its "
      "threads where the policy knows how to use them. What matters is common words, always marked, so that "
      "FF-OFUL soon has some. The rounds are the first ones: policies that keep a matrix of the played "
      "documents become slower with each. Times are those of this machine, and stand in the table only.";
  report.settings = {{"noise", fmt::format("{}", context.settings.noise)},
                     {"words that matter", fmt::format("{}", kRelevant)},
                     {"trials", "1"},
                     {"seed", fmt::format("{}", context.settings.seed)}};
  report.tables = {table_of(context.settings, results)};
  report.claims = {
      faster_claim(results.back(), "decision-time-ff-oful",
                   "In the largest pool FF-OFUL decides in a tenth of the time of soft marks, or less.",
                   "ff-oful", "soft-marks", 0.1),
      faster_claim(results.back(), "decision-time-soft-marks",
                   "In the largest pool soft marks take at most twice the time of OFUL.", "soft-marks",
                   "oful", 2.0)};
  return report;
}

}  // namespace

Figure decision_time_figure() {
  return {.name = "decision-time",
          .title = "What a decision costs",
          .paper_place = "Beyond the paper: pools like text",
          .studies = studies,
          .report = report_of};
}

}  // namespace inkling::bench
