#include "bench/paper/figures.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/paper/data/movie_reviews.hpp"
#include "bench/paper/data/newsgroups.hpp"
#include "bench/paper/human_worlds.hpp"
#include "bench/studies/figure_parts.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

std::vector<Entrant> policies(const PaperContext& context, const Study& study) {
  std::vector<Entrant> entrants = {tuned(reader_entrant(context, "oful"), context.settings),
                                   reader_entrant(context, "explore-then-commit"),
                                   reader_entrant(context, "ff-oful"), reader_entrant(context, "soft-marks")};
  const std::int64_t half = (entrants[1].options.rounds + 1) / 2;
  entrants[1].options.explore_rounds = human_explore_rounds(context, study.world(0), half);
  return entrants;
}

Study person_study(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  const SharedReducedPool space = person_space(context, kHumanFeatures);
  return {.name = "person",
          .world_settings = text_world_settings(context, "person", *space),
          .world = [context, space](std::uint64_t trial) { return person_world(context, space, trial); },
          .features = space->matrix.view().features(),
          .entrants = {},
          .trials = settings.trials,
          .tuning_trials = settings.tuning_trials};
}

std::vector<Study> human_studies(const PaperContext& context) {
  std::vector<Study> studies = {review_study(context)};
  if (context.newsgroups != nullptr) studies.push_back(person_study(context));
  for (Study& study : studies) study.entrants = policies(context, study);
  return studies;
}

/// Who marks in the newsgroups.
std::string person_name(const PaperContext& context) {
  return context.newsgroups->human().empty() ? "a simulated person" : "people, by the list given";
}

std::string outcome_text(const StudyResult& result) {
  const EntrantResult& oful = result.of("oful");
  return fmt::format(
      "{} for FF-OFUL, {} for OFUL at its best ridge {}, {} for explore-then-commit with T0 = {}, and, not "
      "of the paper, {} for soft marks",
      estimate_text(result.of("ff-oful").regret()), estimate_text(oful.regret()),
      ridge_text(oful.entrant.contestant.ridge), estimate_text(result.of("explore-then-commit").regret()),
      result.of("explore-then-commit").entrant.options.explore_rounds.value_or(0),
      estimate_text(result.of("soft-marks").regret()));
}

void add_person(const PaperContext& context, const StudyResult& result, FigureReport& report) {
  const std::string person = person_name(context);
  report.paragraph += fmt::format(
      " On 20 Newsgroups, where no public list of people's words is known, the same is run with {}: {}.{}",
      person, outcome_text(result),
      context.newsgroups->human().empty() ? " That person marks a topic's oracle words, and all others, as "
                                            "often as the readers of the reviews did."
                                          : "");
  report.charts.push_back({"newsgroups", regret_chart(result, "20 Newsgroups, marks of " + person),
                           "One topic of five wanted, each message shown once; bands are 95 % over trials."});
  report.tables.push_back(outcome_table(result));
  report.tables.back().line = "20 Newsgroups, " + person + ": means over all trials";
  report.claims.push_back(less_regret_claim(
      "human-newsgroups-beats-oful",
      fmt::format("FF-OFUL has less regret than tuned OFUL on 20 Newsgroups with marks of {}.", person),
      result.of("ff-oful"), result.of("oful")));
  if (report.claims.back().verdict == Verdict::fails) {
    report.claims.back().why =
        "As with the reviews: false marks bring in more words than decide, and without noise a tuned ridge "
        "does for "
        "OFUL what marks do for FF-OFUL. The oracle's marks in noisy rewards are in the figure before.";
  }
}

FigureReport human_report(const PaperContext& context, const std::vector<StudyResult>& results) {
  const StudyResult& reviews = results.front();
  FigureReport report;
  report.paragraph = fmt::format(
      "The paper's own annotations of 50 newsgroup messages are not public, so real marks are taken from "
      "film "
      "reviews: a round shows a review, the reward is +1 where it judges the film as the reader of the trial "
      "wants "
      "it (good in some trials, bad in others) and -1 otherwise, and the marks are what people highlighted "
      "in that "
      "very review as the reason. Highlights are phrases, so most marked words do not decide anything. "
      "Regret after "
      "{} rounds, each review shown at most once: {}.",
      digit_groups(reviews.of("oful").entrant.options.rounds), outcome_text(reviews));
  report.settings = common_settings(context, reviews);
  std::ranges::move(review_settings(context), std::back_inserter(report.settings));
  report.charts = {{"", regret_chart(reviews, "Film reviews, what people highlighted is marked"),
                    "Regret summed over the rounds; bands are 95 % over trials. Ratings have no noise, so "
                    "OFUL's trials differ "
                    "only in which judgement is wanted."},
                   {"tuning", tuning_chart(reviews, "OFUL's regret by its ridge, film reviews"),
                    "From trials that do not count above."}};
  report.tables = {outcome_table(reviews)};
  report.claims = {
      less_regret_claim("human-beats-oful",
                        "FF-OFUL has less regret than tuned OFUL with people's own marks (film reviews).",
                        reviews.of("ff-oful"), reviews.of("oful")),
      less_regret_claim(
          "human-beats-explore-then-commit",
          "FF-OFUL has less regret than explore-then-commit with people's own marks (film reviews).",
          reviews.of("ff-oful"), reviews.of("explore-then-commit")),
      ridge_inside_claim("human-ridge-inside", reviews.of("oful"))};
  if (report.claims.front().verdict == Verdict::fails) {
    report.claims.front().why = fmt::format(
        "Highlights are phrases: {} words are marked in a trial, while an oracle needs {} of the {} features "
        "to tell "
        "good from bad. And without noise a tuned ridge does for OFUL what marks do for FF-OFUL, which is "
        "not tuned: "
        "the next figure shows both at every ridge, and that small ridges, where only marks keep a model "
        "small, are "
        "where FF-OFUL is ahead.",
        estimate_text(reviews.of("ff-oful").features_found()), context.movies->oracle().size(),
        kHumanFeatures);
  }
  if (results.size() > 1) add_person(context, results[1], report);
  return report;
}

std::string at_ridge(std::string_view preset, double ridge) {
  return fmt::format("{} at {}", preset, ridge_text(ridge));
}

constexpr std::string_view kCompared[] = {"oful", "ff-oful"};

std::vector<Study> ridge_studies(const PaperContext& context) {
  Study study = review_study(context);
  study.tuning_trials = 0;
  for (const std::string_view preset : kCompared) {
    for (const double ridge : context.settings.ridges()) {
      Entrant entrant = reader_entrant(context, preset);
      entrant.name = at_ridge(preset, ridge);
      entrant.contestant.ridge = ridge;
      study.entrants.push_back(std::move(entrant));
    }
  }
  return {std::move(study)};
}

/// One policy at all ridges.
std::vector<const EntrantResult*> at_all_ridges(const PaperContext& context, const StudyResult& result,
                                                std::string_view preset) {
  std::vector<const EntrantResult*> all;
  for (const double ridge : context.settings.ridges()) all.push_back(&result.of(at_ridge(preset, ridge)));
  return all;
}

LineChart ridge_chart(const PaperContext& context, const StudyResult& result) {
  LineChart chart{.title = "Regret by the ridge, film reviews",
                  .x_label = "ridge (lambda)",
                  .y_label = "regret",
                  .series = {},
                  .x_scale = AxisScale::logarithmic,
                  .points = PointMarks::dots};
  for (const std::string_view preset : kCompared) {
    Series series{.name = std::string(preset), .x = {}, .y = {}};
    for (const EntrantResult* at : at_all_ridges(context, result, preset)) {
      add_point(series, at->entrant.contestant.ridge, at->regret());
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

struct Spread {
  const EntrantResult* best;
  const EntrantResult* worst;

  [[nodiscard]] Estimate regret() const { return paired_difference(*worst, *best, final_regret); }
};

Spread spread_of(const std::vector<const EntrantResult*>& at_ridges) {
  const auto mean = [](const EntrantResult* at) { return at->regret().mean; };
  const auto [best, worst] = std::ranges::minmax_element(at_ridges, {}, mean);
  return {*best, *worst};
}

std::string spread_text(std::string_view name, const Spread& spread) {
  return fmt::format("{} has its least regret, {}, at {} and its largest, {}, at {}", name,
                     estimate_text(spread.best->regret()), ridge_text(spread.best->entrant.contestant.ridge),
                     estimate_text(spread.worst->regret()),
                     ridge_text(spread.worst->entrant.contestant.ridge));
}

Claim spread_claim(std::string id, std::string_view where, const Spread& ours, const Spread& oful) {
  constexpr double quarter = 0.25;
  const double ratio = ours.regret().mean / oful.regret().mean;
  return {.id = std::move(id),
          .sentence =
              fmt::format("Over {} FF-OFUL's regret spreads over at most a quarter of the range over which "
                          "OFUL's does.",
                          where),
          .verdict = ratio <= quarter ? Verdict::holds : Verdict::fails,
          .numbers = {{"range of ff-oful, worst less best", ours.regret()},
                      {"range of oful, worst less best", oful.regret()},
                      {"ratio", {ratio, 0.0}}}};
}

/// Those at ridges up to the one with which FF-OFUL runs everywhere else.
std::vector<const EntrantResult*> up_to_one(std::vector<const EntrantResult*> at_ridges) {
  std::erase_if(at_ridges, [](const EntrantResult* at) { return at->entrant.contestant.ridge > 1.0; });
  return at_ridges;
}

Claim small_ridges_claim(const PaperContext& context, const StudyResult& result) {
  return spread_claim("ridge-sensitivity-spread-up-to-one", "ridges of at most 1",
                      spread_of(up_to_one(at_all_ridges(context, result, "ff-oful"))),
                      spread_of(up_to_one(at_all_ridges(context, result, "oful"))));
}

/// At the least ridge of the grid, where nothing but marks keeps a model small.
Claim smaller_regret_claim(const PaperContext& context, const StudyResult& result) {
  return less_regret_claim("ridge-sensitivity-least-ridge",
                           fmt::format("At the least ridge, {}, FF-OFUL has less regret than OFUL.",
                                       ridge_text(context.settings.ridges().front())),
                           *at_all_ridges(context, result, "ff-oful").front(),
                           *at_all_ridges(context, result, "oful").front());
}

FigureReport ridge_report(const PaperContext& context, const std::vector<StudyResult>& results) {
  const StudyResult& result = results.front();
  const Spread oful = spread_of(at_all_ridges(context, result, "oful"));
  const Spread ours = spread_of(at_all_ridges(context, result, "ff-oful"));
  FigureReport report;
  report.paragraph =
      fmt::format("The film reviews of the figure above, at every ridge of the paper's grid. {}; {}.",
                  spread_text("OFUL", oful), spread_text("FF-OFUL", ours));
  report.settings = common_settings(context, result);
  std::ranges::move(review_settings(context), std::back_inserter(report.settings));
  report.charts = {
      {"", ridge_chart(context, result),
       "Final regret at each ridge: the flatter a line, the less there is to tune. Bands are 95 % over "
       "trials."}};
  report.tables = {outcome_table(result)};
  report.claims = {spread_claim("ridge-sensitivity-spread", "the whole grid of ridges", ours, oful),
                   small_ridges_claim(context, result), smaller_regret_claim(context, result)};
  if (report.claims.front().verdict == Verdict::fails) {
    report.claims.front().why = fmt::format(
        "A heavy ridge drowns what was learned: scores become nearly S times the length of a row. Over all "
        "features "
        "every row is as long, so OFUL is left with what little it learned; over the words found rows differ "
        "in "
        "length, and FF-OFUL shows what holds most of them. Up to its own ridge of 1 the claim is judged "
        "below. "
        "FF-OFUL's worst ridge is {}.",
        ridge_text(ours.worst->entrant.contestant.ridge));
  }
  return report;
}

}  // namespace

Figure human_figure() {
  return {"human",
          "People's own marks, 500 dimensions",
          "Newsgroup dataset with human feedback, (a)",
          PaperData::movies,
          human_studies,
          human_report};
}

Figure ridge_sensitivity_figure() {
  return {"ridge-sensitivity",
          "What the ridge decides",
          "Newsgroup dataset with human feedback, (b)",
          PaperData::movies,
          ridge_studies,
          ridge_report};
}

}  // namespace inkling::bench
