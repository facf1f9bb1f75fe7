// The joined scores of shards by a kept model equal those of the one pool and of the set, byte for byte.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/parts/model/part_merge.hpp"
#include "io/parts/model/score_part.hpp"
#include "io/search/score/score_pass.hpp"
#include "tests/io/parts/model/kept_users.hpp"
#include "tests/support/engine/cases.hpp"

namespace inkling {
namespace {

struct Asked {
  std::size_t top = 5;
  ScoreFormat format = ScoreFormat::jsonl;
  bool explain = false;
};

ScoreOutputOptions output_of(const Asked& asked, std::string& text) {
  return {.format = asked.format, .explain = asked.explain, .print = [&text](std::string_view more) { text += more; }};
}

std::vector<std::string> names_of_users(const ScoreUsers& users) {
  std::vector<std::string> names;
  for (const EventLog& log : users.logs) names.push_back(log.path);
  return names;
}

/// What `inkling score` writes of these pools.
std::string scores_of(const std::string& path, const std::vector<std::string>& events, const EventRules& rules,
                      const Preset& policy, const Asked& asked) {
  const std::vector<std::string> paths = {path};
  const PoolSet pools = PoolSet::open(paths, PoolAccess::map, PoolTrust::checksums);
  const ScoreUsers users = learn_users(pools, events, rules, policy, {});
  RankingPass pass = rank_documents(pools, users, rules.replays, asked.top, {}, [](std::int64_t) {});
  std::string text;
  ScoreOutput output(names_of_users(users), output_of(asked, text));
  write_ranked(pools, users, pass, output);
  output.close();
  return text;
}

/// Scores the shard with random options that must make no difference, and returns the path of the part.
std::string part_of_shard(const test::CutPool& cut, std::size_t shard, const std::string& model_path, const Asked& asked,
                          RandomStream& random) {
  const SetFile set = read_set_file(cut.set());
  KeptModel model = read_model(model_path);
  const std::vector<std::string> paths = {cut.shards()[shard]};
  const auto access = random.coin(0.5) ? PoolAccess::map : PoolAccess::read;
  const PoolSet pools = PoolSet::open(paths, access, PoolTrust::checksums);
  const PartOrigin origin = {.collection = collection_checksum(set),
                             .model = model.checksum,
                             .shards = std::ssize(set.shards),
                             .shard = static_cast<std::int64_t>(shard),
                             .first_row = set.shards[shard].first_row,
                             .rows = set.shards[shard].rows,
                             .top = static_cast<std::int64_t>(asked.top),
                             .explains = asked.explain};
  const ScoreUsers users = users_of_shard(std::move(model.users), origin.first_row, origin.rows);
  const ScanOptions scanning = {.layout = random.coin(0.5) ? ScanLayout::rows : ScanLayout::postings,
                                .memory = std::uint64_t{1} << 24U};
  RankingPass pass = rank_documents(pools, users, model.origin.replays, asked.top, scanning, [](std::int64_t) {});
  const std::string path = cut.file(fmt::format("part{}", shard));
  std::filesystem::remove_all(path);
  FolderStaging staging(score_part_kind(), path);
  static_cast<void>(write_score_part(staging, score_part_of(pools, users, pass, origin), "test"));
  return path;
}

std::string merged_scores(std::vector<std::string> parts, const Asked& asked, RandomStream& random) {
  for (std::size_t n = parts.size(); n > 1; --n) std::swap(parts[n - 1], parts[random.below(n)]);
  const MergedParts merged(parts);
  std::string text;
  ScoreOutput output(merged.users(), output_of(asked, text));
  merged.write(static_cast<std::int64_t>(asked.top), output);
  output.close();
  return text;
}

Asked random_asked(RandomStream& random) {
  Asked asked = {.top = random.below(12) + 1};
  asked.format = std::vector{ScoreFormat::jsonl, ScoreFormat::csv, ScoreFormat::npy, ScoreFormat::table}[random.below(4)];
  const bool words_fit = asked.format == ScoreFormat::jsonl || asked.format == ScoreFormat::table;
  asked.explain = words_fit && random.coin(0.5);
  return asked;
}

TEST_CASE("a set is scored as its one pool is, and so are its shards with a kept model, byte for byte" *
          doctest::test_suite("slow without sanitizers")) {
  const std::vector<Preset> policies = test::teachable_presets();
  int compared = 0;
  int refused = 0;
  test::each_case(2401, test::cases(150U), [&](RandomStream& random, std::uint64_t trial) {
    // With more than 256 features some models are dual.
    const std::int32_t features = trial % 5 == 0 ? 300 : test::between(1, 40, random);
    const test::SmallPool made = test::random_worded_pool({.documents = test::between(1, 60, random),
                                                           .features = features,
                                                           .density = features == 300 ? 0.05 : 0.3,
                                                           .degenerate = true},
                                                          random.coin(0.7), random);
    const test::CutPool cut(made, test::random_cuts(made.rows.size(), random.below(5) + 1, random));
    const Preset& policy = policies[random.below(policies.size())];
    CAPTURE(policy.name);
    const EventRules rules = {.replays = random.coin(0.5) ? Replays::allowed : Replays::refused, .skip_bad = true};
    const std::vector<std::string> events = test::random_event_files(cut, made, random);
    const Asked asked = random_asked(random);
    CAPTURE(static_cast<int>(asked.format));
    std::string expected;
    try {
      expected = scores_of(cut.whole(), events, rules, policy, asked);
    } catch (const FormatError& error) {
      // Events that the one pool refuses, the set refuses for the same reason.
      CHECK_THROWS_WITH_AS(static_cast<void>(scores_of(cut.set(), events, rules, policy, asked)), error.what(), FormatError);
      ++refused;
      return;
    }
    CHECK(scores_of(cut.set(), events, rules, policy, asked) == expected);

    const std::vector<std::string> paths = {cut.set()};
    {
      const PoolSet pools = PoolSet::open(paths, PoolAccess::map, PoolTrust::checksums);
      const ScoreUsers users = learn_users(pools, events, rules, policy, {});
      test::keep_model(cut.file("model"), users, test::origin_of_pools(pools, users, rules));
    }
    std::vector<std::string> parts;
    for (std::size_t shard = 0; shard < cut.shards().size(); ++shard)
      parts.push_back(part_of_shard(cut, shard, cut.file("model"), asked, random));
    CHECK(merged_scores(parts, asked, random) == expected);
    Asked fewer = asked;
    fewer.top = asked.top / 2 + 1;
    CHECK(merged_scores(parts, fewer, random) == scores_of(cut.whole(), events, rules, policy, fewer));
    ++compared;
  });
  CHECK(compared > refused);
}

}  // namespace
}  // namespace inkling
