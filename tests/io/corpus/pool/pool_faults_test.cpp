// Promises C4 and C5: of each kind of call the first, the second and so on fails, until a pool is written without a fault.
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/corpus/pool/write/staged_file.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

// How many more calls succeed. It is global, because plain functions replace the calls.
std::atomic<int> calls_left = 0;
std::atomic<int> calls_made = 0;

bool is_the_one(int error) {
  ++calls_made;
  if (--calls_left != 0) return false;
  errno = error;
  return true;
}

// The calls, of which one fails: the one with this number, counted from now on.
WriteCalls failing_at(int call, WriteCalls calls) {
  calls_left = call;
  calls_made = 0;
  return calls;
}

struct Fault {
  std::string name;
  int error;
  WriteCalls calls;
  int fewest_calls;  // how many of this kind a build makes at least
};

std::vector<Fault> faults() {
  const WriteCalls sound = test::calls_without_fsync();
  std::vector<Fault> faults;
  WriteCalls calls = sound;
  calls.write = [](int descriptor, const void* bytes, std::size_t count) -> ssize_t {
    return is_the_one(ENOSPC) ? -1 : ::write(descriptor, bytes, count);
  };
  faults.push_back({"write", ENOSPC, calls, 16});
  calls = sound;
  calls.write = [](int descriptor, const void* bytes, std::size_t count) -> ssize_t {
    // The disk takes half of this write, and then no more.
    if (calls_left <= 0 && calls_made > 0) return errno = ENOSPC, -1;
    return ::write(descriptor, bytes, is_the_one(0) ? count / 2 : count);
  };
  faults.push_back({"half a write", ENOSPC, calls, 16});
  calls = sound;
  calls.fsync = [](int) { return is_the_one(EIO) ? -1 : 0; };
  faults.push_back({"fsync", EIO, calls, 20});
  calls = sound;
  calls.exchange = [](const char* one, const char* other) {
    return is_the_one(EACCES) ? -1 : WriteCalls::of_system().exchange(one, other);
  };
  faults.push_back({"exchange", EACCES, calls, 1});
  calls = sound;
  calls.exchange = [](const char*, const char*) { return errno = ENOSYS, -1; };
  calls.rename = [](const char* from, const char* to) {
    return is_the_one(EXDEV) ? -1 : std::rename(from, to);
  };
  faults.push_back({"rename", EXDEV, calls, 2});
  return faults;
}

TEST_CASE("when any call fails the old pool stays, and nothing else") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("P");
  const test::SmallPool older = test::small_pool();
  test::SmallPool newer = older;
  newer.recipe = R"({"source":"newer"})";
  for (const Fault& fault : faults()) {
    INFO(fault.name);
    int call = 1;
    for (bool passed = false; !passed; ++call) {
      INFO("call " << call);
      test::write_pool(older, path, {.calls = test::calls_without_fsync()});
      try {
        test::write_pool(newer, path, {.calls = failing_at(call, fault.calls)});
        passed = true;
      } catch (const SystemError& error) {
        CHECK(error.error_number() == fault.error);
        CHECK(error.path().starts_with(path));
        CHECK(error.path().find("partial") == std::string::npos);
      }
      CHECK(Pool::open(path).manifest().recipe == (passed ? newer : older).recipe);
      CHECK(folder.entries() == 1);
      REQUIRE(call < 1000);
    }
    CHECK(call - 2 >= fault.fewest_calls);
  }
}

TEST_CASE("without an old pool a fault leaves nothing at all") {
  const test::TemporaryFolder folder;
  WriteCalls calls = test::calls_without_fsync();
  calls.fsync = [](int) { return is_the_one(EIO) ? -1 : 0; };
  int failed = 0;
  for (; !std::filesystem::exists(folder.file("P")); ++failed) {
    try {
      test::write_pool(test::small_pool(), folder.file("P"), {.calls = failing_at(failed + 1, calls)});
    } catch (const SystemError&) {
      CHECK(folder.entries() == 0);
    }
    REQUIRE(failed < 1000);
  }
  CHECK(failed > 15);
}

TEST_CASE("a fault leaves an empty folder that stood at the target") {
  const test::TemporaryFolder folder;
  for (const bool can_exchange : {true, false}) {
    WriteCalls calls = test::calls_without_fsync();
    calls.fsync = [](int) { return is_the_one(EIO) ? -1 : 0; };
    if (!can_exchange) calls.exchange = [](const char*, const char*) { return errno = ENOSYS, -1; };
    int failed = 0;
    for (bool passed = false; !passed; ++failed) {
      std::filesystem::remove_all(folder.file("P"));
      std::filesystem::create_directory(folder.file("P"));
      try {
        test::write_pool(test::small_pool(), folder.file("P"), {.calls = failing_at(failed + 1, calls)});
        passed = true;
      } catch (const SystemError&) {
        CHECK(std::filesystem::is_empty(folder.file("P")));
      }
      CHECK(folder.entries() == 1);
      REQUIRE(failed < 1000);
    }
    CHECK(failed > 15);
  }
}

TEST_CASE("interrupted and short writes do not change what is written") {
  const test::TemporaryFolder folder;
  WriteCalls calls = test::calls_without_fsync();
  calls.write = [](int descriptor, const void* bytes, std::size_t count) -> ssize_t {
    if (++calls_made % 2 == 1) return errno = EINTR, -1;
    return ::write(descriptor, bytes, std::min<std::size_t>(count, 7));
  };
  test::write_pool(test::small_pool(), folder.file("P"), {.calls = calls});
  test::write_pool(test::small_pool(), folder.file("Q"));
  CHECK(test::PoolBytes(folder.file("P")).files() == test::PoolBytes(folder.file("Q")).files());
}

TEST_CASE("the first failed fsync ends the writing") {
  const test::TemporaryFolder folder;
  WriteCalls calls = test::calls_without_fsync();
  calls.fsync = [](int) { return is_the_one(EIO) ? -1 : 0; };
  CHECK_THROWS_AS(test::write_pool(test::small_pool(), folder.file("P"), {.calls = failing_at(3, calls)}),
                  SystemError);
  CHECK(calls_made == 3);
}

TEST_CASE("a full disk names the file and the bytes that were to be written") {
  const test::TemporaryFolder folder;
  WriteCalls calls = test::calls_without_fsync();
  calls.write = [](int, const void*, std::size_t) -> ssize_t { return errno = ENOSPC, -1; };
  PoolStaging staging(folder.file("P"), calls);
  StagedArray<double> idf(staging, "idf.npy");
  idf.append(1.5);
  CHECK_THROWS_WITH_AS(
      idf.close(),
      (folder.file("P/idf.npy") + ": cannot write 136 bytes at 0: No space left on device").c_str(),
      SystemError);
  ScratchFile scratch(staging);
  const std::vector<std::byte> bytes(5000);
  CHECK_THROWS_WITH_AS(
      scratch.append(bytes),
      (folder.file("P") + ": cannot write 5,000 bytes of temporary data after 0: No space left on device")
          .c_str(),
      SystemError);
}

}  // namespace
}  // namespace inkling
