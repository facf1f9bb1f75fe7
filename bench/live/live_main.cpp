// The program for simulated searches over shards: every rank of MPI is a worker.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/live/live_shards.hpp"
#include "bench/live/live_study.hpp"
#include "bench/live/mpi_group.hpp"
#include "engine/core/errors.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/process/build_info.hpp"
#include "io/base/process/thread_limit.hpp"
#include "io/corpus/pool/format/set_file.hpp"
#include "io/doors/cli/command_line.hpp"
#include "io/doors/help/program_help.hpp"

namespace {

using namespace inkling;

constexpr std::int64_t kMostDocuments = 2'000'000'000;

/// The policies that need nothing beside what such a simulation knows.
std::vector<std::string> names_of_policies() { return {"ff-oful", "ff-oful-epoch", "ff-thompson"}; }

OptionTable live_options() {
  return OptionTable(
      {"inkling-bench-live simulate",
       "Searches a set with one worker for each shard, and prints what a round costs. Start it by mpirun.",
       "mpirun -n 4 inkling-bench-live simulate shards/set.json",
       {{"What is searched",
         {{"documents", Integer{1, kMostDocuments}, "N", "1000000",
           "without SET: documents of a pool made from the seed"},
          {"features", Integer{2, 100'000'000}, "D", "100000", "words of that pool"},
          {"words", Integer{1, 1000}, "W", "20", "words drawn for each of its documents"},
          {"relevant", Integer{1, 1000}, "K", "50", "words that matter to the reader"},
          {"noise", Real::at_least(0.0), "R", "0.1", "noise of rewards"},
          {"seed", Integer{0}, "N", "1", "seed of all random draws"}}},
        {"The search",
         {{"policy", Choice{names_of_policies()}, "NAME", "ff-oful", "how documents are chosen"},
          {"rounds", Integer{1, kMostDocuments}, "T", "2000", "each document is shown once"}}},
        {"Output", {{"json", Flag{}, "", std::nullopt, "print one JSON object"}}}},
       {.name = "[SET]", .help = "the set: as many shards as ranks", .min = 0, .max = 1}});
}

bench::LiveStudy study_from(const ParsedOptions& given) {
  bench::LiveStudy study;
  study.rounds = given.integer("rounds");
  study.reader = {.relevant = static_cast<std::int32_t>(given.integer("relevant")),
                  .noise = given.real("noise"),
                  .seed = static_cast<std::uint64_t>(given.integer("seed"))};
  study.policy = *find_preset(given.text("policy"));
  study.options.with_replacement = false;
  study.options.confidence.noise = std::max(given.real("noise"), 0.01);
  return study;
}

bench::LiveShard shard_from(const ParsedOptions& given, const ShardGroup& group) {
  if (!given.positionals().empty()) return bench::LiveShard::of_set(given.positionals().front(), group);
  return bench::LiveShard::of_seed(static_cast<std::int32_t>(given.integer("documents")),
                                   static_cast<std::int32_t>(given.integer("features")),
                                   static_cast<std::int32_t>(given.integer("words")),
                                   static_cast<std::uint64_t>(given.integer("seed")), group);
}

std::string json_of(const bench::LiveResult& result, std::int64_t documents, int ranks) {
  JsonWriter json;
  const auto rounds = static_cast<double>(result.rounds);
  json.begin_object();
  json.member("ranks", ranks).member("documents", documents).member("rounds", result.rounds);
  json.member("random_plays", result.random_plays).member("features_in_use", result.features_in_use);
  json.member("choices", fmt::format("{:016x}", result.choices));
  json.member("rounds_per_second", rounds / result.seconds);
  json.member("round_microseconds", 1e6 * result.seconds / rounds);
  json.member("choosing_microseconds", 1e6 * result.choosing_seconds / rounds);
  json.member("first_scores_seconds", result.first_seconds);
  json.member("event_bytes_a_round", static_cast<double>(result.told_bytes) / rounds);
  json.end_object();
  return json.take();
}

std::string text_of(const bench::LiveResult& result, std::int64_t documents, int ranks) {
  const auto rounds = static_cast<double>(result.rounds);
  return fmt::format(
      "ranks       {}, {} documents\n"
      "rounds      {} ({} at random), {} words in use\n"
      "choices     {:016x}\n"
      "speed       {:.0f} rounds a second, {:.1f} us a round, of which choosing {:.1f} us\n"
      "first       {:.2f} s for the scores of all documents\n"
      "sent        {:.0f} bytes of events a round, without rows\n",
      ranks, documents, result.rounds, result.random_plays, result.features_in_use, result.choices,
      rounds / result.seconds, 1e6 * result.seconds / rounds, 1e6 * result.choosing_seconds / rounds,
      result.first_seconds, static_cast<double>(result.told_bytes) / rounds);
}

int simulate(const ParsedOptions& given) {
  bench::MpiGroup group(nullptr, nullptr);
  // The other ranks wait for this one: where it cannot go on, none can.
  try {
    const bench::LiveResult result = ThreadLimit(1).run([&] {
      const bench::LiveShard shard = shard_from(given, group);
      return bench::run_live_study(group, shard.view(), shard.layout(), study_from(given),
                                   shard.candidates());
    });
    if (group.rank() != 0) return ExitCode::ok;
    const std::int64_t documents = given.positionals().empty()
                                       ? given.integer("documents")
                                       : read_set_file(given.positionals().front()).rows;
    fmt::print("{}", given.flag("json") ? json_of(result, documents, group.workers()) + "\n"
                                        : text_of(result, documents, group.workers()));
    std::fflush(stdout);
    return ExitCode::ok;
  } catch (const std::exception& error) {
    if (group.workers() == 1) throw;
    fmt::print(stderr, "inkling-bench-live: rank {}: {}\n", group.rank(), error.what());
    std::fflush(stderr);
    bench::MpiGroup::abort(ExitCode::bad_input);
  }
}

Program make_program() {
  return {.name = "inkling-bench-live",
          .purpose = "Simulated searches over a set of which every rank of MPI holds a shard.",
          .version = std::string(program_version),
          .groups = {{.task = "Simulate", .commands = {command_of(live_options(), simulate)}}},
          .otherwise = answer_without_command};
}

}  // namespace

int main(int argc, char** argv) { return run_main("inkling-bench-live", make_program, argc, argv); }
