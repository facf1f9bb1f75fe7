// Promises C4 and C5: of each kind of call the first, the second and so on fails, until a pool is written without a fault.
#include <cerrno>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/corpus/pool/write/staged_file.hpp"
#include "tests/support/io/failing_system.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

using test::every, test::FailingSystem;

struct PoolFault {
  std::string name;
  int error;
  std::function<FailingSystem::Decide(int number)> at;
  int fewest_calls;  // how many of this kind a build makes at least
};

FailingSystem::Decide without_exchange(FailingSystem::Decide otherwise) {
  return [otherwise = std::move(otherwise)](const test::PresentCall& present) {
    return present.call == SystemCall::exchange ? Fault{.error = ENOSYS} : otherwise(present);
  };
}

std::vector<PoolFault> faults() {
  const auto at = [](int error, SystemCall call) {
    return [=](int number) { return test::one(number, {.error = error}, {call}); };
  };
  return {{"write", ENOSPC, at(ENOSPC, SystemCall::write), 16},
          {"half a write", ENOSPC, test::full_disk, 16},
          {"fsync", EIO, at(EIO, SystemCall::sync), 20},
          {"exchange", EACCES, at(EACCES, SystemCall::exchange), 1},
          {"rename", EXDEV, [=](int number) { return without_exchange(at(EXDEV, SystemCall::rename)(number)); }, 2}};
}

TEST_CASE_FIXTURE(test::InFolder, "when any call fails the old pool stays, and nothing else") {
  const std::string path = folder.file("P");
  const test::SmallPool older = test::small_pool();
  test::SmallPool newer = older;
  newer.recipe = R"({"source":"newer"})";
  for (const PoolFault& fault : faults()) {
    INFO(fault.name);
    int call = 1;
    for (bool passed = false; !passed; ++call) {
      INFO("call " << call);
      test::write_pool(older, path);
      try {
        const FailingSystem system(fault.at(call));
        test::write_pool(newer, path);
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

TEST_CASE_FIXTURE(test::InFolder, "without an old pool a fault leaves nothing at all") {
  int failed = 0;
  for (; !std::filesystem::exists(folder.file("P")); ++failed) {
    try {
      const FailingSystem system(test::one(failed + 1, {.error = EIO}, {SystemCall::sync}));
      test::write_pool(test::small_pool(), folder.file("P"));
    } catch (const SystemError&) {
      CHECK(folder.entries() == 0);
    }
    REQUIRE(failed < 1000);
  }
  CHECK(failed > 15);
}

TEST_CASE_FIXTURE(test::InFolder, "a fault leaves an empty folder that stood at the target") {
  for (const bool can_exchange : {true, false}) {
    int failed = 0;
    for (bool passed = false; !passed; ++failed) {
      std::filesystem::remove_all(folder.file("P"));
      std::filesystem::create_directory(folder.file("P"));
      try {
        const auto decide = test::one(failed + 1, {.error = EIO}, {SystemCall::sync});
        const FailingSystem system(can_exchange ? decide : without_exchange(decide));
        test::write_pool(test::small_pool(), folder.file("P"));
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

TEST_CASE_FIXTURE(test::InFolder, "interrupted and short writes change nothing, and the first failed fsync ends the writing") {
  {
    const FailingSystem system(test::slow_disk(7));
    test::write_pool(test::small_pool(), folder.file("P"));
  }
  test::write_pool(test::small_pool(), folder.file("Q"));
  CHECK(test::PoolBytes(folder.file("P")).files() == test::PoolBytes(folder.file("Q")).files());

  const FailingSystem system(test::one(3, {.error = EIO}, {SystemCall::sync}));
  CHECK_THROWS_AS(test::write_pool(test::small_pool(), folder.file("P")), SystemError);
  CHECK(system.made(SystemCall::sync) == 3);
}

TEST_CASE_FIXTURE(test::InFolder, "a full disk names the file and the bytes that were to be written") {
  PoolStaging staging(folder.file("P"));
  const FailingSystem system(every(SystemCall::write, ENOSPC));
  StagedArray<double> idf(staging, "idf.npy");
  idf.append(1.5);
  CHECK_THROWS_WITH_AS(idf.close(), (folder.file("P/idf.npy") + ": cannot write 136 bytes at 0: No space left on device").c_str(),
                       SystemError);
  ScratchFile scratch(staging);
  const std::vector<std::byte> bytes(5000);
  CHECK_THROWS_WITH_AS(
      scratch.append(bytes),
      (folder.file("P") + ": cannot write 5,000 bytes of temporary data after 0: No space left on device").c_str(), SystemError);
}

}  // namespace
}  // namespace inkling
