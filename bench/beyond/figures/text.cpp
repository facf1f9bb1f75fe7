#include "bench/beyond/figures/text.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/beyond/rivals.hpp"
#include "bench/paper/data/newsgroups.hpp"
#include "bench/paper/human_worlds.hpp"
#include "bench/studies/synthetic_study.hpp"
#include "bench/paper/text_world.hpp"
#include "bench/studies/figure_parts.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

constexpr double kShareOfNewsgroupsTrials = 0.1;
constexpr double kShareOfReviewTrials = 0.4;
constexpr double kShareOfTuningTrials = 0.3;

std::vector<Study> newsgroups_studies(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  Study study = topic_study_in_full(context, "main");
  study.trials = share_of_trials(settings.trials, kShareOfNewsgroupsTrials);
  study.tuning_trials = 1;
  const std::int64_t rounds =
      std::min<std::int64_t>(settings.horizon(kRoundsWithinTopic), context.newsgroups->view().documents());
  const EntrantMaker maker = [&](std::string_view preset) {
    Entrant entrant = entrant_of(settings, preset, rounds, settings.label_noise);
    entrant.options.with_replacement = false;
    return entrant;
  };
  study.entrants = all_policies(settings, maker, study.features, TuningEffort::coarse);
  study.entrants.push_back(maker("random"));
  return {std::move(study)};
}

std::vector<Study> review_studies(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  Study study = review_study(context);
  study.trials = share_of_trials(settings.trials, kShareOfReviewTrials);
  study.tuning_trials = share_of_trials(settings.tuning_trials, kShareOfTuningTrials);
  study.entrants = all_policies(
      settings, [&](std::string_view preset) { return reader_entrant(context, preset); }, study.features,
      TuningEffort::fine);
  study.entrants.push_back(reader_entrant(context, "random"));
  return {std::move(study)};
}

/// Everybody, best first, with the ratio to soft marks.
std::string order_text(const StudyResult& result) {
  std::vector<const EntrantResult*> order;
  order.reserve(result.entrants.size());
  for (const EntrantResult& entrant : result.entrants) order.push_back(&entrant);
  std::ranges::stable_sort(order, {}, [](const EntrantResult* entrant) { return entrant->regret().mean; });
  std::string text;
  for (const EntrantResult* entrant : order) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", entrant->entrant.name,
                        estimate_text(entrant->regret()));
  }
  return text;
}

std::vector<Claim> claims_of(const StudyResult& result, std::string_view id, std::string_view where) {
  const EntrantResult& soft = result.of("soft-marks");
  std::vector<Claim> claims;
  for (const std::string_view rival :
       {std::string_view("ff-oful"), std::string_view("oful"), kNarrowOful, std::string_view("random")}) {
    claims.push_back(less_regret_claim(fmt::format("{}-soft-marks-beat-{}", id, rival),
                                       fmt::format("Soft marks have less regret than {}{} {}.",
                                                   rival == "oful" ? "tuned " : "", rival, where),
                                       soft, result.of(rival)));
    if (claims.back().verdict == Verdict::holds) continue;
    claims.back().why = fmt::format(
        "The ratio is {}. The rule is not tuned, and takes the told noise at its word; but a label is no "
        "linear function of the words, and what is left over acts as noise.",
        estimate_text(paired_ratio(soft, result.of(rival), final_regret)));
  }
  claims.push_back(unbeaten_claim(fmt::format("{}-soft-marks-unbeaten", id),
                                  fmt::format("No policy has clearly less regret than soft marks {}.", where),
                                  result));
  return claims;
}

FigureReport common_report(const PaperContext& context, const StudyResult& result, std::string_view title) {
  FigureReport report;
  report.settings = common_settings(context, result);
  report.settings.emplace_back("features", digit_groups(result.study.features));
  report.settings.emplace_back("method", tuning_method(result));
  report.charts = {
      {"", regret_chart(result, title), "Regret summed over the rounds; bands are 95 % over trials."}};
  report.tables = {outcome_table(result)};
  return report;
}

FigureReport newsgroups_report(const PaperContext& context, const std::vector<StudyResult>& results) {
  const StudyResult& result = results.front();
  FigureReport report = common_report(context, result, "20 Newsgroups in all words, each message once");
  report.paragraph = fmt::format(
      "One topic of five is wanted, in all {} words, each message shown once and no topic used up; an oracle "
      "marks its words with probability {}. {} trials of {} rounds, and one for each setting of the tuning: "
      "few, because a policy that uses every word takes milliseconds a round. Regret, the least first: {}.",
      digit_groups(result.study.features), context.settings.mark_probability, result.study.trials,
      digit_groups(result.of("oful").entrant.options.rounds), order_text(result));
  report.settings.emplace_back("the oracle", context.newsgroups->oracle_facts());
  report.claims = claims_of(result, "text-newsgroups", "on 20 Newsgroups in all words");
  return report;
}

FigureReport review_report(const PaperContext& context, const std::vector<StudyResult>& results) {
  const StudyResult& result = results.front();
  FigureReport report = common_report(context, result, "Film reviews, what people highlighted is marked");
  report.paragraph = fmt::format(
      "The paper's figure with people's own marks, with everybody: a reader wants good reviews or bad ones, "
      "and what people highlighted in a review is marked. {} features, {} trials of {} rounds. Regret, the "
      "least first: {}.",
      result.study.features, result.study.trials, digit_groups(result.of("oful").entrant.options.rounds),
      order_text(result));
  std::ranges::move(review_settings(context), std::back_inserter(report.settings));
  report.claims = claims_of(result, "text-reviews", "on film reviews with people's highlights");
  return report;
}

}  // namespace

Figure text_newsgroups_figure() {
  return {"text-newsgroups",     "20 Newsgroups in all words", "Beyond the paper: everybody at d = 47,757",
          PaperData::newsgroups, newsgroups_studies,           newsgroups_report};
}

Figure text_reviews_figure() {
  return {"text-reviews",    "People's own marks", "Beyond the paper: everybody on its human feedback",
          PaperData::movies, review_studies,       review_report};
}

}  // namespace inkling::bench
