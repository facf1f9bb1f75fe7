// `inkling parts score`: the best documents of one shard for every user of a model.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/file/file_identity.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/process/build_info.hpp"
#include "io/base/process/stopwatch.hpp"
#include "io/base/process/thread_limit.hpp"
#include "io/corpus/pool/format/set_file.hpp"
#include "io/corpus/pool/open/open_pool.hpp"
#include "io/doors/cli/progress.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/doors/cli/threads_option.hpp"
#include "io/doors/commands/output_check.hpp"
#include "io/doors/commands/score/score_options.hpp"
#include "io/doors/commands/score/score_output_options.hpp"
#include "io/doors/steps/parts.hpp"
#include "io/doors/steps/step.hpp"
#include "io/parts/folder/folder_staging.hpp"
#include "io/parts/model/collection.hpp"
#include "io/parts/model/model_file.hpp"
#include "io/parts/model/score_part.hpp"
#include "io/search/score/score_pass.hpp"

namespace inkling {
namespace {

// One shard, scored with a model.
struct ShardOptions : PoolReading {
  std::string shard;
  std::string model;
  std::optional<std::string> set = {};
  std::string out;
  std::int64_t top = 0;
  bool explain = false;
  ScanLayout layout = ScanLayout::automatic;
  int threads = 1;
};

OptionTable score_step_options() {
  using Need = Option::Need;
  OptionGroup scan = {"The scan", pool_access_options()};
  scan.options.push_back(layout_option());
  scan.options.push_back(threads_option());
  return OptionTable(
      {"inkling parts score",
       "Scores one shard of a set with what was learned. `inkling parts merge-scores` puts the scores of all "
       "shards together.",
       "inkling parts score corpus/shards/3 --model model --set corpus/set.json --out scores/3",
       {{"What is scored",
         {{"model", Path{}, "MODEL", std::nullopt, "what `inkling parts learn` kept", Need::required},
          {"set", Path{}, "FILE", std::nullopt, "the set.json of which SHARD is a shard; documents are numbered as in the set"}}},
        {"What comes out",
         {{"top", Integer{1, kMostRanked}, "K", "10", "keep the K documents of highest ucb, without those rated"},
          {"explain", Flag{}, "", std::nullopt, "keep the words that made each score, too"},
          {"out", Path{}, "SCORES", std::nullopt, "the scores: a folder, which appears whole or not at all", Need::required}}},
        scan},
       {"SHARD", "a shard of the set, or the pool from which the model was learned", 1, 1}});
}

ShardOptions shard_options_of(const ParsedOptions& given) {
  ShardOptions options;
  static_cast<PoolReading&>(options) = pool_reading_of(given);
  options.shard = given.positionals().front();
  options.model = given.text("model");
  if (given.given("set")) options.set = given.text("set");
  options.out = step_output(given, "the scores to keep");
  options.top = given.integer("top");
  options.explain = given.flag("explain");
  options.layout = given.choice("layout", kScanLayoutNames);
  options.threads = threads_of(given);
  std::vector<NamedFile> inputs = {{"--model", options.model}};
  if (options.set) inputs.push_back({"--set", *options.set});
  const NamedFile output = {"--out", options.out};
  refuse_overwriting(std::span(&output, 1), inputs, given.positionals());
  return options;
}

// The number of the shard in the set that this pool is, wherever the pool is. Equal shards are distinguished by their paths.
std::size_t shard_in(const SetFile& set, const std::string& set_path, const OpenPool& pool) {
  std::vector<std::size_t> alike;
  for (std::size_t n = 0; n < set.shards.size(); ++n)
    if (set.shards[n].manifest == pool.manifest_checksum()) alike.push_back(n);
  if (alike.empty()) {
    throw FormatError(pool.path(), fmt::format("expected one of the {} shards of {}, found another pool, or another state of one",
                                               set.shards.size(), set_path));
  }
  if (alike.size() == 1) return alike.front();
  for (const std::size_t n : alike)
    if (identity_of(shard_path(set_path, set.shards[n])) == identity_of(pool.path())) return n;
  throw FormatError(pool.path(), fmt::format("expected the shard where {} says that it lies, because {} of its "
                                             "shards are equal to the last bit",
                                             set_path, alike.size()));
}

PartOrigin origin_of(const OpenPool& pool, const ShardOptions& options) {
  PartOrigin origin = {.rows = pool.manifest().rows, .top = options.top, .explains = options.explain};
  if (!options.set) {
    const std::uint64_t manifest = pool.manifest_checksum();
    origin.collection = collection_checksum(std::span(&manifest, 1));
    return origin;
  }
  const SetFile set = read_set_file(*options.set);
  const std::size_t shard = shard_in(set, *options.set, pool);
  origin.collection = collection_checksum(set);
  check_shard(*options.set, set.shards[shard], pool.path(), pool.manifest(), pool.manifest_checksum());
  origin.shards = std::ssize(set.shards);
  origin.shard = static_cast<std::int64_t>(shard);
  origin.first_row = set.shards[shard].first_row;
  return origin;
}

void check_model(const KeptModel& model, const PartOrigin& origin, const ShardOptions& options) {
  if (model.origin.collection == origin.collection) return;
  if (options.set)
    throw FormatError(options.model, fmt::format("expected a model that was learned from {}, found one of other "
                                                 "documents: inkling parts learn makes one",
                                                 *options.set));
  throw FormatError(options.model, fmt::format("expected a model that was learned from {} alone, or --set with the "
                                               "set that it was learned from",
                                               options.shard));
}

std::string line_of_shard(std::string_view text) { return fmt::format("inkling parts score: {}\n", visible_text(text)); }

RankingPass rank_shard(const PoolSet& pools, const ScoreUsers& users, Replays replays, const ShardOptions& options) {
  PhasedProgress line;
  const ScanProgress progress = [&](std::int64_t documents) {
    line.show("scoring, documents", static_cast<std::uint64_t>(documents), static_cast<std::uint64_t>(pools.documents()));
  };
  ScanOptions scanning = {.layout = options.layout};
  if (options.access == PoolAccess::read) scanning.memory = options.memory;
  return rank_documents(pools, users, replays, static_cast<std::size_t>(options.top), scanning, progress);
}

void score_shard(const ShardOptions& options) {
  const PartOrigin origin = [&] {
    PartOrigin of_pool = origin_of(OpenPool(options.shard), options);
    of_pool.model = ArrayFolder(model_kind(), options.model).checksum();
    return of_pool;
  }();
  const std::string version(program_version);
  if (is_score_part_of(options.out, origin, version)) {
    remove_leftovers_of(score_part_kind(), options.out);
    return tell_summary([&] { return line_of_shard(fmt::format("{} holds these scores already", options.out)); });
  }
  FolderStaging staging(score_part_kind(), options.out);
  const Stopwatch watch;
  KeptModel model = read_model(options.model);
  check_model(model, origin, options);
  const std::vector<std::string> paths = {options.shard};
  const PoolSet pools = PoolSet::open(paths, options.access, options.trust);
  const ScoreUsers users = users_of_shard(std::move(model.users), origin.first_row, origin.rows);
  RankingPass pass = rank_shard(pools, users, model.origin.replays, options);
  const ShardScores part = score_part_of(pools, users, pass, origin);
  pools.check_unchanged();
  static_cast<void>(write_score_part(staging, part, version));
  tell_summary([&] {
    return line_of_shard(fmt::format("shard {} of {}: {} for {} in {:.3f} s", origin.shard, origin.shards,
                                     counted(pools.documents(), "document", "documents"),
                                     counted(std::ssize(users.logs), "user", "users"), watch.seconds()));
  });
}

int run_score_step(const ParsedOptions& given) {
  const ShardOptions options = shard_options_of(given);
  ThreadLimit limit(options.threads);
  limit.run([&] { score_shard(options); });
  return ExitCode::ok;
}

}  // namespace

Command score_step() { return command_of(score_step_options(), run_score_step); }

}  // namespace inkling
