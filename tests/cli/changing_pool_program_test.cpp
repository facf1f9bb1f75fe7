// A file of a pool that is cut short during a command gives an error with exit code 5, never a crash.
#include <filesystem>
#include <fstream>
#include <future>
#include <string>

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "tests/cli/run_program.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {
namespace {

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
