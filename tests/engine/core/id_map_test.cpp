#include "engine/core/id_map.hpp"

#include <map>

#include <doctest/doctest.h>

#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

TEST_CASE("An empty map holds nothing and erases nothing") {
  IdMap<std::int32_t> map;
  CHECK(map.size() == 0);
  CHECK(map.find(0) == IdMap<std::int32_t>::kNone);
  CHECK(map.erase(7) == IdMap<std::int32_t>::kNone);
  CHECK(map.bytes() == 0);
}

/// Sets, replaces, erases and looks up at random, against std::map. Ids come from a few clusters, so that chains of
/// occupied slots form.
template <typename Id>
void compare_with_std_map(std::uint64_t seed, Id spread) {
  RandomStream random = test::stream_for(seed, 1);
  IdMap<Id> map;
  std::map<Id, std::int32_t> twin;
  for (int step = 0; step < 4000; ++step) {
    const Id id = static_cast<Id>(random.below(40)) * spread + static_cast<Id>(random.below(6));
    if (random.coin(0.55)) {
      const auto number = static_cast<std::int32_t>(random.below(1000));
      map.set(id, number);
      twin[id] = number;
    } else {
      const auto found = twin.find(id);
      REQUIRE(map.erase(id) == (found == twin.end() ? IdMap<Id>::kNone : found->second));
      twin.erase(id);
    }
    REQUIRE(map.size() == twin.size());
  }
  for (Id cluster = 0; cluster < 40; ++cluster) {
    for (Id offset = 0; offset < 6; ++offset) {
      const auto found = twin.find(cluster * spread + offset);
      REQUIRE(map.find(cluster * spread + offset) == (found == twin.end() ? IdMap<Id>::kNone : found->second));
    }
  }
}

TEST_CASE("a map of ids equals std::map after any sets and erasures, and its memory follows what is in it") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    compare_with_std_map<std::int32_t>(seed, 1 << static_cast<int>(seed % 20));
    compare_with_std_map<std::int64_t>(seed, std::int64_t{1} << (seed % 50));
  }

  IdMap<std::int32_t> map;
  for (std::int32_t id = 0; id < 100; ++id) map.set(id * 20011, id);
  CHECK(map.bytes() <= 256 * 8);
  for (std::int32_t id = 0; id < 100; ++id) CHECK(map.find(id * 20011) == id);
}

}  // namespace
}  // namespace inkling
