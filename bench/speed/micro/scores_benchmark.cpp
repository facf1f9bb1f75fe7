// How long it takes to put the scores of shards together: of a thousand users, from 64 parts on disk, to the text of all.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "engine/core/random_stream.hpp"
#include "io/base/system/process.hpp"
#include "io/parts/model/part_merge.hpp"

namespace inkling::bench {
namespace {

constexpr std::int64_t kRowsOfShard = 1'000'000;

/// One part: the best `top` documents of each user with random scores.
ShardScores random_part(std::int64_t shard, std::int64_t shards, std::int64_t users, std::int64_t top) {
  ShardScores part;
  part.origin = {.collection = 1,
                 .model = 2,
                 .shards = shards,
                 .shard = shard,
                 .first_row = shard * kRowsOfShard,
                 .rows = kRowsOfShard,
                 .top = top,
                 .has_ids = true};
  RandomStream random(1, static_cast<std::uint64_t>(shard), RandomRole::documents);
  for (std::int64_t user = 0; user < users; ++user) {
    part.users.append(fmt::format("events/user{:04}.jsonl", user));
    part.base_mean.push_back(0.0);
    double ucb = 10.0;
    for (std::int64_t n = 0; n < top; ++n) {
      ucb -= random.uniform();
      const std::int64_t row = shard * kRowsOfShard + static_cast<std::int64_t>(random.below(kRowsOfShard));
      part.documents.push_back(row);
      part.mean.push_back(ucb - 0.25);
      part.width.push_back(0.25);
      part.ucb.push_back(ucb);
      part.played.push_back(0);
      part.ids.append(fmt::format("document-{}", row));
    }
    part.indptr.push_back(part.indptr.back() + top);
  }
  return part;
}

class PartsOnDisk {
 public:
  PartsOnDisk(std::int64_t shards, std::int64_t users, std::int64_t top)
      : folder_(std::filesystem::temp_directory_path() / fmt::format("inkling-parts-{}", process_number())) {
    std::filesystem::create_directories(folder_);
    for (std::int64_t shard = 0; shard < shards; ++shard) {
      paths_.push_back((folder_ / fmt::format("part{}", shard)).string());
      FolderStaging staging(score_part_kind(), paths_.back());
      static_cast<void>(write_score_part(staging, random_part(shard, shards, users, top), "bench"));
    }
  }
  ~PartsOnDisk() { std::filesystem::remove_all(folder_); }
  PartsOnDisk(const PartsOnDisk&) = delete;
  PartsOnDisk& operator=(const PartsOnDisk&) = delete;

  [[nodiscard]] const std::vector<std::string>& paths() const noexcept { return paths_; }

 private:
  std::filesystem::path folder_;
  std::vector<std::string> paths_;
};

void merge_scores(benchmark::State& state) {
  const PartsOnDisk parts(state.range(0), state.range(1), state.range(2));
  std::size_t bytes = 0;
  for (auto _ : state) {
    const MergedParts merged(parts.paths());
    ScoreOutputOptions options;
    options.format = ScoreFormat::jsonl;
    options.print = [&bytes](std::string_view text) { bytes += text.size(); };
    ScoreOutput output(merged.users(), options);
    merged.write(state.range(2), output);
    output.close();
  }
  state.counters["text_bytes"] = static_cast<double>(bytes) / static_cast<double>(state.iterations());
}
BENCHMARK(merge_scores)->ArgNames({"shards", "users", "top"})->Args({64, 1000, 10})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace inkling::bench
