#include "bench/report/machine_facts.hpp"

#include <doctest/doctest.h>

#include "io/base/system/limits.hpp"

namespace inkling::bench {
namespace {

TEST_CASE("The machine has a value for every fact and as many threads as may be used") {
  const MachineFacts facts = machine_facts({.one_thread = 12.34e9, .all_threads = 0.0});
  REQUIRE(facts.size() == 8);
  for (const auto& [name, value] : facts) {
    CAPTURE(name);
    CHECK_FALSE(value.empty());
  }
  const int threads = available_threads();
  CHECK(threads >= 1);
  CHECK(facts[1].second.ends_with(", of which this process may use " + std::to_string(threads)));
  CHECK(std::stoi(facts[1].second) >= threads);
  CHECK(facts[3].first == "memory");
  CHECK(facts[3].second.find("kB") == std::string::npos);
  CHECK(facts[4].second == "12.3 GB/s on one thread, not measured on " + std::to_string(threads));
}

}  // namespace
}  // namespace inkling::bench
