// The cost of an idle search: the memory of a policy that keeps no scores, the time of a choice from
// the model alone, ten thousand such policies over one pool, how long soft marks learn from an answer, and how long the
// policy `inkling` takes from one answer to its next document.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <vector>

#include <benchmark/benchmark.h>

#include "engine/policy/policy_state.hpp"
#include "io/base/system/memory.hpp"
#include "io/search/simulation/synthetic_pool.hpp"

namespace inkling::bench {
namespace {

constexpr std::int32_t kEvents = 100;
constexpr std::int32_t kMarkedWords = 30;
constexpr double kMegabyte = 1e6;

/// The pool of this many documents; only the last one is kept.
PoolView search_pool(std::int32_t documents, std::int32_t features) {
  static std::optional<PoolMatrix> pool;
  const bool is_there = pool && pool->view().documents() == documents && pool->view().features() == features;
  if (!is_there) {
    pool.reset();
    pool.emplace(make_zipf_pool({.documents = documents, .features = features}));
  }
  return pool->view();
}

/// A policy that keeps no scores, after kEvents ratings of random documents in which kMarkedWords were marked.
std::unique_ptr<Policy> taught_policy(PoolView pool, std::uint64_t number) {
  PolicyOptions options;
  options.with_replacement = false;
  RandomStream reader(1, number, RandomRole::reward);
  auto policy = std::make_unique<Policy>(pool, *find_preset("ff-oful"), options, RandomStream(1, number, RandomRole::exploration),
                                         RandomStream(1, number, RandomRole::sampling));
  policy->keep_scores(false);
  for (std::int32_t event = 0; event < kEvents; ++event) {
    const auto document = static_cast<DocumentId>(reader.below(static_cast<std::uint64_t>(pool.documents())));
    const std::span<const FeatureId> words = pool.by_document.row(document).features.unchecked();
    std::vector<FeatureId> marks;
    // Words of the middle: not the most common ones, and not those that a document or two hold.
    for (std::size_t n = words.size() / 2; n < words.size() && policy->features_in_use() < kMarkedWords; ++n) {
      if (policy->learner()->uses(words[n])) continue;
      marks = {words[n]};
      break;
    }
    policy->pass_round();
    policy->observe(document, reader.normal(), marks);
  }
  return policy;
}

double resident_bytes() {
  std::ifstream counts("/proc/self/statm");
  double all = 0.0;
  double resident = 0.0;
  counts >> all >> resident;
  return resident * static_cast<double>(page_bytes());
}

/// The memory of one policy, and the time in which it finds the best document; bytes_a_policy should not grow with the pool.
void search_warm_choice(benchmark::State& state) {
  const PoolView pool = search_pool(static_cast<std::int32_t>(state.range(0)), 200'000);
  static_cast<void>(taught_policy(pool, 0)->ranking(1));  // starts the threads
  constexpr std::uint64_t policies = 16;
  std::vector<std::unique_ptr<Policy>> taught;
  taught.reserve(policies);
  const double before = static_cast<double>(allocated_memory());
  for (std::uint64_t number = 0; number < policies; ++number) {
    taught.push_back(taught_policy(pool, number));
    static_cast<void>(taught.back()->ranking(1));
  }
  state.counters["bytes_a_policy"] = (static_cast<double>(allocated_memory()) - before) / static_cast<double>(policies);
  std::size_t next = 0;
  for (auto _ : state) benchmark::DoNotOptimize(taught[next++ % taught.size()]->ranking(1));
}

/// Each of ten thousand policies makes one choice.
void search_many_policies(benchmark::State& state) {
  const PoolView pool = search_pool(100'000, 200'000);
  static_cast<void>(taught_policy(pool, 0)->ranking(1));
  return_free_memory();
  const double before = resident_bytes();
  std::vector<std::unique_ptr<Policy>> policies;
  for (std::int64_t number = 0; number < state.range(0); ++number)
    policies.push_back(taught_policy(pool, static_cast<std::uint64_t>(number)));
  std::size_t next = 0;
  for (auto _ : state) benchmark::DoNotOptimize(policies[next++ % policies.size()]->ranking(1));
  state.counters["resident_MB"] = (resident_bytes() - before) / kMegabyte;
}

/// One iteration is one observe of a search of 40 ratings, its choice not counted; then the next search begins. The
/// reader marks words that matter to them, a third of all, every third time that one is shown.
void search_soft_marks_observe(benchmark::State& state) {
  using Clock = std::chrono::steady_clock;
  const PoolView pool = search_pool(4868, 47'757);
  PolicyOptions options;
  options.with_replacement = false;
  constexpr int ratings = 40;
  RandomStream reader(1, 0, RandomRole::reward);
  std::unique_ptr<Policy> policy;
  int rating = 0;
  double worst = 0.0;
  for (auto _ : state) {
    if (rating++ % ratings == 0) {
      policy = std::make_unique<Policy>(pool, *find_preset("soft-marks"), options, RandomStream(1, 0, RandomRole::exploration),
                                        RandomStream(1, 0, RandomRole::sampling));
      policy->keep_scores(state.range(0) == 1);
    }
    const DocumentId document = policy->choose().document;
    const std::span<const FeatureId> words = pool.by_document.row(document).features.unchecked();
    std::vector<FeatureId> marks;
    for (const FeatureId word : words)
      if (word > 30 && word % 3 == 0 && reader.coin(0.3)) marks.push_back(word);
    const double reward = reader.normal();
    const auto start = Clock::now();
    policy->observe(document, reward, marks);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    state.SetIterationTime(seconds);
    worst = std::max(worst, seconds);
  }
  state.counters["worst_ms"] = worst * 1e3;
}

/// One iteration is an answer and the next choice, in a search of 200 documents; then the next one begins. Good is what
/// holds a word of a few that the reader likes.
void search_inkling_round(benchmark::State& state) {
  using Clock = std::chrono::steady_clock;
  const bool is_small = state.range(0) == 4868;
  const PoolView pool = search_pool(static_cast<std::int32_t>(state.range(0)), is_small ? 47'757 : 200'000);
  PolicyOptions options;
  options.with_replacement = false;
  constexpr int ratings = 200;
  constexpr FeatureId liked = 211;
  const auto is_good = [&](DocumentId document) {
    return std::ranges::any_of(pool.by_document.row(document).features, [](FeatureId word) { return word % liked == liked - 1; });
  };
  std::unique_ptr<Policy> policy;
  DocumentId document = 0;
  int rating = 0;
  double worst = 0.0;
  for (auto _ : state) {
    if (rating % ratings == 0) {
      policy = std::make_unique<Policy>(pool, *find_preset("inkling"), options, RandomStream(1, 0, RandomRole::exploration),
                                        RandomStream(1, 0, RandomRole::sampling));
      document = policy->choose().document;
    }
    const auto start = Clock::now();
    policy->observe(document, is_good(document) ? 1.0 : 0.0, {});
    document = policy->choose().document;
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    state.SetIterationTime(seconds);
    if (rating++ % ratings != 0) worst = std::max(worst, seconds);  // the first one reads the whole pool
  }
  state.counters["worst_ms"] = worst * 1e3;
}

BENCHMARK(search_inkling_round)
    ->ArgName("documents")
    ->Arg(4868)
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->Iterations(400)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(search_soft_marks_observe)
    ->ArgName("scores_kept")
    ->Arg(0)
    ->Arg(1)
    ->Iterations(120)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(search_warm_choice)
    ->ArgName("documents")
    ->Arg(10'000)
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(search_many_policies)
    ->ArgName("policies")
    ->Arg(10'000)
    ->Iterations(10'000)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace inkling::bench
