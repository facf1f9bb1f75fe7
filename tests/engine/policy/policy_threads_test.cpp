// The same seed gives the same choices at any number of threads and by either way of scoring (PROMISES M4).
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/policy/policy_state.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/test_pool.hpp"
#include "tests/support/engine/with_threads.hpp"

namespace inkling {
namespace {

constexpr std::uint64_t kPolicyThreadsSeed = 151;

struct Reading {
  std::vector<DocumentId> documents;
  std::vector<bool> explored;
  std::vector<double> radii;
  bool operator==(const Reading&) const = default;
};

/// The plays of a policy whose reader rates documents and marks their words at random.
Reading read(const PoolMatrix& pool, const std::string& preset, const PolicyOptions& options, int rounds) {
  Policy policy(pool.view(), preset, options, kPolicyThreadsSeed);
  RandomStream reader(kPolicyThreadsSeed, 0, RandomRole::reward);
  Reading reading;
  for (int round = 0; round < rounds; ++round) {
    const Play play = policy.choose();
    reading.documents.push_back(play.document);
    reading.explored.push_back(play.explored);
    if (play.radius) reading.radii.push_back(*play.radius);
    std::vector<FeatureId> marks;
    for (const FeatureId feature : pool.view().by_document.row(play.document).features)
      if (reader.coin(0.1)) marks.push_back(feature);
    policy.observe(play.document, reader.normal(), marks);
  }
  return reading;
}

PoolMatrix wide_pool(std::int32_t documents) {
  RandomStream random = test::stream_for(kPolicyThreadsSeed);
  return test::random_pool({.documents = documents, .features = 12, .density = 0.25, .degenerate = true}, random);
}

TEST_CASE("every preset makes the same choices at one and two and eight threads") {
  const PoolMatrix pool = wide_pool(40'000);  // ten blocks, so that the threads share them
  for (const Preset& preset : presets()) {
    for (const bool with_replacement : {true, false}) {
      const std::string name(preset.name);
      INFO("seed " << kPolicyThreadsSeed << " " << name << (with_replacement ? " with" : " without") << " replacement");
      const PolicyOptions options{.with_replacement = with_replacement, .first_rounds = 30, .given = {3, 1, 7, 11}};
      const Reading alone = test::with_threads(1, [&] { return read(pool, name, options, 60); });
      CHECK(test::with_threads(2, [&] { return read(pool, name, options, 60); }) == alone);
      CHECK(test::with_threads(8, [&] { return read(pool, name, options, 60); }) == alone);
    }
  }
}

TEST_CASE("rescoring every document in every round chooses the same documents as running scores") {
  const PoolMatrix pool = wide_pool(3000);
  const int rounds = test::cases(200);
  for (const Preset& preset : presets()) {
    if (!preset.uses.scoring) continue;
    for (const bool with_replacement : {true, false}) {
      const std::string name(preset.name);
      INFO("seed " << kPolicyThreadsSeed << " " << name << (with_replacement ? " with" : " without") << " replacement");
      PolicyOptions options{.with_replacement = with_replacement, .first_rounds = 30, .given = {3, 1, 7, 11}};
      options.scoring = Scoring::running;
      const Reading running = read(pool, name, options, rounds);
      options.scoring = Scoring::rescoring;
      CHECK(running == read(pool, name, options, rounds));
    }
  }
}

}  // namespace
}  // namespace inkling
