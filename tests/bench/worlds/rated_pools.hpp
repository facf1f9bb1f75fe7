// A small pool with rewards, for tests of timed runs.
#pragma once

#include "io/search/simulation/synthetic_pool.hpp"
#include "io/search/simulation/world.hpp"

namespace inkling::test {}

namespace inkling::bench::test {

using namespace inkling::test;  // tests name helpers of both as test::

inline ZipfPoolOptions small_pool() {
  ZipfPoolOptions options;
  options.documents = 400;
  options.features = 300;
  options.mean_tokens = 30.0;
  options.seed = 2;
  return options;
}

inline RatingOptions small_rating() {
  RatingOptions options;
  options.relevant = 12;
  options.mark_probability = 0.3;
  options.seed = 2;
  return options;
}

/// 400 documents over 300 words, 12 of which matter. It cannot be moved, because `rated` lends `pool`.
struct SmallRatedPool {
  PoolMatrix pool = make_zipf_pool(small_pool());
  World rated = rate_pool(pool.view(), small_rating());
};

}  // namespace inkling::bench::test
