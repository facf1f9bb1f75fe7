#include "bench/paper/figures.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/studies/synthetic_study.hpp"
#include "bench/studies/trial_measures.hpp"
#include "bench/studies/figure_parts.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

constexpr std::int64_t kRounds = 4096;
constexpr std::int32_t kRelevant = 5;
constexpr std::int32_t kIrrelevant[] = {0, 2, 5, 10, 20, 35};  // k'; with k, the last is all 40 words

WorldOptions noisy_options(const PaperSettings& settings, std::int32_t irrelevant) {
  WorldOptions options = synthetic_options(settings, kRelevant);
  options.feedback = FeedbackKind::noisy;
  options.irrelevant_marks = irrelevant;
  return options;
}

/// OFUL sees no marks: it plays once, for all.
std::vector<Study> studies_of(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  const std::int64_t rounds = settings.horizon(kRounds);
  std::vector<Study> studies;
  for (const std::int32_t irrelevant : kIrrelevant) {
    Study study = synthetic_study(settings, fmt::format("irrelevant-{}", irrelevant),
                                  noisy_options(settings, irrelevant));
    study.entrants = {entrant_of(settings, "ff-oful", rounds, settings.noise),
                      entrant_of(settings, "soft-marks", rounds, settings.noise)};
    if (irrelevant == 0) {
      study.entrants.push_back(tuned(entrant_of(settings, "oful", rounds, settings.noise), settings));
    }
    studies.push_back(std::move(study));
  }
  return studies;
}

/// k + k' of each study.
std::vector<double> marked_words() {
  std::vector<double> words;
  for (const std::int32_t irrelevant : kIrrelevant) words.push_back(kRelevant + irrelevant);
  return words;
}

StraightLine line_of(const std::vector<StudyResult>& results) {
  std::vector<std::vector<double>> by_trial(results.front().entrants.front().trials.size());
  for (const StudyResult& result : results) {
    for (std::size_t trial = 0; trial < by_trial.size(); ++trial) {
      by_trial[trial].push_back(result.of("ff-oful").trials[trial].regret);
    }
  }
  return mean_line(marked_words(), by_trial);
}

LineChart chart_of(const std::vector<StudyResult>& results, const StraightLine& line) {
  Series measured{.name = "ff-oful", .x = {}, .y = {}, .style = SeriesStyle::points};
  Series soft{.name = "soft-marks", .x = {}, .y = {}, .style = SeriesStyle::points};
  Series fitted{.name = "straight line of ff-oful", .x = {}, .y = {}};
  const std::vector<double> words = marked_words();
  for (std::size_t n = 0; n < words.size(); ++n) {
    add_point(measured, words[n], results[n].of("ff-oful").regret());
    add_point(soft, words[n], results[n].of("soft-marks").regret());
    fitted.x.push_back(words[n]);
    fitted.y.push_back(line.level.mean + line.slope.mean * words[n]);
  }
  Series oful{.name = "oful on all words", .x = {}, .y = {}, .style = SeriesStyle::reference};
  add_point(oful, 0.0, results.front().of("oful").regret());
  oful.x.clear();
  return {.title = "Irrelevant words are marked too",
          .x_label = "words that are marked (k + k')",
          .y_label = "regret",
          .series = {std::move(measured), std::move(fitted), std::move(soft), std::move(oful)}};
}

FigureTable table_of(const std::vector<StudyResult>& results) {
  FigureTable table{.line = "FF-OFUL where k' irrelevant words are marked like the 5 relevant ones",
                    .head = {"k'", "regret", "less that of oful", "times that of oful", "words marked",
                             "regret of soft-marks"},
                    .rows = {}};
  const EntrantResult& oful = results.front().of("oful");
  for (std::size_t n = 0; n < results.size(); ++n) {
    const EntrantResult& marked = results[n].of("ff-oful");
    table.rows.push_back({fmt::format("{}", kIrrelevant[n]), estimate_text(marked.regret()),
                          estimate_text(paired_difference(marked, oful, final_regret)),
                          estimate_text(paired_ratio(marked, oful, final_regret)),
                          estimate_text(marked.features_found()),
                          estimate_text(results[n].of("soft-marks").regret())});
  }
  return table;
}

Claim growth_claim(const StraightLine& line) {
  Claim claim{.id = "noisy-marks-grow-with-words",
              .sentence = "Regret grows with k + k', the number of words that are marked.",
              .verdict = clearly_above(line.slope, 0.0) ? Verdict::holds : Verdict::fails,
              .numbers = {{"regret for each marked word", line.slope}, {"regret at k + k' = 0", line.level}}};
  if (claim.verdict == Verdict::fails) {
    claim.why = fmt::format("The slope of the straight line, {}, does not differ clearly from 0.",
                            estimate_text(line.slope));
  }
  return claim;
}

Claim below_oful_claim(const std::vector<StudyResult>& results) {
  const EntrantResult& oful = results.front().of("oful");
  const std::int32_t features = results.front().study.features;
  Claim claim{
      .id = "noisy-marks-below-oful",
      .sentence = "So long as k + k' < d, FF-OFUL's regret stays below that of tuned OFUL on all d words.",
      .verdict = Verdict::holds,
      .numbers = {}};
  std::string not_below;
  for (std::size_t n = 0; n < results.size(); ++n) {
    if (kRelevant + kIrrelevant[n] >= features) continue;
    const Estimate difference = paired_difference(results[n].of("ff-oful"), oful, final_regret);
    claim.numbers.push_back({fmt::format("ff-oful less oful at k' = {}", kIrrelevant[n]), difference});
    if (clearly_below(difference, 0.0)) continue;
    not_below += fmt::format("{}{}", not_below.empty() ? "" : ", ", kIrrelevant[n]);
  }
  if (!not_below.empty()) {
    claim.verdict = Verdict::fails;
    claim.why = fmt::format("Not clearly below at k' = {}; at the others it is.", not_below);
  }
  return claim;
}

FigureReport report_of(const PaperContext& context, const std::vector<StudyResult>& results) {
  const StraightLine line = line_of(results);
  const EntrantResult& oful = results.front().of("oful");
  FigureReport report;
  report.paragraph = fmt::format(
      "What does it cost that people mark words which do not matter? In each of {} trials 5 of 40 words "
      "matter, and k' others, fixed for the trial, are marked with the same probability. After {} rounds "
      "FF-OFUL's regret goes from {} (k' = 0) to {} (k' = {}); a straight line through the means rises by {} "
      "for each marked word. OFUL, which uses all 40 words and no marks, has {} with its best ridge ({}).",
      results.front().study.trials, digit_groups(oful.entrant.options.rounds),
      estimate_text(results.front().of("ff-oful").regret()),
      estimate_text(results.back().of("ff-oful").regret()), kIrrelevant[results.size() - 1],
      estimate_text(line.slope), estimate_text(oful.regret()), ridge_text(oful.entrant.contestant.ridge));
  report.paragraph += soft_marks_text(results.front());
  report.settings =
      synthetic_settings(context, results.front(), synthetic_options(context.settings, kRelevant));
  report.charts.push_back(
      {"", chart_of(results, line), "Each point is a mean over all trials with its 95 % interval."});
  report.tables.push_back(table_of(results));
  report.claims = {growth_claim(line), below_oful_claim(results)};
  return report;
}

}  // namespace

Figure noisy_marks_figure() {
  return {.name = "noisy-marks",
          .title = "Irrelevant words are marked too",
          .paper_place = "Corollary of Theorem 2: k' irrelevant features are marked",
          .studies = studies_of,
          .report = report_of};
}

}  // namespace inkling::bench
