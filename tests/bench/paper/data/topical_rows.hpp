// Rows of a few topics with words of their own among words of all, for tests of oracles.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tests/support/engine/test_pool.hpp"

namespace inkling::test {}

namespace inkling::bench::test {

using namespace inkling::test;  // tests name helpers of both as test::

struct TopicalRows {
  CsrMatrix rows;
  std::vector<std::int32_t> labels;  ///< the topics in turn
};

/// Each topic has `own` words, which are in about a third of its rows and in a few rows of other topics. The features after them
/// are the `common` words of all topics.
inline TopicalRows topical_rows(std::int32_t topics, std::int32_t own, std::int32_t common, std::int32_t count) {
  RandomStream random = inkling::test::stream_for(21);
  std::vector<inkling::test::RowOfEntries> rows;
  std::vector<std::int32_t> labels;
  for (std::int32_t i = 0; i < count; ++i) {
    const std::int32_t topic = i % topics;
    inkling::test::RowOfEntries row;
    for (std::int32_t word = 0; word < topics * own + common; ++word) {
      const double chance = word >= topics * own ? 0.3 : word / own == topic ? 0.35 : 0.03;
      if (random.coin(chance)) row.push_back({word, 1.0F});
    }
    rows.push_back(std::move(row));
    labels.push_back(topic);
  }
  return {inkling::test::matrix_of(topics * own + common, rows), std::move(labels)};
}

}  // namespace inkling::bench::test
