// A policy that keeps the scores of documents makes the same choices as one that computes them for each choice.
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "engine/policy/policy_state.hpp"
#include "engine/scoring/ranking.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

using test::between;

constexpr std::uint64_t kTiersSeed = 20'261'122;

/// A search by a policy, and all that its reader said.
class Search {
 public:
  Search(const PoolMatrix& pool, const Preset& preset, const PolicyOptions& options, std::uint64_t number)
      : pool_(pool.view()),
        policy_(pool_, preset, options, {kTiersSeed, number, RandomRole::exploration},
                {kTiersSeed, number, RandomRole::sampling}),
        reader_(test::stream_for(kTiersSeed, number)) {}

  [[nodiscard]] Policy& policy() noexcept { return policy_; }

  /// One round; returns the document.
  DocumentId round() {
    const Play play = policy_.choose();
    std::vector<FeatureId> marks;
    for (const FeatureId feature : pool_.by_document.row(play.document).features)
      if (reader_.coin(0.2)) marks.push_back(feature);
    said_.push_back({policy_.state(), play.document, reader_.normal(), marks});
    observe(said_.back());
    return play.document;
  }

  /// Gives the other search all events of this one, so that both are in the same state.
  void tell(Search& other) const {
    for (const Said& said : said_) {
      other.policy_.set_state(said.when);
      other.observe(said);
    }
    other.policy_.set_state(policy_.state());
    other.reader_ = reader_;
  }

 private:
  struct Said {
    PolicyState when;
    DocumentId document = 0;
    double reward = 0.0;
    std::vector<FeatureId> marks = {};
  };

  void observe(const Said& said) { policy_.observe(said.document, said.reward, said.marks); }

  PoolView pool_;
  Policy policy_;
  RandomStream reader_;
  std::vector<Said> said_;
};

TEST_CASE("dropping the scores at any time changes no choice of any policy") {
  for (const Preset& preset : presets()) {
    for (std::uint64_t number = 0; number < 300; ++number) {
      INFO("preset " << preset.name << " problem " << number);
      RandomStream random = test::stream_for(kTiersSeed + 1, number);
      const PoolMatrix pool = test::random_pool(
          {.documents = between(3, 40, random), .features = between(2, 12, random), .density = 0.3, .degenerate = true}, random);
      PolicyOptions options = {
          .factor = FactorKind::dense, .with_replacement = random.coin(0.3), .first_rounds = 3, .given = {0, 1}};
      if (random.coin(0.5)) options.form = ModelForm::dual;
      Search kept(pool, preset, options, number);
      Search dropping(pool, preset, options, number);
      for (int round = 0; round < 25 && !kept.policy().exhausted(); ++round) {
        if (random.coin(0.3)) dropping.policy().keep_scores(random.coin(0.4));
        REQUIRE(dropping.round() == kept.round());
      }
    }
  }
}

TEST_CASE("a ranking is in order and begins with the next choice of a policy that never explores") {
  for (const char* const name : {"oful", "oful-subset", "soft-marks"}) {
    for (std::uint64_t number = 0; number < 100; ++number) {
      INFO("preset " << name << " problem " << number);
      RandomStream random = test::stream_for(kTiersSeed + 2, number);
      const PoolMatrix pool = test::random_pool({.documents = 30, .features = 8, .degenerate = true}, random);
      PolicyOptions options = {.with_replacement = false, .given = {0, 1, 2}};
      Search search(pool, *find_preset(name), options, number);
      for (int round = 0; round < 10; ++round) {
        const std::vector<Ranked> ranking = search.policy().ranking(5);
        REQUIRE(ranking.size() == 5);
        for (std::size_t n = 1; n < ranking.size(); ++n) REQUIRE(ranks_before(ranking[n - 1], ranking[n]));
        const auto not_first = [&](DocumentId document) { return document != ranking[0].document; };
        REQUIRE(search.policy().ranking(1, not_first).front().document == ranking[1].document);
        REQUIRE(search.round() == ranking[0].document);
      }
    }
  }
}

TEST_CASE("a new policy that gets the events and the clock of another chooses as that one") {
  for (const Preset& preset : presets()) {
    for (std::uint64_t number = 0; number < 100; ++number) {
      INFO("preset " << preset.name << " problem " << number);
      RandomStream random = test::stream_for(kTiersSeed + 3, number);
      const PoolMatrix pool = test::random_pool({.documents = 60, .features = 10, .density = 0.3, .degenerate = true}, random);
      PolicyOptions options = {
          .factor = FactorKind::dense, .with_replacement = random.coin(0.3), .first_rounds = 5, .given = {0, 1}};
      Search first(pool, preset, options, number);
      Search second(pool, preset, options, number + 1'000'000);
      const int before = between(0, 30, random);
      for (int round = 0; round < before; ++round) first.round();
      first.tell(second);
      for (int round = 0; round < 20; ++round) REQUIRE(second.round() == first.round());
    }
  }
}

TEST_CASE("a policy without a feature in use ranks nothing") {
  const PoolMatrix pool = test::pool_of(2, {{{0, 1.0F}}, {{1, 1.0F}}});
  Search search(pool, *find_preset("ff-oful"), {}, 0);
  CHECK(search.policy().ranking(2).empty());
}

}  // namespace
}  // namespace inkling
