// Pools with wrong contents, given to every command: the exit code is 0 or 5, never a crash, and the same for every way to open
// a pool.
#include <filesystem>
#include <fstream>
#include <future>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "tests/cli/run_program.hpp"
#include "tests/support/io/lying_pools.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {
namespace {

// Commands that open the pool; the last four are the same score in four ways.
std::vector<Args> commands_on(const std::string& pool, const TemporaryFolder& folder) {
  std::vector<Args> commands = {{"verify", pool}, {"info", pool}, {"info", pool, "--json"}};
  for (const char* const format : {"svmlight", "mtx", "npz"})
    commands.push_back({"export", pool, "--to", format, "--out", folder.file("exported")});
  for (const char* const io : {"map", "read"})
    for (const char* const layout : {"rows", "postings"})
      commands.push_back({"score", pool, "--events", folder.file("events"), "--io", io, "--layout", layout});
  return commands;
}

void write_first_events(const TemporaryFolder& folder) {
  write(folder.file("events"), R"({"document": 0, "reward": 1, "features": ["keel"]})"
                               "\n");
}

TEST_CASE_FIXTURE(InFolder, "a pool with wrong contents is refused by every command or by none") {
  write_first_events(folder);
  const std::string path = folder.file("P");
  const std::vector<Lie> lies = all_lies();
  for (std::size_t n = 0; n < lies.size(); n += 47) {
    CAPTURE(lies[n].name);
    PoolToTell pool = sound_pool();
    lies[n].tell(pool);
    write_told_pool(pool, path);
    std::vector<ProgramResult> results;
    for (const Args& command : commands_on(path, folder)) results.push_back(inkling(command));
    const bool is_refused = results.front().exit_code == 5;
    for (const ProgramResult& result : results) {
      CAPTURE(result.err);
      CHECK((result.exit_code == 0 || result.exit_code == 5));
      // A wrong recipe matters only to commands that use it.
      if (!lies[n].name.starts_with("recipe")) CHECK((result.exit_code == 5) == is_refused);
      CHECK(result.out == (result.exit_code == 5 ? "" : result.out));
    }
    for (std::size_t way = results.size() - 4; way < results.size(); ++way) CHECK(results[way].out == results.back().out);
  }
}

TEST_CASE_FIXTURE(InFolder, "a pool with a pipe in place of a file is refused by every command without waiting") {
  write_first_events(folder);
  const std::string path = folder.file("P");
  write_told_pool(sound_pool(), path);
  std::filesystem::remove(path + "/data.npy");
  REQUIRE(::mkfifo((path + "/data.npy").c_str(), 0600) == 0);
  for (const Args& command : commands_on(path, folder))
    check_refused(inkling(command), 5, {path + "/data.npy: expected a file, found a folder, a pipe or a device"});
}

TEST_CASE_FIXTURE(InFolder, "a wrong recipe is refused with its file by the commands that read it") {
  PoolToTell pool = sound_pool();
  pool.manifest.recipe = R"({"text":{}})";
  const std::string path = folder.file("P");
  write_told_pool(pool, path);
  for (const Args& command : {Args{"verify", path}, Args{"info", path}, Args{"build", "--explain", "a", "--out", path}})
    check_refused(inkling(command), 5, {path + "/manifest.json: in \"recipe\": expected a valid member"});
}

// Writes a pool with far more text than a pipe holds, so that an export waits for its reader.
void write_long_pool(const std::string& path) {
  SmallPool pool = {.columns = 400};
  for (int row = 0; row < 400; ++row) {
    RowOfEntries& entries = pool.rows.emplace_back();
    for (FeatureId feature = 0; feature < 400; ++feature) entries.push_back({feature, 0.123456F});
  }
  write_pool(pool, path, {.block_rows = 100});
}

TEST_CASE_FIXTURE(InFolder, "a file that is cut short during an export ends it with exit code 5") {
  const std::string path = folder.file("P");
  const std::string pipe = folder.file("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  for (const char* const name : {"indptr.npy", "indices.npy", "data.npy", "by_feature/data.npy"}) {
    for (const double share : {0.0, 0.4, 0.99}) {
      CAPTURE(name);
      CAPTURE(share);
      write_long_pool(path);
      std::future<ProgramResult> running = std::async(std::launch::async, [&] {
        return inkling({"export", path, "--to", "svmlight", "--out", pipe});
      });
      std::ifstream reader(pipe, std::ios::binary);
      static_cast<void>(reader.get());
      const std::string file = path + "/" + name;
      const auto size = static_cast<double>(std::filesystem::file_size(file));
      std::filesystem::resize_file(file, static_cast<std::uintmax_t>(share * size));
      while (reader.get() != std::ifstream::traits_type::eof()) {
      }
      const ProgramResult result = running.get();
      CHECK(result.exit_code == 5);
      CHECK(holds(result.err, file + ": became shorter while it was being read"));
    }
  }
}

}  // namespace
}  // namespace inkling::test
