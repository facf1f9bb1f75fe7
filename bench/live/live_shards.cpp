#include "bench/live/live_shards.hpp"

#include <utility>

#include <fmt/format.h>

#include "bench/worlds/synthetic_pool.hpp"
#include "engine/core/errors.hpp"
#include "io/corpus/pool/format/set_file.hpp"
#include "io/corpus/pool/open/pool_set.hpp"

namespace inkling::bench {
namespace {

constexpr double kRarest = 0.001;
constexpr double kMostCommon = 0.3;

CsrMatrix rows_between(CsrView whole, std::int64_t first, std::int64_t end) {
  const auto from = static_cast<std::size_t>(first);
  const auto count = static_cast<std::size_t>(end - first);
  const std::span<const std::int64_t> offsets = whole.offsets().subspan(from, count + 1);
  std::vector<std::int64_t> own(offsets.begin(), offsets.end());
  for (std::int64_t& offset : own) offset -= offsets.front();
  const auto begin = static_cast<std::size_t>(offsets.front());
  const auto size = static_cast<std::size_t>(own.back());
  const auto features = whole.features().subspan(begin, size);
  const auto values = whole.values().subspan(begin, size);
  return {
      whole.columns(), std::move(own), {features.begin(), features.end()}, {values.begin(), values.end()}};
}

}  // namespace

void LiveShard::find_candidates(const std::vector<std::int64_t>& document_frequency) {
  const auto documents = static_cast<double>(layout_.first_documents.back());
  for (std::size_t feature = 0; feature < document_frequency.size(); ++feature) {
    const double share = static_cast<double>(document_frequency[feature]) / documents;
    if (share >= kRarest && share <= kMostCommon) candidates_.push_back(static_cast<FeatureId>(feature));
  }
}

LiveShard LiveShard::of_set(const std::string& set_path, const ShardGroup& group) {
  const SetFile set = read_set_file(set_path);
  if (std::ssize(set.shards) != group.workers())
    throw FormatError(set_path, fmt::format("expected as many shards as workers, got {} and {}",
                                            set.shards.size(), group.workers()));
  LiveShard shard;
  for (const ShardRecord& record : set.shards) shard.layout_.first_documents.push_back(record.first_row);
  shard.layout_.first_documents.push_back(set.rows);
  shard.layout_.nonzeros = set.nonzeros;
  const std::vector<std::string> paths = {set_path};
  const PoolSet pools = PoolSet::open(paths, PoolAccess::map, PoolTrust::structure);
  std::vector<std::int64_t> frequency(static_cast<std::size_t>(pools.features()));
  for (FeatureId feature = 0; feature < pools.features(); ++feature)
    frequency[static_cast<std::size_t>(feature)] = pools.document_frequency(feature);
  shard.find_candidates(frequency);
  const ShardRecord& own = set.shards[static_cast<std::size_t>(group.rank())];
  shard.pool_.emplace(Pool::open(shard_path(set_path, own)));
  return shard;
}

LiveShard LiveShard::of_seed(std::int32_t documents, std::int32_t features, std::int32_t words,
                             std::uint64_t seed, const ShardGroup& group) {
  RandomStream random(seed, 0, RandomRole::pool);
  const CsrMatrix whole = synthetic_documents(
      {.documents = documents, .features = features, .words = words, .zipf = 1.0}, random);
  LiveShard shard;
  for (int worker = 0; worker <= group.workers(); ++worker)
    shard.layout_.first_documents.push_back(std::int64_t{documents} * worker / group.workers());
  shard.layout_.nonzeros = whole.view().nonzeros();
  std::vector<std::int64_t> frequency(static_cast<std::size_t>(features));
  for (const FeatureId feature : whole.view().features()) ++frequency[static_cast<std::size_t>(feature)];
  shard.find_candidates(frequency);
  const auto rank = static_cast<std::size_t>(group.rank());
  shard.matrix_.emplace(rows_between(whole.view(), shard.layout_.first_documents[rank],
                                     shard.layout_.first_documents[rank + 1]));
  return shard;
}

}  // namespace inkling::bench
