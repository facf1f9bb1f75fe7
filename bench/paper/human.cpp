// People's own marks: FF-OFUL, OFUL and others on film reviews, and what the ridge decides there.
#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "bench/paper/data/movie_reviews.hpp"
#include "bench/paper/data/newsgroups.hpp"
#include "bench/paper/figures.hpp"
#include "bench/paper/text_world.hpp"
#include "bench/studies/figure_parts.hpp"

namespace inkling::bench {
namespace {

Study person_study(const PaperContext& context) {
  const SharedReducedPool space = person_space(context, kHumanFeatures);
  Study study = text_study(context, "person", "person", space, std::bind_front(person_world, context, space));
  study.tuning_trials = context.settings.tuning_trials;
  study.settings = {{"who marks", context.newsgroups->human.empty() ? "a simulated person" : "people, by the list given"}};
  return study;
}

/// The fewest random rounds after which, with probability 0.95, a person has marked all deciding words; at most `most`. The
/// person marks such words as often as the readers of the reviews did.
std::int64_t human_explore_rounds(const PaperContext& context, const World& world, std::int64_t most) {
  const World asked{world.pool, world.rewards, MarkModel(world.pool.features(), world.relevant, {context.movies->rates.deciding}),
                    world.relevant, nullptr};
  return rounds_to_find_all(asked, most);
}

std::vector<Study> human_studies(const PaperContext& context) {
  std::vector<Study> studies = {review_study(context)};
  if (context.newsgroups != nullptr) studies.push_back(person_study(context));
  for (Study& study : studies) {
    study.entrants = {reader_entrant(context, "ff-oful"), tuned(reader_entrant(context, "oful"), context.settings.ridges()),
                      reader_entrant(context, "explore-then-commit"), reader_entrant(context, "soft-marks")};
    Entrant& committed = study.entrants[2];
    committed.explore_rounds = human_explore_rounds(context, study.world(0), (committed.rounds + 1) / 2);
  }
  return studies;
}

/// Leaves the rule out if there are no newsgroups.
template <typename Rule>
Rule only_with_person(Rule rule) {
  rule.only_with = "person";
  return rule;
}

// What the ridge decides.

constexpr std::string_view kAtEveryRidge[] = {"oful", "ff-oful"};

Place at_ridge(std::string_view preset, double ridge) { return {"reviews", fmt::format("{} at {}", preset, ridge_text(ridge))}; }

std::vector<Study> ridge_studies(const PaperContext& context) {
  Study study = review_study(context);
  study.tuning_trials = 0;
  for (const std::string_view preset : kAtEveryRidge) {
    for (const double ridge : context.settings.ridges()) {
      Entrant entrant = reader_entrant(context, preset);
      entrant.name = at_ridge(preset, ridge).entrant;
      entrant.options.ridge = ridge;
      study.entrants.push_back(std::move(entrant));
    }
  }
  return {std::move(study)};
}

LineChart ridge_chart(const Results& results) {
  LineChart chart{.title = "Regret by the ridge, film reviews",
                  .x_label = "ridge (lambda)",
                  .y_label = "regret",
                  .x_scale = AxisScale::logarithmic,
                  .points = PointMarks::dots};
  for (const std::string_view preset : kAtEveryRidge) {
    Series& series = chart.series.emplace_back(Series{.name = std::string(preset)});
    for (const double ridge : results.settings().ridges()) add_point(series, ridge, results.at(at_ridge(preset, ridge)).regret());
  }
  return chart;
}

/// One policy at the ridges where it has the least and the largest regret.
struct RidgeRange {
  const EntrantResult* best;
  const EntrantResult* worst;

  [[nodiscard]] Estimate regret() const { return paired_difference(*worst, *best, final_regret); }
};

/// The range over all ridges up to this one.
RidgeRange range_up_to(const Results& results, std::string_view preset, double most) {
  std::vector<const EntrantResult*> entrants;
  for (const double ridge : results.settings().ridges())
    if (ridge <= most) entrants.push_back(&results.at(at_ridge(preset, ridge)));
  const auto [best, worst] =
      std::ranges::minmax_element(entrants, {}, [](const EntrantResult* entrant) { return entrant->regret().mean; });
  return {*best, *worst};
}

/// At most a quarter of the range counts as flatter: a difference that one sees at a glance.
ClaimRule flatter_claim(std::string id, std::string_view where, double most_ridge) {
  constexpr double quarter = 0.25;
  return {
      std::move(id), ClaimBy::paper, fmt::format("Over {} FF-OFUL's regret varies at most a quarter as much as OFUL's.", where),
      [most_ridge](const Results& results) {
        const Estimate ours = range_up_to(results, "ff-oful", most_ridge).regret();
        const Estimate oful = range_up_to(results, "oful", most_ridge).regret();
        const double ratio = ours.mean / oful.mean;
        return Decision{
            ratio <= quarter ? Verdict::holds : Verdict::fails,
            {{"range of ff-oful, worst minus best", ours}, {"range of oful, worst minus best", oful}, {"ratio", {ratio, 0.0}}}};
      }};
}

/// Compares regrets at the least ridge of the grid, where only marks keep a model small.
Decision less_at_least_ridge(const Results& results) {
  const double least = results.settings().ridges().front();
  return less_regret("", ClaimBy::paper, "", at_ridge("ff-oful", least), at_ridge("oful", least)).decide(results);
}

constexpr double kAllRidges = 1e300;

std::vector<NamedNumber> ridge_facts() {
  std::vector<NamedNumber> facts;
  for (const std::string_view preset : kAtEveryRidge) {
    const auto add = [&](std::string_view what, const EntrantResult* RidgeRange::*which) {
      facts.push_back({fmt::format("{} regret of {}", what, preset),
                       [=](const Results& results) { return (range_up_to(results, preset, kAllRidges).*which)->regret(); }});
      facts.push_back({fmt::format("ridge of the {} regret of {}", what, preset), [=](const Results& results) {
                         const EntrantResult& at = *(range_up_to(results, preset, kAllRidges).*which);
                         return Estimate{at.entrant.options.ridge, 0.0};
                       }});
    };
    add("least", &RidgeRange::best);
    add("largest", &RidgeRange::worst);
  }
  return facts;
}

}  // namespace

Figure human_figure() {
  return {
      .name = "human",
      .title = "People's own marks, 500 dimensions",
      .paper_place = "Newsgroup dataset with human feedback, (a)",
      .needs = PaperData::movies,
      .studies = human_studies,
      .charts = {regret_curves("", "Film reviews, what people highlighted is marked", "reviews"),
                 tuning_curves("tuning", "OFUL's regret by its ridge, film reviews", "reviews"),
                 only_with_person(regret_curves("newsgroups", "20 Newsgroups, marks of a person", "person"))},
      .tables = {outcomes("reviews"), only_with_person(outcomes("person", "20 Newsgroups"))},
      .claims = {less_regret("human-beats-oful", ClaimBy::paper,
                             "FF-OFUL has less regret than tuned OFUL with people's own marks (film "
                             "reviews).",
                             {"reviews", "ff-oful"}, {"reviews", "oful"}),
                 less_regret("human-beats-explore-then-commit", ClaimBy::paper,
                             "FF-OFUL has less regret than explore-then-commit with people's own marks "
                             "(film reviews).",
                             {"reviews", "ff-oful"}, {"reviews", "explore-then-commit"}),
                 ridge_inside("human-ridge-inside", {"reviews", "oful"}),
                 only_with_person(less_regret("human-newsgroups-beats-oful", ClaimBy::paper,
                                              "FF-OFUL has less regret than tuned OFUL on 20 Newsgroups with a person's marks.",
                                              {"person", "ff-oful"}, {"person", "oful"}))}};
}

Figure ridge_sensitivity_figure() {
  return {.name = "ridge-sensitivity",
          .title = "What the ridge decides",
          .paper_place = "Newsgroup dataset with human feedback, (b)",
          .needs = PaperData::movies,
          .studies = ridge_studies,
          .charts = {{"", ridge_chart}},
          .tables = {outcomes("reviews")},
          .claims = {flatter_claim("ridge-sensitivity-spread", "the whole grid of ridges", kAllRidges),
                     flatter_claim("ridge-sensitivity-spread-up-to-one", "ridges of at most 1", 1.0),
                     {"ridge-sensitivity-least-ridge", ClaimBy::paper,
                      "At the least ridge of the grid FF-OFUL has less regret than OFUL.", less_at_least_ridge}},
          .facts = ridge_facts()};
}

}  // namespace inkling::bench
