// Models and parts that are damaged, forged, of different sets, or written twice.
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/output_file.hpp"
#include "io/parts/model/part_merge.hpp"
#include "tests/io/parts/model/kept_users.hpp"

namespace inkling {
namespace {

const EventRules kSkippingRules = {.skip_bad = true};

/// A pool in three shards, and two users. With many words, one of the models is dual.
struct TaughtPool {
  explicit TaughtPool(std::int32_t features) : random(test::stream_for(2402, 0)) {
    made = test::random_worded_pool({.documents = 30, .features = features, .density = 20.0 / features}, true, random);
    cut.emplace(made, std::vector<std::size_t>{10, 20});
    for (const char* const name : {"a.jsonl", "b.jsonl"}) {
      events.push_back(cut->file(name));
      std::string text;
      for (int n = 0; n < 8; ++n) text += test::random_event(30, features, random) + '\n';
      write_file(events.back(), text + "{\"document\": 3, \"reward\": 1, \"features\": [\"w001\"]}\n");
    }
    const std::vector<std::string> paths = {cut->set()};
    pools.emplace(PoolSet::open(paths, PoolAccess::map, PoolTrust::checksums));
    users.emplace(learn_users(*pools, events, kSkippingRules, *find_preset(kDefaultPolicy), {}));
    origin = test::origin_of_pools(*pools, *users, kSkippingRules);
  }

  RandomStream random;
  test::SmallPool made;
  std::optional<test::CutPool> cut;
  std::vector<std::string> events;
  std::optional<PoolSet> pools;
  std::optional<ScoreUsers> users;
  ModelOrigin origin;
};

ShardScores scores_of_shard(const TaughtPool& taught, std::size_t shard, std::int64_t top, std::uint64_t model) {
  const SetFile set = read_set_file(taught.cut->set());
  const std::vector<std::string> paths = {taught.cut->shards()[shard]};
  const PoolSet pools = PoolSet::open(paths, PoolAccess::map, PoolTrust::checksums);
  const PartOrigin origin = {.collection = collection_checksum(set),
                             .model = model,
                             .shards = 3,
                             .shard = static_cast<std::int64_t>(shard),
                             .first_row = set.shards[shard].first_row,
                             .rows = set.shards[shard].rows,
                             .top = top,
                             .explains = true};
  KeptModel kept = read_model(taught.cut->file("model"));
  const ScoreUsers users = users_of_shard(std::move(kept.users), origin.first_row, origin.rows);
  RankingPass pass = rank_documents(pools, users, Replays::refused, static_cast<std::size_t>(top), {}, [](std::int64_t) {});
  return score_part_of(pools, users, pass, origin);
}

std::string keep_part(const TaughtPool& taught, const std::string& name, const ShardScores& scores,
                      const std::string& program = "test") {
  const std::string path = taught.cut->file(name);
  FolderStaging staging(score_part_kind(), path);
  static_cast<void>(write_score_part(staging, scores, program));
  return path;
}

std::string problem_of_merging(const std::vector<std::string>& parts) {
  try {
    const MergedParts merged(parts);
  } catch (const FormatError& error) {
    return error.what();
  }
  return {};
}

/// Flips bits of each file of a folder, cuts it short and removes it. `read` must throw each time.
template <typename Read>
void damage_every_file(const std::string& folder, RandomStream& random, const Read& read) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path().generic_string());
  for (const std::string& file : files) {
    CAPTURE(file);
    const std::string whole = test::text_of(file);
    for (int n = 0; n < 40; ++n) {
      const auto bit = static_cast<std::streamoff>(random.below(8 * whole.size()));
      CAPTURE(bit);
      test::flip_bit_of(file, bit);
      CHECK_THROWS_AS(read(), CorruptFileError);
      test::flip_bit_of(file, bit);
    }
    write_file(file, whole.substr(0, whole.size() - 1));
    CHECK_THROWS_AS(read(), CorruptFileError);
    std::filesystem::remove(file);
    CHECK_THROWS_AS(read(), CorruptFileError);
    write_file(file, whole);
    CHECK_NOTHROW(read());
  }
}

TEST_CASE("a kept model of either form has the scores of its original bit for bit") {
  for (const std::int32_t features : {30, 300}) {
    CAPTURE(features);
    const TaughtPool taught(features);
    test::keep_model(taught.cut->file("model"), *taught.users, taught.origin);
    const KeptModel kept = read_model(taught.cut->file("model"));
    CHECK(kept.users.models.has_dual() == (features == 300));
    for (std::size_t user = 0; user < taught.users->count(); ++user) {
      const bool same_plays = kept.users.plays[user] == taught.users->plays[user];
      CHECK(same_plays);
      CHECK(kept.users.radii[user] == taught.users->radii[user]);
      CHECK(kept.users.base_means[user] == taught.users->base_means[user]);
    }
    ScanWorkspace workspace;
    for (std::size_t pool = 0; pool < taught.pools->pools(); ++pool) {
      const CsrView rows = taught.pools->view(pool).by_document;
      std::vector<Prediction> expected(2 * static_cast<std::size_t>(rows.rows()), {0.0, 0.0});
      std::vector<Prediction> found = expected;
      taught.users->models.score_rows(rows, {0, rows.rows()}, workspace, expected);
      kept.users.models.score_rows(rows, {0, rows.rows()}, workspace, found);
      for (std::size_t n = 0; n < expected.size(); ++n) {
        CHECK(found[n].mean == expected[n].mean);
        CHECK(found[n].square == expected[n].square);
      }
    }
  }
}

TEST_CASE("any damage to a model is found") {
  for (const std::int32_t features : {30, 300}) {
    TaughtPool taught(features);
    const std::string path = taught.cut->file("model");
    test::keep_model(path, *taught.users, taught.origin);
    damage_every_file(path, taught.random, [&] { static_cast<void>(read_model(path)); });
  }
}

TEST_CASE("a model with wrong numbers and right checksums is refused or scores without harm") {
  int refused = 0;
  for (std::uint64_t trial = 0; trial < 2000; ++trial) {
    CAPTURE(trial);
    static const TaughtPool small(30);
    static const TaughtPool large(300);
    const TaughtPool& taught = trial % 2 == 0 ? small : large;
    RandomStream random = test::stream_for(2403, trial);
    ModelArrays arrays = model_arrays_of(*taught.users);
    std::vector<std::string> names;
    visit_model_arrays(arrays, [&](std::string_view name, auto&) { names.emplace_back(name); });
    const std::string chosen = names[random.below(names.size())];
    CAPTURE(chosen);
    visit_model_arrays(arrays, [&](std::string_view name, auto& numbers) {
      if (name != chosen) return;
      using Number = typename std::remove_cvref_t<decltype(numbers)>::value_type;
      const std::vector<Number> wrong = {Number{0},
                                         Number{1},
                                         static_cast<Number>(-1),
                                         std::numeric_limits<Number>::max(),
                                         std::numeric_limits<Number>::lowest(),
                                         std::numeric_limits<Number>::quiet_NaN()};
      const Number number = wrong[random.below(wrong.size())];
      if (numbers.empty() || random.coin(0.2))
        numbers.push_back(number);
      else if (random.coin(0.2))
        numbers.pop_back();
      else
        numbers[random.below(numbers.size())] = number;
    });
    try {
      const ScoreUsers users = users_of(arrays, taught.origin.shape, "model");
      RankingPass pass = rank_documents(*taught.pools, users, Replays::refused, 5, {}, [](std::int64_t) {});
      const auto best = take_best_of(pass);
      for (const ScoredDocument& scored : best.front()) {
        const CsrMatrix row = taught.pools->row(scored.document);
        static_cast<void>(users.models.parts_of(0, row.view().row(0)));
      }
    } catch (const CorruptFileError& error) {
      CHECK(std::string(error.what()).starts_with("model/"));
      ++refused;
    }
  }
  CHECK(refused > 500);
}

TEST_CASE("a model is never replaced by other bytes, and parts that do not belong together are refused by name") {
  const TaughtPool taught(30);
  const std::string path = taught.cut->file("model");
  const auto write = [&](const ModelOrigin& origin) {
    FolderStaging staging(model_kind(), path);
    return write_model(staging, *taught.users, origin, "test");
  };
  CHECK((write(taught.origin) == Published::now));
  CHECK((write(taught.origin) == Published::before));
  ModelOrigin other = taught.origin;
  other.policy = "oful";
  CHECK_THROWS_AS(static_cast<void>(write(other)), SystemError);
  CHECK(read_model(path).origin.policy == "inkling");

  // Two at once: both begin before either has the name.
  FolderStaging first(model_kind(), taught.cut->file("both"));
  FolderStaging second(model_kind(), taught.cut->file("both"));
  CHECK((write_model(first, *taught.users, taught.origin, "test") == Published::now));
  CHECK((write_model(second, *taught.users, taught.origin, "test") == Published::before));

  write_file(taught.cut->file("text"), "not a model");
  CHECK_THROWS_AS(FolderStaging(model_kind(), taught.cut->file("text")), SystemError);
  CHECK_THROWS_AS(FolderStaging(model_kind(), taught.cut->whole()), SystemError);

  test::keep_model(taught.cut->file("model"), *taught.users, taught.origin);
  std::vector<std::string> parts;
  for (std::size_t shard = 0; shard < 3; ++shard)
    parts.push_back(keep_part(taught, fmt::format("part{}", shard), scores_of_shard(taught, shard, 5, 77)));
  CHECK(problem_of_merging(parts).empty());
  CHECK(problem_of_merging({parts[2], parts[0]}).find("none of shard 1") != std::string::npos);
  CHECK(problem_of_merging({parts[1], parts[0]}).find("none of shard 2") != std::string::npos);
  CHECK(problem_of_merging({parts[0], parts[1], parts[2], parts[1]}).find("found shard 1 here and in") != std::string::npos);
  const std::string other_model = keep_part(taught, "by-other", scores_of_shard(taught, 1, 5, 78));
  CHECK(problem_of_merging({parts[0], other_model, parts[2]}).starts_with(other_model + ": expected scores by the same model"));
  ShardScores elsewhere = scores_of_shard(taught, 1, 5, 77);
  elsewhere.origin.collection ^= 1U;
  CHECK(problem_of_merging({parts[0], keep_part(taught, "elsewhere", elsewhere), parts[2]})
            .find("expected scores of the same set") != std::string::npos);
  const std::string newer = keep_part(taught, "newer", scores_of_shard(taught, 1, 5, 77), "9.9");
  CHECK(problem_of_merging({parts[0], newer, parts[2]}).find("same version of the program") != std::string::npos);
  const std::string less = keep_part(taught, "less", scores_of_shard(taught, 1, 2, 77));
  CHECK(MergedParts(std::vector{parts[0], less, parts[2]}).most() == 2);
  CHECK(problem_of_merging({taught.cut->whole()}).find("expected an inkling scores of a shard") != std::string::npos);
}

TEST_CASE("any damage to a part is found, and lines out of order are refused") {
  TaughtPool taught(30);
  test::keep_model(taught.cut->file("model"), *taught.users, taught.origin);
  const ShardScores sound = scores_of_shard(taught, 1, 5, 77);
  const std::string path = keep_part(taught, "part", sound);
  damage_every_file(path, taught.random, [&] { static_cast<void>(read_score_part(path)); });

  const auto is_refused = [&](const char* name, auto change) {
    ShardScores wrong = sound;
    change(wrong);
    CHECK_THROWS_AS(static_cast<void>(read_score_part(keep_part(taught, name, wrong))), CorruptFileError);
  };
  is_refused("order", [](ShardScores& part) { std::swap(part.ucb[0], part.ucb[4]); });
  is_refused("outside", [](ShardScores& part) { part.documents[0] = 9; });
  is_refused("nan", [](ShardScores& part) { part.mean[0] = std::nan(""); });
  is_refused("lines", [](ShardScores& part) { part.indptr[1] += 1; });
  is_refused("opinion", [](ShardScores& part) { part.words_opinions[0] = 3; });
  is_refused("ids", [](ShardScores& part) { part.ids.append("one more"); });
}

}  // namespace
}  // namespace inkling
