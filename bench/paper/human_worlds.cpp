#include "bench/paper/human_worlds.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bench/paper/data/movie_reviews.hpp"
#include "bench/studies/figure_parts.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

SettingRows review_rows(const MovieReviews& movies) {
  const MarkingRates rates = movies.rates();
  return {{"reviews", digit_groups(movies.view().documents())},
          {"features", fmt::format("{} of the oracle and {} at random, of {}", movies.oracle().size(),
                                   kHumanFeatures - static_cast<std::int32_t>(movies.oracle().size()),
                                   digit_groups(movies.view().features()))},
          {"the oracle", movies.oracle_facts()},
          {"of the oracle's words in a review, its readers highlighted",
           fmt::format("{:.1f} %", 100 * rates.hit)},
          {"of its other words", fmt::format("{:.1f} %", 100 * rates.false_mark)},
          {"length of a row", "1, over the features kept"}};
}

}  // namespace

std::int64_t human_explore_rounds(const PaperContext& context, const World& world, std::int64_t most) {
  const World asked{world.pool, world.rewards,
                    MarkModel(world.pool.features(), world.relevant, context.movies->rates().hit),
                    world.relevant, nullptr};
  return rounds_to_find_all(asked, most);
}

Study review_study(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  const SharedReducedPool space = reviews_space(context, kHumanFeatures);
  return {.name = "reviews",
          .world_settings = text_world_settings(context, "reviews", *space),
          .world = [context, space, highlights = highlights_in(context, *space)](
                       std::uint64_t trial) { return review_world(context, space, highlights, trial); },
          .features = kHumanFeatures,
          .entrants = {},
          .trials = settings.trials,
          .tuning_trials = settings.tuning_trials,
          .settings = review_rows(*context.movies)};
}

Entrant reader_entrant(const PaperContext& context, std::string_view preset) {
  constexpr std::int64_t usual_rounds = 1024;
  Entrant entrant = entrant_of(context.settings, preset, context.settings.horizon(usual_rounds),
                               context.settings.label_noise);
  const std::int64_t reviews = context.movies->view().documents();
  entrant.options.rounds = std::min(entrant.options.rounds, reviews);
  entrant.options.with_replacement = false;
  return entrant;
}

}  // namespace inkling::bench
