#include "bench/beyond/figures/soft_marks.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/beyond/rivals.hpp"
#include "bench/studies/synthetic_study.hpp"
#include "bench/studies/figure_parts.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

constexpr std::int64_t kRounds = 2048;

/// One of the worlds that the claims are about.
struct Case {
  std::string_view name;
  std::string_view words;  ///< for a sentence
  double noise;
  std::int32_t relevant;
  std::int32_t irrelevant_marks;
};

constexpr Case kCases[] = {{"quiet", "5 of 40 words matter, noise 0.1", 0.1, 5, 0},
                           {"noisy", "5 of 40 words matter, noise 0.5", 0.5, 5, 0},
                           {"quiet-dense", "all 40 words matter, noise 0.1", 0.1, 40, 0},
                           {"noisy-dense", "all 40 words matter, noise 0.5", 0.5, 40, 0},
                           {"quiet-irrelevant", "10 irrelevant words are marked too, noise 0.1", 0.1, 5, 10},
                           {"noisy-irrelevant", "10 irrelevant words are marked too, noise 0.5", 0.5, 5, 10}};

WorldOptions options_of(const PaperSettings& settings, const Case& of) {
  WorldOptions options = synthetic_options(settings, of.relevant);
  options.noise = of.noise;
  options.feedback = FeedbackKind::noisy;
  options.irrelevant_marks = of.irrelevant_marks;
  return options;
}

std::vector<Study> studies(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  std::vector<Study> studies;
  for (const Case& of : kCases) {
    const WorldOptions options = options_of(settings, of);
    Study study = synthetic_study(settings, std::string(of.name), options);
    const EntrantMaker maker = entrants_in(settings, options, settings.horizon(kRounds));
    study.entrants = main_policies(settings, maker, options.pool.features, TuningEffort::fine);
    studies.push_back(std::move(study));
  }
  return studies;
}

Claim at_most(std::string id, const StudyResult& result, const Case& of, std::string_view rival,
              double factor) {
  const EntrantResult& soft = result.of("soft-marks");
  const EntrantResult& other = result.of(rival);
  Claim claim =
      within_factor_claim(std::move(id),
                          fmt::format("Where {}, soft marks have at most {} times the regret of {}{}.",
                                      of.words, factor, rival == "oful" ? "the best " : "", rival),
                          soft, other, factor);
  if (claim.verdict == Verdict::fails) {
    claim.why = fmt::format("The ratio is {}.", estimate_text(paired_ratio(soft, other, final_regret)));
  }
  return claim;
}

Claim no_worse_than_oful(std::string id, const StudyResult& result, const Case& of) {
  const EntrantResult& soft = result.of("soft-marks");
  const EntrantResult& oful = result.of("oful");
  Claim claim = no_worse_claim(std::move(id),
                               fmt::format("Where {}, soft marks are no worse than the best oful.", of.words),
                               soft, oful);
  if (claim.verdict == Verdict::fails) {
    claim.why = fmt::format("The ratio is {}.", estimate_text(paired_ratio(soft, oful, final_regret)));
  }
  return claim;
}

FigureTable table_of(const std::vector<StudyResult>& results) {
  FigureTable table{.line = "Regret in each of these worlds, and the ratios trial by trial",
                    .head = {"world", "ff-oful", "oful", "its ridge", "oful-narrow", "soft-marks",
                             "over ff-oful", "over oful", "over oful-narrow", "ms of soft-marks' decisions"},
                    .rows = {},
                    .first_number = 1,
                    .view = TableView::open};
  for (std::size_t n = 0; n < results.size(); ++n) {
    const EntrantResult& marked = results[n].of("ff-oful");
    const EntrantResult& oful = results[n].of("oful");
    const EntrantResult& narrow = results[n].of(kNarrowOful);
    const EntrantResult& soft = results[n].of("soft-marks");
    table.rows.push_back({std::string(kCases[n].words), estimate_text(marked.regret()),
                          estimate_text(oful.regret()), setting_text(oful), estimate_text(narrow.regret()),
                          estimate_text(soft.regret()),
                          estimate_text(paired_ratio(soft, marked, final_regret)),
                          estimate_text(paired_ratio(soft, oful, final_regret)),
                          estimate_text(paired_ratio(soft, narrow, final_regret)),
                          fmt::format("{:.1f}", 1e3 * soft.decision_seconds())});
  }
  return table;
}

FigureReport report_of(const PaperContext& context, const std::vector<StudyResult>& results) {
  const StudyResult& quiet = results[0];
  const StudyResult& noisy = results[1];
  FigureReport report;
  report.paragraph = fmt::format(
      "Soft marks are optimism on all words with a prior that marks and silence persuade, and a width factor "
      "of R sqrt(ln(t + 2)) in place of the ellipsoid's radius; nothing is tuned, and no round is random on "
      "purpose. After {} rounds, means of {} trials: at noise 0.1 their regret is {}, FF-OFUL's {} and that "
      "of OFUL at its best ridge {}; at noise 0.5 it is {}, {} and {}. Much of that is the narrower radius "
      "and not the marks: OFUL with the same radius and ridge, and no marks (“{}”), has {} and {}. The "
      "figure “how-the-rule-was-found” takes the rule apart.",
      digit_groups(quiet.of("oful").entrant.options.rounds), quiet.study.trials,
      estimate_text(quiet.of("soft-marks").regret()), estimate_text(quiet.of("ff-oful").regret()),
      estimate_text(quiet.of("oful").regret()), estimate_text(noisy.of("soft-marks").regret()),
      estimate_text(noisy.of("ff-oful").regret()), estimate_text(noisy.of("oful").regret()), kNarrowOful,
      estimate_text(quiet.of(kNarrowOful).regret()), estimate_text(noisy.of(kNarrowOful).regret()));
  report.settings = synthetic_settings(context, quiet, options_of(context.settings, kCases[0]));
  report.settings.emplace_back("the others differ in", "noise, k and k', as their names say");
  report.charts = {{"", regret_chart(quiet, "5 of 40 words matter, noise 0.1"),
                    "Regret summed over the rounds; bands are 95 % over trials."},
                   {"noisy", regret_chart(noisy, "5 of 40 words matter, noise 0.5"), "The same, noisier."}};
  report.tables = {table_of(results)};
  report.claims = {at_most("soft-marks-quiet-ff-oful", results[0], kCases[0], "ff-oful", 0.35),
                   at_most("soft-marks-quiet-oful", results[0], kCases[0], "oful", 0.35),
                   at_most("soft-marks-noisy-ff-oful", results[1], kCases[1], "ff-oful", 0.75),
                   at_most("soft-marks-noisy-oful", results[1], kCases[1], "oful", 0.35),
                   at_most("soft-marks-quiet-narrow", results[0], kCases[0], kNarrowOful, 0.9),
                   at_most("soft-marks-noisy-narrow", results[1], kCases[1], kNarrowOful, 0.75),
                   no_worse_than_oful("soft-marks-quiet-dense", results[2], kCases[2]),
                   no_worse_than_oful("soft-marks-noisy-dense", results[3], kCases[3]),
                   at_most("soft-marks-quiet-irrelevant", results[4], kCases[4], "ff-oful", 0.75),
                   at_most("soft-marks-noisy-irrelevant", results[5], kCases[5], "ff-oful", 0.75)};
  return report;
}

}  // namespace

Figure soft_marks_figure() {
  return {.name = "soft-marks",
          .title = "Marks that persuade",
          .paper_place = "Beyond the paper: its synthetic worlds",
          .studies = studies,
          .report = report_of};
}

}  // namespace inkling::bench
