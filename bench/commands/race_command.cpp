#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/commands/commands.hpp"
#include "bench/commands/simulate_options.hpp"
#include "bench/report/child_process.hpp"
#include "bench/speed/race.hpp"
#include "bench/worlds/searched_pool.hpp"
#include "engine/core/errors.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/process/thread_limit.hpp"
#include "io/base/system/interruption.hpp"
#include "io/doors/cli/progress.hpp"
#include "io/doors/commands/output_check.hpp"
#include "io/search/simulation/synthetic_pool.hpp"
#include "io/search/simulation/world.hpp"

namespace inkling::bench {
namespace {

std::vector<std::string> peer_choices() {
  std::vector<std::string> names = {"all", "none"};
  for (const Peer& peer : kKnownPeers) names.emplace_back(peer.name);
  return names;
}

OptionTable race_options() {
  constexpr std::int64_t most = 100'000'000;
  return OptionTable(
      {"inkling-bench race",
       "Times our policies and other programs on one pool. All have the same features and rewards, and what "
       "they choose is compared.",
       "inkling-bench race --peers numpy,sklearn",
       {{"The pool",
         {{"documents", Integer{1, most}, "N", "4868", "make a text-like pool of this many documents"},
          {"features", Integer{1, most}, "D", "47757", "words of that pool"},
          {"tokens", Integer{1, 3000}, "W", "150", "words drawn for a document, on average"},
          {"pool", Path{}, "POOL", std::nullopt, "take this pool of inkling build instead"},
          {"relevant", Integer{1, 20'000}, "K", "100", "features that matter, drawn at random"},
          {"df", RealPair{Real::from_to(0.0, 1.0)}, "LOW,HIGH", "0.01,0.3",
           "draw them from the features that this share of the documents holds"},
          {"relevant-words", Path{}, "FILE", std::nullopt,
           "with --pool: the words that matter, one a line, in place of --relevant"}}},
        {"The race",
         {{"rounds", Integer{1, 100'000'000}, "T", "2000",
           "choices and rewards of each contestant; each document is shown once, so at most as many"},
          option_as("norm_bound", "norm-bound", "the norm of the truth that the radius assumes"),
          option_as("noise", "assumed-noise",
                    "the noise that the radius assumes; with 0 the radius is constant, as in some peers"),
          option_as("ridge", "ridge", "the ridge of every contestant"),
          {"rescoring-seconds", Real::above_up_to(0.0, 1e5), "S", "3",
           "full rescoring is timed in about this many seconds of rounds"},
          {"check", Flag{}, "", std::nullopt, "compare every choice with a full scan from nothing, in runs of their own"},
          {"threads", Integer{1, 1024}, "N", "1", "threads of every contestant; the pool is made on all threads"},
          {"seed", Integer{0}, "N", "1", "seed of all random draws"}}},
        {"Other programs",
         {{"peers", ChoiceList{peer_choices()}, "NAME[,NAME...]", "all",
           "other programs to run; each is skipped where it is not installed"},
          {"peer-seconds", Real::above_up_to(0.0, 1e5), "S", "20", "a contestant ends early after this many seconds"},
          {"peer-folder", Path{}, "DIR", "bench/peers", "the folder of their scripts"},
          {"python", Path{}, "PROGRAM", "python3", "the interpreter that runs them"},
          {"work", Path{}, "DIR", std::nullopt,
           "an existing folder for the files that they read, which are kept (default: a temporary one)"}}},
        {"Output",
         {{"json", Flag{}, "", std::nullopt, "print one JSON object"},
          {"choices", Path{}, "FILE.csv", std::nullopt, "write what our policies played in each round"}}}},
       {},
       {"documents", "features", "pool", "rounds", "peers", "json"}});
}

std::vector<Peer> wanted_peers(const ParsedOptions& given) {
  const std::vector<std::string>& names = given.choices("peers");
  const auto has = [&](std::string_view name) { return std::ranges::find(names, name) != names.end(); };
  if (names.size() > 1 && (has("all") || has("none")))
    throw UsageError::option("peers", "expected all, none, or names, got a mixture");
  std::vector<Peer> peers(std::begin(kKnownPeers), std::end(kKnownPeers));
  std::erase_if(peers, [&](const Peer& peer) { return !has("all") && !has(peer.name); });
  return peers;
}

RatingOptions rating_from(const ParsedOptions& given) {
  RatingOptions rating;
  rating.relevant = static_cast<std::int32_t>(given.integer("relevant"));
  rating.frequency = {given.real_pair("df").first, given.real_pair("df").second};
  rating.seed = static_cast<std::uint64_t>(given.integer("seed"));
  return rating;
}

TimedRunOptions run_from(const ParsedOptions& given) {
  TimedRunOptions run;
  run.rounds = given.integer("rounds");
  run.policy.ridge = given.real("ridge");
  run.policy.confidence.noise = given.real("assumed-noise");
  run.policy.confidence.norm_bound = given.real("norm-bound");
  run.seed = static_cast<std::uint64_t>(given.integer("seed"));
  run.rescoring_seconds = given.real("rescoring-seconds");
  return run;
}

RaceResult facts_of(const World& rated, const ParsedOptions& given) {
  RaceResult result{.pool = rated.pool};
  result.relevant = static_cast<std::int64_t>(rated.relevant.size());
  result.threads = static_cast<std::int32_t>(given.integer("threads"));
  result.run = run_from(given);
  if (result.run.rounds > rated.pool.documents())
    throw UsageError::option(
        "rounds", fmt::format("expected at most {} (the documents), got {}", rated.pool.documents(), result.run.rounds));
  return result;
}

void race_peers(const World& rated, const std::vector<Peer>& peers, const ParsedOptions& given, Progress& progress,
                RaceResult& result) {
  if (peers.empty()) return;
  PeerOptions options;
  options.folder = given.text("peer-folder");
  if (!std::filesystem::is_directory(options.folder))
    throw SystemError(options.folder, ENOENT, "cannot read the peers (see --peer-folder, --peers)");
  options.python = given.text("python");
  options.seconds = given.real("peer-seconds");
  if (given.has("pool")) options.matrix = given.text("pool");
  std::optional<WorkFolder> temporary;
  if (!given.has("work")) temporary.emplace();
  options.work = temporary ? temporary->path : given.text("work");
  write_peer_files(rated, result, options);
  for (const Peer& peer : peers) {
    progress.note(std::string(peer.name));
    std::ranges::move(run_peer(peer, result, options, throw_if_interrupted), std::back_inserter(result.entries));
    progress.advance();
  }
}

int race_on(const World& rated, const ParsedOptions& given) {
  const std::vector<Peer> peers = wanted_peers(given);
  RaceResult result = facts_of(rated, given);
  constexpr std::size_t own_entries = 6;
  const std::size_t checks = given.flag("check") ? 1 : 0;
  Progress progress("contestants", own_entries + checks + peers.size());
  const RunListener listener{throw_if_interrupted, [&] { progress.advance(); }};
  ThreadLimit(result.threads).run([&] { race_ours(rated, listener, result); });
  race_peers(rated, peers, given, progress, result);
  if (given.flag("check")) {
    progress.note("comparing with full scans");
    check_ours(rated, listener, result);
  }
  progress.finish();
  if (given.has("choices")) write_file(given.text("choices"), choices_csv(result));
  fmt::print("{}", given.flag("json") ? race_json(result) + "\n" : race_table(result));
  return ExitCode::ok;
}

int race_on_pool(const ParsedOptions& given) {
  for (const char* const name : {"documents", "features", "tokens"})
    if (given.given(name)) throw UsageError::option(name, "expected without --pool");
  const Pool pool = Pool::open(given.text("pool"));
  if (!given.has("relevant-words")) return race_on(rate_pool(pool.view(), rating_from(given)), given);
  std::vector<std::string> unknown;
  std::vector<FeatureId> relevant = features_of_words(pool, given.text("relevant-words"), unknown);
  return race_on(rate_pool(pool.view(), std::move(relevant), rating_from(given)), given);
}

int race(const ParsedOptions& given) {
  static_cast<void>(wanted_peers(given));  // so that a mistake shows before the pool is made
  std::vector<std::string> pools;
  if (given.has("pool")) pools.push_back(given.text("pool"));
  refuse_overwriting(files_of(given, {"choices"}), files_of(given, {"relevant-words"}), pools);
  if (given.has("pool")) return race_on_pool(given);
  if (given.has("relevant-words")) throw UsageError::option("relevant-words", "expected with --pool");
  const PoolMatrix pool = make_zipf_pool({.documents = static_cast<std::int32_t>(given.integer("documents")),
                                          .features = static_cast<std::int32_t>(given.integer("features")),
                                          .mean_tokens = static_cast<double>(given.integer("tokens")),
                                          .seed = static_cast<std::uint64_t>(given.integer("seed"))});
  return race_on(rate_pool(pool.view(), rating_from(given)), given);
}

}  // namespace

Command race_command() { return command_of(race_options(), race); }

}  // namespace inkling::bench
