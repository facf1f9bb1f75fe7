// text-newsgroups and text-reviews: all policies on real text.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/beyond/beyond_programme.hpp"
#include "bench/beyond/rivals.hpp"
#include "bench/paper/data/newsgroups.hpp"
#include "bench/paper/human_worlds.hpp"
#include "bench/paper/text_world.hpp"
#include "bench/studies/figure_parts.hpp"
#include "bench/studies/synthetic_study.hpp"

namespace inkling::bench {
namespace {

std::vector<Study> newsgroups_rivals(const PaperContext& context) {
  constexpr double share_of_all = 0.1;
  const PaperSettings& settings = context.settings;
  Study study = topic_study_in_full(context, "main");
  study.trials = share_of_trials(settings.trials, share_of_all);
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

std::vector<Study> review_rivals(const PaperContext& context) {
  constexpr double tuning_share = 0.3;
  const PaperSettings fewer = fewer_trials(context.settings, tuning_share);
  Study study = review_study(context);
  study.trials = fewer.trials;
  study.tuning_trials = fewer.tuning_trials;
  study.entrants = all_policies(
      context.settings, [&](std::string_view preset) { return reader_entrant(context, preset); },
      study.features, TuningEffort::fine);
  study.entrants.push_back(reader_entrant(context, "random"));
  return {std::move(study)};
}

Figure text_figure(std::string name, const std::string& study, std::string chart_title,
                   std::string_view where) {
  Figure figure{.name = name,
                .title = {},
                .paper_place = {},
                .charts = {regret_curves("", std::move(chart_title), study)},
                .tables = {outcomes(study)},
                .more_settings = tuning_rows};
  for (const std::string_view rival :
       {std::string_view("ff-oful"), std::string_view("oful"), kNarrowOful, std::string_view("random")}) {
    figure.claims.push_back(less_regret(fmt::format("{}-soft-marks-beat-{}", name, rival), ClaimBy::ours,
                                        fmt::format("Soft marks have less regret than {}{} {}.",
                                                    rival == "oful" ? "tuned " : "", rival, where),
                                        {study, "soft-marks"}, {study, std::string(rival)}));
  }
  figure.claims.push_back(unbeaten(
      name + "-soft-marks-unbeaten",
      fmt::format("No policy was found with clearly less regret than soft marks {}.", where), study));
  return figure;
}

}  // namespace

Figure text_newsgroups_figure() {
  Figure figure = text_figure("text-newsgroups", "main", "20 Newsgroups in all words, each message once",
                              "on 20 Newsgroups in all words");
  figure.title = "20 Newsgroups in all words";
  figure.paper_place = "Beyond the paper: all policies at d = 47,757";
  figure.needs = PaperData::newsgroups;
  figure.studies = newsgroups_rivals;
  return figure;
}

Figure text_reviews_figure() {
  Figure figure = text_figure("text-reviews", "reviews", "Film reviews, what people highlighted is marked",
                              "on film reviews with people's highlights");
  figure.title = "People's own marks";
  figure.paper_place = "Beyond the paper: all policies on its human feedback";
  figure.needs = PaperData::movies;
  figure.studies = review_rivals;
  return figure;
}

}  // namespace inkling::bench
