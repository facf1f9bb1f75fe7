#include "bench/paper/text_world.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/paper/data/movie_reviews.hpp"
#include "bench/paper/data/newsgroups.hpp"
#include "engine/core/random_stream.hpp"
#include "io/file/digit_groups.hpp"
#include "io/pool/format/pool_layout.hpp"

namespace inkling::bench {
namespace {

/// The random words of a space belong to the run and not to a trial.
constexpr std::uint64_t kNoTrial = 2'000'000;

SharedReducedPool space_around(const PaperContext& context, PoolView whole,
                               const std::vector<FeatureId>& wanted, std::int32_t features) {
  RandomStream random(context.settings.seed, kNoTrial, RandomRole::pool);
  const std::int32_t count =
      std::max(static_cast<std::int32_t>(wanted.size()), std::min(features, whole.features()));
  return std::make_shared<const ReducedPool>(
      reduced_pool(whole, with_others_at_random(whole, wanted, count, random), RowLength::unit));
}

std::shared_ptr<const PoolMatrix> matrix_of(const SharedReducedPool& space) {
  return {space, &space->matrix};
}

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
  for (std::size_t n = 0; n < row.size(); ++n) {
    truth[static_cast<std::size_t>(row.features[n])] = norm * static_cast<double>(row.values[n]) / length;
  }
  return truth;
}

}  // namespace

SharedReducedPool newsgroups_space(const PaperContext& context, std::int32_t features) {
  const Newsgroups& data = *context.newsgroups;
  return space_around(context, data.view(), data.oracle_of_all(), features);
}

SharedReducedPool person_space(const PaperContext& context, std::int32_t features) {
  const Newsgroups& data = *context.newsgroups;
  if (data.human().empty()) return newsgroups_space(context, features);
  std::set<FeatureId> words;
  for (const std::vector<FeatureId>& of_topic : data.human()) words.insert(of_topic.begin(), of_topic.end());
  const std::vector<FeatureId> wanted(words.begin(), words.end());
  return space_around(context, data.view(), wanted, features);
}

SharedReducedPool reviews_space(const PaperContext& context, std::int32_t features) {
  const MovieReviews& data = *context.movies;
  return space_around(context, data.view(), data.oracle(), features);
}

std::int32_t wanted_topic(const PaperContext& context, std::uint64_t trial) {
  RandomStream random(context.settings.seed, trial, RandomRole::target);
  return static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(context.newsgroups->topics())));
}

World topic_world(const PaperContext& context, const SharedReducedPool& space, std::uint64_t trial) {
  const Newsgroups& data = *context.newsgroups;
  const std::int32_t topic = wanted_topic(context, trial);
  std::vector<FeatureId> words = space->reduced(data.oracle()[static_cast<std::size_t>(topic)]);
  const PoolView view = space->matrix.view();
  return {view, RewardModel::topic(data.pool().labels(), topic),
          MarkModel(view.features(), words, context.settings.mark_probability), words, matrix_of(space)};
}

World topic_world_in_full(const PaperContext& context, std::uint64_t trial) {
  const Newsgroups& data = *context.newsgroups;
  const std::int32_t topic = wanted_topic(context, trial);
  const std::vector<FeatureId>& words = data.oracle()[static_cast<std::size_t>(topic)];
  return {data.view(), RewardModel::topic(data.pool().labels(), topic),
          MarkModel(data.view().features(), words, context.settings.mark_probability), words, nullptr};
}

Study topic_study_in_full(const PaperContext& context, std::string name) {
  const Newsgroups& data = *context.newsgroups;
  const PaperSettings& settings = context.settings;
  Study study;
  study.name = std::move(name);
  study.world_settings = fmt::format(
      "topic in all {} features: seed {} words {:016x} p {}", data.view().features(), settings.seed,
      checksum_of(std::as_bytes(std::span(data.oracle_of_all()))), settings.mark_probability);
  study.world = [context](std::uint64_t trial) { return topic_world_in_full(context, trial); };
  study.features = data.view().features();
  study.settings = {{"features", digit_groups(study.features)}, {"the oracle", data.oracle_facts()}};
  return study;
}

World message_world(const PaperContext& context, const SharedReducedPool& space, const MessageReader& reader,
                    std::uint64_t trial) {
  const Newsgroups& data = *context.newsgroups;
  const PaperSettings& settings = context.settings;
  const PoolView view = space->matrix.view();
  RandomStream random(settings.seed, trial, RandomRole::target);
  const DocumentId message = draw_message(view, random);
  const SparseRow row = view.by_document.row(message);
  const auto topic = static_cast<std::size_t>(data.pool().labels()[static_cast<std::size_t>(message)]);
  std::vector<FeatureId> words = reader.marked == MarkedWords::of_topic
                                     ? space->reduced(data.oracle()[topic])
                                     : std::vector<FeatureId>(row.features.begin(), row.features.end());
  const CsrView rows = view.by_document;
  RewardModel rewards =
      reader.reward == RewardKind::logistic
          ? RewardModel::logistic(rows, truth_along(view, row, settings.logistic_norm))
          : RewardModel::linear(rows, truth_along(view, row, settings.norm_bound), settings.noise);
  return {view, std::move(rewards), MarkModel(view.features(), words, reader.mark_probability), words,
          matrix_of(space)};
}

std::shared_ptr<const CsrMatrix> highlights_in(const PaperContext& context, const ReducedPool& space) {
  return std::make_shared<const CsrMatrix>(space.reduced(context.movies->highlights()));
}

World review_world(const PaperContext& context, const SharedReducedPool& space,
                   const std::shared_ptr<const CsrMatrix>& highlights, std::uint64_t trial) {
  const MovieReviews& data = *context.movies;
  RandomStream random(context.settings.seed, trial, RandomRole::target);
  const auto wanted = static_cast<std::int32_t>(random.below(data.pool().label_names().size()));
  return {space->matrix.view(), RewardModel::topic(data.pool().labels(), wanted),
          MarkModel::as_marked(highlights, 1.0), space->reduced(data.oracle()), matrix_of(space)};
}

World person_world(const PaperContext& context, const SharedReducedPool& space, std::uint64_t trial) {
  const Newsgroups& data = *context.newsgroups;
  const std::int32_t topic = wanted_topic(context, trial);
  const auto at = static_cast<std::size_t>(topic);
  const PoolView view = space->matrix.view();
  std::vector<FeatureId> words = space->reduced(data.human().empty() ? data.oracle()[at] : data.human()[at]);
  const MarkingRates rates = context.movies->rates();
  MarkModel marks = data.human().empty() ? simulated_person(view.features(), words, rates)
                                         : MarkModel(view.features(), words, rates.hit);
  return {view, RewardModel::topic(data.pool().labels(), topic), std::move(marks), words, matrix_of(space)};
}

std::string text_world_settings(const PaperContext& context, std::string_view kind,
                                const ReducedPool& space) {
  const PaperSettings& settings = context.settings;
  return fmt::format("{}: seed {} features {:016x} p {} noise {} norm {} logistic norm {}", kind,
                     settings.seed, checksum_of(std::as_bytes(std::span(space.kept))),
                     settings.mark_probability, settings.noise, settings.norm_bound, settings.logistic_norm);
}

}  // namespace inkling::bench
