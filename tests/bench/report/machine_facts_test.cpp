#include "bench/report/machine_facts.hpp"

#include <doctest/doctest.h>

namespace inkling::bench {
namespace {

TEST_CASE("The machine has a name for every fact and as many threads as may be used") {
  const MachineFacts facts = machine_facts();
  CHECK(facts.threads >= 1);
  CHECK(facts.cores >= facts.threads);
  CHECK_FALSE(facts.version.empty());
  const auto rows = rows_of(facts);
  CHECK(rows.size() == 8);
  for (const auto& [name, value] : rows) {
    CAPTURE(name);
    CHECK_FALSE(value.empty());
  }
}

}  // namespace
}  // namespace inkling::bench
