#include "bench/live/live_study.hpp"

#include <utility>
#include <vector>

#include "bench/worlds/synthetic_pool.hpp"
#include "io/doors/cli/stopwatch.hpp"

namespace inkling::bench {
namespace {

constexpr double kMarkedShare = 0.5;
constexpr std::uint64_t kChecksumFactor = 0x100000001B3;  // of FNV-1a

class StudiedReader {
 public:
  StudiedReader(const LiveReader& reader, std::int32_t features, std::vector<FeatureId> candidates)
      : reader_(reader) {
    RandomStream random(reader.seed, 0, RandomRole::target);
    const std::vector<FeatureId> relevant = draw_features(std::move(candidates), reader.relevant, random);
    truth_ = draw_truth(features, relevant, 1.0, random);
  }

  /// The same whichever worker asks.
  [[nodiscard]] LiveEvent answer(std::int64_t round, DocumentId document, SparseRow row) const {
    RandomStream random(reader_.seed, static_cast<std::uint64_t>(round) + 1, RandomRole::reward);
    LiveEvent event{.document = document, .reward = dot(row, truth_) + reader_.noise * random.normal()};
    for (const FeatureId feature : row.features)
      if (truth_[static_cast<std::size_t>(feature)] != 0.0 && random.coin(kMarkedShare))
        event.words.push_back({.feature = feature});
    return event;
  }

 private:
  LiveReader reader_;
  std::vector<double> truth_;
};

}  // namespace

LiveResult run_live_study(ShardGroup& group, PoolView shard, const ShardLayout& layout,
                          const LiveStudy& study, std::vector<FeatureId> candidates) {
  const StudiedReader reader(study.reader, shard.features(), std::move(candidates));
  ShardedSearch search(group, shard, layout, study.policy, study.options,
                       {study.reader.seed, 0, RandomRole::exploration},
                       {study.reader.seed, 0, RandomRole::sampling});
  LiveResult result;
  Stopwatch all;
  for (; result.rounds < study.rounds && !search.exhausted(); ++result.rounds) {
    const Stopwatch choosing;
    const Play play = search.choose();
    result.choosing_seconds += choosing.seconds();
    const LiveEvent said = search.learn(search.holder(play.document), [&] {
      return reader.answer(result.rounds, play.document, search.row(play.document));
    });
    result.told_bytes += static_cast<std::int64_t>(bytes_of(said, nullptr).size());
    result.random_plays += play.explored ? 1 : 0;
    result.choices = (result.choices ^ static_cast<std::uint64_t>(play.document)) * kChecksumFactor;
    // The first round of optimism takes the scores of all documents.
    if (!play.explored && result.first_seconds == 0.0) {
      result.first_seconds = choosing.seconds();
      result.choosing_seconds -= result.first_seconds;
    }
  }
  result.seconds = all.seconds() - result.first_seconds;
  result.features_in_use = search.policy().features_in_use();
  return result;
}

}  // namespace inkling::bench
