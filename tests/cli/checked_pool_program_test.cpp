// Pools that were checked before: every command gives the same output with a record as without, and changed files are found.
#include <filesystem>
#include <future>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "io/corpus/pool/open/checked_record.hpp"
#include "tests/cli/run_program.hpp"
#include "tests/cli/score_pools.hpp"
#include "tests/support/engine/test_pool.hpp"
#include "tests/support/io/checked_pools.hpp"
#include "tests/support/io/small_sets.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {
namespace {

constexpr auto kNoCache = "/dev/null";

ProgramResult with_cache(const std::string& cache, const Args& args) {
  return run_program(kInklingProgram, args, {"XDG_CACHE_HOME=" + cache});
}

// A pool old enough for a record, with a cache of its own.
struct OldTinyPool : TinyPool {
  OldTinyPool() {
    REQUIRE(inkling({"build", kTinyCorpus, "--keep-text", "--force", "--out", pool}).exit_code == 0);
    std::filesystem::create_directory(cache);
    wait_for_records();
  }

  [[nodiscard]] ProgramResult run(const Args& args) const { return with_cache(cache, args); }
  [[nodiscard]] Args scoring() const { return {"score", pool, "--events", events}; }
  [[nodiscard]] std::size_t records() const { return records_in(cache).size(); }

  std::string cache = folder.file("cache");
};

TEST_CASE("every command gives the same output for a pool that was checked before") {
  const OldTinyPool tiny;
  const std::string& pool = tiny.pool;
  const bool keeps = keeps_records_of(pool);
  for (const Args& command :
       {tiny.scoring(), tiny.scoring() + Args{"--explain", "--top", "3"}, tiny.scoring() + Args{"--all"},
        tiny.scoring() + Args{"--io", "read"}, tiny.scoring() + Args{"--policy", "ff-oful"}, Args{"info", pool, "--json"},
        Args{"show", pool, "0", "7"}, Args{"export", pool, "--to", "svmlight", "--out", "-"},
        Args{"search", pool, "--searches", tiny.folder.file("none"), "--out", "-"},
        Args{"build", "--like", pool, "--explain", "soil and compost"}}) {
    CAPTURE(command.front());
    const ProgramResult expected = with_cache(kNoCache, command);
    std::filesystem::remove_all(tiny.cache + "/inkling");
    const ProgramResult first = tiny.run(command);
    if (keeps) CHECK(tiny.records() == 1);
    const ProgramResult second = tiny.run(command);
    const ProgramResult again = tiny.run(command + (command.front() == "build" ? Args{} : Args{"--check"}));
    for (const ProgramResult& result : {first, second, again, with_cache("/proc", command)}) {
      CHECK(result.exit_code == expected.exit_code);
      CHECK(result.out == expected.out);
    }
    if (keeps) CHECK(tiny.records() == 1);
  }
  std::filesystem::remove_all(tiny.cache + "/inkling");
  CHECK(tiny.run({"verify", pool}).exit_code == 0);
  if (keeps) CHECK(tiny.records() == 1);
  CHECK(tiny.run(tiny.scoring() + Args{"--trust"}).out == with_cache(kNoCache, tiny.scoring()).out);
  CHECK(tiny.run(tiny.scoring() + Args{"--trust", "--check"}).exit_code == 2);
}

TEST_CASE("--check and verify find damage that a record hides and remove the record") {
  const OldTinyPool tiny;
  if (!keeps_records_of(tiny.pool)) return;
  for (const Args& insisting : {tiny.scoring() + Args{"--check"}, Args{"verify", tiny.pool}}) {
    flip_bit_of(tiny.pool + "/data.npy", 8 * 128);
    CHECK(tiny.run(tiny.scoring()).exit_code == 5);
    wait_for_records();
    {
      const CacheOfUser set(tiny.cache);
      CheckedRecord(OpenPool(tiny.pool)).write();  // as if the bit had rotted on the disk
    }
    CHECK(tiny.run(tiny.scoring()).exit_code == 0);
    const ProgramResult found = tiny.run(insisting);
    CHECK(found.exit_code == 5);
    CHECK(holds(found.err, tiny.pool + "/data.npy"));
    CHECK(tiny.records() == 0);
    CHECK(tiny.run(tiny.scoring()).exit_code == 5);
    flip_bit_of(tiny.pool + "/data.npy", 8 * 128);
  }
}

TEST_CASE("a replaced pool is read as the new one whatever the record of the old one") {
  const OldTinyPool tiny;
  const ProgramResult old = succeeded(tiny.run(tiny.scoring()));
  REQUIRE(tiny.run({"build", kTinyCorpus, "--tf", "binary", "--force", "--out", tiny.pool}).exit_code == 0);
  const ProgramResult replaced = tiny.run(tiny.scoring());
  CHECK(replaced.out != old.out);
  CHECK(replaced.out == with_cache(kNoCache, tiny.scoring()).out);
}

TEST_CASE("each shard of a set has a record of its own") {
  RandomStream random = stream_for(5);
  const std::vector<std::size_t> cuts = {10, 25};
  const CutPool cut(random_worded_pool({.documents = 40, .features = 12}, true, random), cuts);
  if (!keeps_records_of(cut.whole())) return;
  const std::string cache = cut.file("cache");
  std::filesystem::create_directory(cache);
  const std::string events = write(cut.file("e.jsonl"), "{\"document\":3,\"reward\":1,\"features\":[\"w001\"]}\n");
  const Args score = {"score", cut.set(), "--events", events};
  const ProgramResult expected = succeeded(with_cache(kNoCache, score));
  wait_for_records();
  for (int times = 0; times < 2; ++times) {
    CHECK(with_cache(cache, score).out == expected.out);
    CHECK(records_in(cache).size() == 3);
  }
  change_secretly(cut.shards()[1] + "/data.npy", [](std::string& bytes) { bytes.back() ^= 1; });
  const ProgramResult damaged = with_cache(cache, score);
  CHECK(damaged.exit_code == 5);
  CHECK(holds(damaged.err, cut.shards()[1] + "/data.npy"));
}

TEST_CASE("programs that check one pool at once leave one record and give the same output") {
  const OldTinyPool tiny;
  const ProgramResult expected = with_cache(kNoCache, tiny.scoring());
  std::vector<std::future<ProgramResult>> running;
  for (int n = 0; n < 8; ++n) running.push_back(std::async(std::launch::async, [&] { return tiny.run(tiny.scoring()); }));
  for (std::future<ProgramResult>& one : running) CHECK(succeeded(one.get()).out == expected.out);
  if (keeps_records_of(tiny.pool)) CHECK(tiny.records() == 1);
}

}  // namespace
}  // namespace inkling::test
