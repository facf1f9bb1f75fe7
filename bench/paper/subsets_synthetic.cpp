#include "bench/paper/figures.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/studies/synthetic_study.hpp"
#include "bench/studies/trial_measures.hpp"
#include "bench/studies/figure_parts.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

constexpr std::int64_t kShort = 256;  // the paper's
constexpr std::int64_t kLong = 4096;
constexpr std::int32_t kRelevant = 10;
constexpr std::int32_t kSizes[] = {2, 4, 6, 8, 10};

std::string subset_name(std::int32_t size) { return fmt::format("{} of {}", size, kRelevant); }

Study study_of(const PaperSettings& settings, std::string name, std::int64_t rounds) {
  Study study = synthetic_study(settings, std::move(name), synthetic_options(settings, kRelevant));
  for (const std::int32_t size : kSizes) {
    Entrant entrant = entrant_of(settings, "oful-subset", rounds, settings.noise);
    entrant.name = subset_name(size);
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

std::vector<Study> studies_of(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  return {study_of(settings, "main", settings.horizon(kShort)),
          study_of(settings, "long", settings.horizon(kLong))};
}

LineChart chart_of(const StudyResult& result) {
  LineChart chart{
      .title = fmt::format("{} rounds", digit_groups(result.entrants.front().entrant.options.rounds)),
      .x_label = "relevant words in use",
      .y_label = "regret",
      .series = {}};
  Series subsets{.name = "oful on so many", .x = {}, .y = {}, .style = SeriesStyle::points};
  for (const std::int32_t size : kSizes) add_point(subsets, size, result.of(subset_name(size)).regret());
  chart.series.push_back(std::move(subsets));
  for (const std::string_view name : {"oful, tuned", "oful, λ = 1"}) {
    Series all{.name = std::string(name) + ", all 40", .x = {}, .y = {}, .style = SeriesStyle::reference};
    add_point(all, 0.0, result.of(name).regret());
    all.x.clear();
    chart.series.push_back(std::move(all));
  }
  return chart;
}

/// The sizes with clearly less regret than tuned OFUL on all words: "4, 6".
std::string winning_sizes(const StudyResult& result) {
  std::string sizes;
  for (const std::int32_t size : kSizes) {
    const Estimate difference =
        paired_difference(result.of(subset_name(size)), result.of("oful, tuned"), final_regret);
    if (clearly_below(difference, 0.0)) sizes += fmt::format("{}{}", sizes.empty() ? "" : ", ", size);
  }
  return sizes;
}

/// The smallest size is what the paper's picture is about: few words are enough.
Claim subset_claim(const StudyResult& result, std::string id, std::string sentence) {
  const EntrantResult& all = result.of("oful, tuned");
  Claim claim{.id = std::move(id), .sentence = std::move(sentence), .verdict = Verdict::fails, .numbers = {}};
  claim.numbers.push_back({"regret of oful on all 40, tuned", all.regret()});
  for (const std::int32_t size : kSizes) {
    const Estimate difference = paired_difference(result.of(subset_name(size)), all, final_regret);
    claim.numbers.push_back({fmt::format("oful on {} words less that", subset_name(size)), difference});
    if (size < kRelevant && clearly_below(difference, 0.0)) claim.verdict = Verdict::holds;
  }
  if (claim.verdict == Verdict::fails) {
    claim.why =
        "No random part of the relevant words has clearly less regret than all 40 words: at this horizon "
        "tuned OFUL has already learned which words do not matter, and a missing word costs regret in every "
        "round.";
  }
  return claim;
}

std::string winners_text(const StudyResult& result) {
  const std::string sizes = winning_sizes(result);
  return fmt::format("with {} of them it has clearly less regret", sizes.empty() ? "no number" : sizes);
}

FigureReport report_of(const PaperContext& context, const std::vector<StudyResult>& results) {
  const StudyResult& early = results[0];
  const StudyResult& late = results[1];
  FigureReport report;
  report.paragraph = fmt::format(
      "Is part of the relevant words better at first than all words? 10 of 40 words matter; in each of {} "
      "trials OFUL gets a random subset of the 10, drawn for the trial. After {} rounds {} than OFUL on all "
      "40 with its best ridge ({}: {}): from {} with 2 words to {} with all 10. After {} rounds {} ({} on "
      "all 40, {} with 2 words, {} with 10).",
      early.study.trials, digit_groups(early.entrants.front().entrant.options.rounds), winners_text(early),
      ridge_text(early.of("oful, tuned").entrant.contestant.ridge),
      estimate_text(early.of("oful, tuned").regret()), estimate_text(early.of(subset_name(2)).regret()),
      estimate_text(early.of(subset_name(kRelevant)).regret()),
      digit_groups(late.entrants.front().entrant.options.rounds), winners_text(late),
      estimate_text(late.of("oful, tuned").regret()), estimate_text(late.of(subset_name(2)).regret()),
      estimate_text(late.of(subset_name(kRelevant)).regret()));
  report.settings = synthetic_settings(context, early, synthetic_options(context.settings, kRelevant));
  report.settings.emplace_back("rounds of the long horizon",
                               digit_groups(late.entrants.front().entrant.options.rounds));
  report.charts.push_back(
      {"", chart_of(early), "Each point is a mean over subsets, one a trial, with its 95 % region."});
  report.charts.push_back({"long", chart_of(late), "The same policies over a longer time."});
  report.tables = {outcome_table(early), outcome_table(late)};
  report.tables.back().line = fmt::format("The long horizon, means over {} trials", late.study.trials);
  report.claims = {
      subset_claim(early, "subset-beats-all-features",
                   "At a short horizon OFUL on a random part of the relevant words has less regret than "
                   "tuned OFUL on all 40.")};
  return report;
}

}  // namespace

Figure subsets_synthetic_figure() {
  return {.name = "subsets-synthetic",
          .title = "Some of the relevant words alone",
          .paper_place = "Better early-regret bounds, (b): feature subsets, synthetic data",
          .studies = studies_of,
          .report = report_of};
}

}  // namespace inkling::bench
