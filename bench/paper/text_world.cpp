#include "bench/paper/text_world.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <ranges>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "bench/paper/data/movie_reviews.hpp"
#include "bench/paper/data/newsgroups.hpp"
#include "bench/studies/figure_parts.hpp"
#include "bench/worlds/synthetic_pool.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"

namespace inkling::bench {
namespace {

constexpr FeatureId kLeftOut = -1;

/// The new number of each feature of the whole pool.
std::vector<FeatureId> numbers_in(const std::vector<FeatureId>& kept, std::int32_t features) {
  std::vector<FeatureId> numbers(static_cast<std::size_t>(features), kLeftOut);
  for (std::size_t n = 0; n < kept.size(); ++n) numbers[static_cast<std::size_t>(kept[n])] = static_cast<FeatureId>(n);
  return numbers;
}

CsrMatrix kept_columns(CsrView rows, const std::vector<FeatureId>& kept) {
  const std::vector<FeatureId> numbers = numbers_in(kept, rows.columns());
  CsrMatrix reduced(static_cast<std::int32_t>(kept.size()));
  std::vector<FeatureId> features;
  std::vector<float> values;
  for (std::int32_t i = 0; i < rows.rows(); ++i) {
    const SparseRow row = rows.row(i);
    features.clear();
    values.clear();
    for (std::size_t n = 0; n < row.size(); ++n) {
      const FeatureId number = numbers[static_cast<std::size_t>(row.features[n])];
      if (number == kLeftOut) continue;
      features.push_back(number);
      values.push_back(row.values[n]);
    }
    reduced.append_row({features, values});
  }
  return reduced;
}

CsrMatrix with_unit_length(CsrView rows) {
  CsrMatrix scaled(rows.columns());
  for (std::int32_t i = 0; i < rows.rows(); ++i) {
    const SparseRow row = rows.row(i);
    const double squares = squared_norm(row);
    const double length = squares > 0.0 ? std::sqrt(squares) : 1.0;
    std::vector<float> values(row.values.begin(), row.values.end());
    for (float& value : values) value = static_cast<float>(static_cast<double>(value) / length);
    scaled.append_row({row.features, values});
  }
  return scaled;
}

/// Used as the trial's number for the random words of a space, which are the same in all trials of a run.
constexpr std::uint64_t kNoTrial = 2'000'000;

SharedReducedPool space_around(const PaperContext& context, PoolView whole, const std::vector<FeatureId>& wanted,
                               std::int32_t features) {
  RandomStream random(context.settings.seed, kNoTrial, RandomRole::pool);
  const std::int32_t count = std::max(static_cast<std::int32_t>(wanted.size()), std::min(features, whole.features()));
  return std::make_shared<const ReducedPool>(reduced_pool(whole, with_others_at_random(whole, wanted, count, random)));
}

std::shared_ptr<const PoolMatrix> matrix_of(const SharedReducedPool& space) { return {space, space ? &space->matrix : nullptr}; }

/// A message that still holds a word in this space.
DocumentId draw_message(PoolView view, RandomStream& random) {
  for (;;) {
    const auto drawn = static_cast<DocumentId>(random.below(static_cast<std::uint64_t>(view.documents())));
    if (!view.by_document.row(drawn).features.empty()) return drawn;
  }
}

std::vector<double> truth_along(PoolView view, SparseRow row, double norm) {
  std::vector<double> truth(static_cast<std::size_t>(view.features()), 0.0);
  const double length = std::sqrt(squared_norm(row));
  for (std::size_t n = 0; n < row.size(); ++n)
    truth[static_cast<std::size_t>(row.features[n])] = norm * static_cast<double>(row.values[n]) / length;
  return truth;
}

Entrant each_shown_once(const PaperSettings& settings, std::string_view preset, std::int64_t usual_rounds, PoolView pool) {
  const std::int64_t rounds = std::min<std::int64_t>(settings.horizon(usual_rounds), pool.documents());
  Entrant entrant = entrant_of(settings, preset, rounds, settings.label_noise);
  entrant.options.with_replacement = false;
  return entrant;
}

SettingRows review_rows(const MovieReviews& movies) {
  return {{"reviews", digit_groups(movies.view().documents())},
          {"features",
           fmt::format("{} of the oracle and {} at random, of {}", movies.oracle.size(),
                       kHumanFeatures - static_cast<std::int32_t>(movies.oracle.size()), digit_groups(movies.view().features()))},
          {"the oracle", movies.oracle_facts},
          {"of the oracle's words in a review, its readers highlighted", fmt::format("{:.1f} %", 100 * movies.rates.deciding)},
          {"of its other words", fmt::format("{:.1f} %", 100 * movies.rates.others)},
          {"length of a row", "1, over the features kept"}};
}

}  // namespace

std::vector<FeatureId> ReducedPool::reduced(std::span<const FeatureId> features) const {
  std::vector<FeatureId> numbers;
  for (const FeatureId feature : features) {
    const auto found = std::ranges::lower_bound(kept, feature);
    if (found != kept.end() && *found == feature) numbers.push_back(static_cast<FeatureId>(found - kept.begin()));
  }
  return numbers;
}

CsrMatrix ReducedPool::reduced(CsrView rows) const { return kept_columns(rows, kept); }

ReducedPool reduced_pool(PoolView whole, std::vector<FeatureId> kept) {
  assert(std::ranges::adjacent_find(kept, std::ranges::greater_equal()) == kept.end());
  const CsrMatrix rows = kept_columns(whole.by_document, kept);
  return {PoolMatrix(with_unit_length(rows.view())), std::move(kept)};
}

std::vector<FeatureId> with_others_at_random(PoolView whole, std::span<const FeatureId> wanted, std::int32_t count,
                                             RandomStream& random) {
  assert(static_cast<std::size_t>(count) >= wanted.size() && count <= whole.features());
  std::vector<FeatureId> others;
  others.reserve(static_cast<std::size_t>(whole.features()) - wanted.size());
  std::ranges::set_difference(std::views::iota(FeatureId{0}, whole.features()), wanted, std::back_inserter(others));
  const auto missing = count - static_cast<std::int32_t>(wanted.size());
  const std::vector<FeatureId> drawn = draw_features(std::move(others), missing, random);
  std::vector<FeatureId> all;
  all.reserve(static_cast<std::size_t>(count));
  std::ranges::merge(wanted, drawn, std::back_inserter(all));
  return all;
}

SharedReducedPool newsgroups_space(const PaperContext& context, std::int32_t features) {
  const Newsgroups& data = *context.newsgroups;
  return space_around(context, data.view(), data.oracle.words_of_all, features);
}

SharedReducedPool person_space(const PaperContext& context, std::int32_t features) {
  const Newsgroups& data = *context.newsgroups;
  if (data.human.empty()) return newsgroups_space(context, features);
  std::set<FeatureId> words;
  for (const std::vector<FeatureId>& of_topic : data.human) words.insert(of_topic.begin(), of_topic.end());
  const std::vector<FeatureId> wanted(words.begin(), words.end());
  return space_around(context, data.view(), wanted, features);
}

SharedReducedPool reviews_space(const PaperContext& context, std::int32_t features) {
  const MovieReviews& data = *context.movies;
  return space_around(context, data.view(), data.oracle, features);
}

std::int32_t wanted_topic(const PaperContext& context, std::uint64_t trial) {
  RandomStream random(context.settings.seed, trial, RandomRole::target);
  return static_cast<std::int32_t>(random.below(context.newsgroups->pool.label_names().size()));
}

World topic_world(const PaperContext& context, const SharedReducedPool& space, std::uint64_t trial) {
  const Newsgroups& data = *context.newsgroups;
  const std::int32_t topic = wanted_topic(context, trial);
  const std::vector<FeatureId>& oracle = data.oracle.words[static_cast<std::size_t>(topic)];
  const std::vector<FeatureId> words = space ? space->reduced(oracle) : oracle;
  const PoolView view = space ? space->matrix.view() : data.view();
  return {view, RewardModel::topic(data.pool.labels(), topic),
          MarkModel(view.features(), words, {context.settings.mark_probability}), words, matrix_of(space)};
}

World message_world(const PaperContext& context, const SharedReducedPool& space, const MessageReader& reader,
                    std::uint64_t trial) {
  const Newsgroups& data = *context.newsgroups;
  const PaperSettings& settings = context.settings;
  const PoolView view = space->matrix.view();
  RandomStream random(settings.seed, trial, RandomRole::target);
  const DocumentId message = draw_message(view, random);
  const SparseRow row = view.by_document.row(message);
  const auto topic = static_cast<std::size_t>(data.pool.labels()[static_cast<std::size_t>(message)]);
  std::vector<FeatureId> words = reader.marked == MarkedWords::of_topic
                                     ? space->reduced(data.oracle.words[topic])
                                     : std::vector<FeatureId>(row.features.begin(), row.features.end());
  const CsrView rows = view.by_document;
  RewardModel rewards = reader.reward == RewardKind::logistic
                            ? RewardModel::logistic(rows, truth_along(view, row, settings.logistic_norm))
                            : RewardModel::linear(rows, truth_along(view, row, settings.norm_bound), settings.noise);
  return {view, std::move(rewards), MarkModel(view.features(), words, {reader.mark_probability}), words, matrix_of(space)};
}

std::shared_ptr<const CsrMatrix> highlights_in(const PaperContext& context, const ReducedPool& space) {
  return std::make_shared<const CsrMatrix>(space.reduced(context.movies->highlights.view()));
}

World review_world(const PaperContext& context, const SharedReducedPool& space,
                   const std::shared_ptr<const CsrMatrix>& highlights, std::uint64_t trial) {
  const MovieReviews& data = *context.movies;
  RandomStream random(context.settings.seed, trial, RandomRole::target);
  const auto wanted = static_cast<std::int32_t>(random.below(data.pool.label_names().size()));
  return {space->matrix.view(), RewardModel::topic(data.pool.labels(), wanted), MarkModel::as_marked(highlights, 1.0),
          space->reduced(data.oracle), matrix_of(space)};
}

World person_world(const PaperContext& context, const SharedReducedPool& space, std::uint64_t trial) {
  const Newsgroups& data = *context.newsgroups;
  const std::int32_t topic = wanted_topic(context, trial);
  const auto at = static_cast<std::size_t>(topic);
  const PoolView view = space->matrix.view();
  const bool by_list = !data.human.empty();
  std::vector<FeatureId> words = space->reduced(by_list ? data.human[at] : data.oracle.words[at]);
  const MarkRates rates = context.movies->rates;
  MarkModel marks(view.features(), words, by_list ? MarkRates{rates.deciding} : rates);
  return {view, RewardModel::topic(data.pool.labels(), topic), std::move(marks), words, matrix_of(space)};
}

Study text_study(const PaperContext& context, std::string name, std::string_view kind, const SharedReducedPool& space,
                 std::function<World(std::uint64_t)> world) {
  const PaperSettings& settings = context.settings;
  const std::int32_t features = (space ? space->matrix.view() : context.newsgroups->view()).features();
  const std::vector<FeatureId>& words = space ? space->kept : context.newsgroups->oracle.words_of_all;
  return {.name = std::move(name),
          .world_settings = fmt::format("{} in {} features: seed {} words {:016x} p {} noise {} norm {} logistic norm {}", kind,
                                        features, settings.seed, checksum_of(std::as_bytes(std::span(words))),
                                        settings.mark_probability, settings.noise, settings.norm_bound, settings.logistic_norm),
          .world = std::move(world),
          .features = features,
          .trials = settings.trials};
}

Study topic_study(const PaperContext& context, std::string name, const SharedReducedPool& space) {
  Study study = text_study(context, std::move(name), "topic", space, std::bind_front(topic_world, context, space));
  study.settings = {{"features", digit_groups(context.newsgroups->view().features())},
                    {"the oracle", context.newsgroups->oracle.facts}};
  return study;
}

Study review_study(const PaperContext& context) {
  const SharedReducedPool space = reviews_space(context, kHumanFeatures);
  Study study = text_study(context, "reviews", "reviews", space,
                           std::bind_front(review_world, context, space, highlights_in(context, *space)));
  study.tuning_trials = context.settings.tuning_trials;
  study.settings = review_rows(*context.movies);
  return study;
}

Entrant reader_entrant(const PaperContext& context, std::string_view preset) {
  constexpr std::int64_t usual_rounds = 1024;
  return each_shown_once(context.settings, preset, usual_rounds, context.movies->view());
}

Entrant topic_entrant(const PaperContext& context, std::string_view preset) {
  constexpr std::int64_t usual_rounds = 768;
  return each_shown_once(context.settings, preset, usual_rounds, context.newsgroups->view());
}

}  // namespace inkling::bench
