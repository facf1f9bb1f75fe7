#include "bench/paper/figures.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/paper/data/newsgroups.hpp"
#include "bench/studies/synthetic_study.hpp"
#include "bench/paper/text_world.hpp"
#include "bench/studies/figure_parts.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

constexpr double kShareOfTrials = 0.05;
constexpr double kShareOfTuningTrials = 0.1;
constexpr std::size_t kEveryFourth = 4;

Entrant reader_of(const PaperContext& context, std::string_view preset) {
  const PaperSettings& settings = context.settings;
  const std::int64_t rounds =
      std::min<std::int64_t>(settings.horizon(kRoundsWithinTopic), context.newsgroups->view().documents());
  Entrant entrant = entrant_of(settings, preset, rounds, settings.label_noise);
  entrant.options.with_replacement = false;
  return entrant;
}

std::vector<Study> studies(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  Study study = topic_study_in_full(context, "main");
  study.trials = share_of_trials(settings.trials, kShareOfTrials);
  study.tuning_trials = std::max<std::int64_t>(
      1, static_cast<std::int64_t>(kShareOfTuningTrials * static_cast<double>(settings.tuning_trials)));
  study.entrants = {tuned(reader_of(context, "oful"), some_ridges(settings, kEveryFourth)),
                    reader_of(context, "ff-oful"), reader_of(context, "soft-marks"),
                    reader_of(context, "random")};
  return {std::move(study)};
}

/// All d words need no d x d matrix: so much a trial.
FigureTable time_table(const StudyResult& result) {
  FigureTable table{
      .line = fmt::format("Choosing and learning at d = {}", digit_groups(result.study.features)),
      .head = {"policy", "seconds a trial", "ms a round"},
      .rows = {}};
  for (const EntrantResult& entrant : result.entrants) {
    const double seconds = entrant.decision_seconds();
    const auto rounds = static_cast<double>(entrant.entrant.options.rounds);
    table.rows.push_back({entrant.entrant.name, fmt::format("{:.2f}", seconds),
                          fmt::format("{:.3f}", 1e3 * seconds / rounds)});
  }
  return table;
}

/// The paper's argument for marks is that OFUL cannot be run here. It can.
std::vector<Claim> claims_of(const StudyResult& result) {
  std::vector<Claim> claims = {
      less_regret_claim("full-dimension-beats-oful",
                        "In all dimensions FF-OFUL has less regret than tuned OFUL, which the paper could "
                        "not run there.",
                        result.of("ff-oful"), result.of("oful")),
      less_regret_claim("full-dimension-oful-beats-random",
                        "In all dimensions tuned OFUL has less regret than random plays.", result.of("oful"),
                        result.of("random"))};
  const std::string few =
      fmt::format("{} trials are few, and OFUL's ridge was tuned in {}: {} against {}.", result.study.trials,
                  result.study.tuning_trials, estimate_text(claims[0].numbers[0].value),
                  estimate_text(claims[0].numbers[1].value));
  for (Claim& claim : claims) {
    if (claim.verdict != Verdict::holds) claim.why = few;
  }
  if (claims[0].verdict != Verdict::holds) {
    claims[0].why +=
        " Labels have no noise, and every message holds many words that tell its topic: OFUL uses them all "
        "from the first message on, while FF-OFUL waits for marks.";
  }
  return claims;
}

FigureReport report_of(const PaperContext& context, const std::vector<StudyResult>& results) {
  const StudyResult& result = results.front();
  const EntrantResult& oful = result.of("oful");
  FigureReport report;
  report.paragraph = fmt::format(
      "OFUL on all {} words is the baseline that the paper calls infeasible, for the matrix of words by "
      "words. Through the messages that were played it needs none. {} trials of {} rounds, few because of "
      "what OFUL takes (in the table below). One topic is wanted, and each message is shown once; no "
      "topic is used up in so many rounds. Regret: {} for OFUL at its best ridge of {} ({}), {} for FF-OFUL "
      "with ridge 1, {} for random plays.{}",
      digit_groups(result.study.features), result.study.trials, digit_groups(oful.entrant.options.rounds),
      estimate_text(oful.regret()), oful.entrant.candidates.size(), setting_text(oful),
      estimate_text(result.of("ff-oful").regret()), estimate_text(result.of("random").regret()),
      soft_marks_text(result));
  report.settings = common_settings(context, result);
  report.settings.emplace_back("the oracle", context.newsgroups->oracle_facts());
  report.settings.emplace_back("p, with which such a word of a shown message is marked",
                               fmt::format("{}", context.settings.mark_probability));
  report.charts = {
      {"", regret_chart(result, "20 Newsgroups in all dimensions, each message once"),
       "Regret summed over the rounds; bands are 95 % over trials."},
      {"tuning", tuning_chart(result, "OFUL's regret by its ridge"), "From trials that do not count above."}};
  report.tables = {time_table(result), outcome_table(result)};
  report.claims = claims_of(result);
  return report;
}

}  // namespace

Figure full_dimension_oful_figure() {
  return {"full-dimension-oful",
          "OFUL in all dimensions",
          "Newsgroup dataset with human feedback, (c): what the paper calls infeasible",
          PaperData::newsgroups,
          studies,
          report_of};
}

}  // namespace inkling::bench
