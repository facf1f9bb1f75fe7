// Replicas with a leader make the same choices as a searcher of the whole pool, even after a replica is made again.
#include "io/parts/live/shard_replica.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <string>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "engine/scoring/survey/average_document.hpp"
#include "io/search/events/event_words.hpp"
#include "io/search/session/searcher.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

/// The messages to a replica in order: an event with the row of its document, or nothing for a proposal.
using LedLog = std::vector<std::optional<LiveMessage>>;

/// A pool cut into shards, each with a replica.
class LedSearch {
 public:
  LedSearch(const CsrMatrix& whole, std::vector<std::int64_t> cuts, std::string policy,
            const PolicyOptions& options, std::uint64_t seed)
      : cuts_(std::move(cuts)), policy_(std::move(policy)), options_(options), seed_(seed) {
    const CsrView rows = whole.view();
    place_.documents = rows.rows();
    place_.nonzeros = rows.nonzeros();
    for (std::size_t n = 0; n + 1 < cuts_.size(); ++n) {
      CsrMatrix part(rows.columns());
      for (std::int64_t i = cuts_[n]; i < cuts_[n + 1]; ++i)
        part.append_row(rows.row(static_cast<std::int32_t>(i)));
      shards_.emplace_back(std::move(part));
      replicas_.emplace_back();
      make(n);
    }
  }

  [[nodiscard]] Play choose() {
    ShardReplica::Proposal best = replicas_.front()->propose();
    for (std::size_t n = 1; n < replicas_.size(); ++n) {
      const ShardReplica::Proposal made = replicas_[n]->propose();
      CHECK(made.explored == best.explored);
      CHECK(made.radius == best.radius);
      if (chosen_before(made.best, best.best)) best = made;
    }
    log_.emplace_back();
    return {static_cast<DocumentId>(best.best.document), best.explored, best.radius};
  }

  void tell(const LiveEvent& event) {
    LiveMessage message = {.event = event};
    for (const auto& replica : replicas_) {
      if (event.document == kNoDocument || !replica->holds(event.document)) continue;
      message.row = replica->row(event.document);
      message.has_row = true;
    }
    for (const auto& replica : replicas_) replica->learn(event, message.has_row ? &message.row : nullptr);
    log_.emplace_back(std::move(message));
  }

  /// Makes a replica again as another worker would, from the messages alone.
  void make(std::size_t shard) {
    place_.first = static_cast<DocumentId>(cuts_[shard]);
    replicas_[shard] =
        std::make_unique<ShardReplica>(shards_[shard].view(), place_, *find_preset(policy_), options_, seed_);
    for (const std::optional<LiveMessage>& entry : log_) {
      if (entry)
        replicas_[shard]->learn(entry->event, entry->has_row ? &entry->row : nullptr);
      else
        static_cast<void>(replicas_[shard]->propose());
    }
  }

  [[nodiscard]] std::size_t shards() const { return replicas_.size(); }
  [[nodiscard]] ShardReplica& replica(std::size_t shard) { return *replicas_[shard]; }

 private:
  std::vector<std::int64_t> cuts_;
  std::string policy_;
  PolicyOptions options_;
  std::uint64_t seed_;
  ShardReplica::Place place_;
  std::deque<PoolMatrix> shards_;
  std::vector<std::unique_ptr<ShardReplica>> replicas_;
  LedLog log_;
};

LiveEvent anything_said(DocumentId document, SparseRow row, std::int32_t features, RandomStream& random) {
  LiveEvent event{.document = document, .reward = random.coin(0.3) ? 1.0 : 0.0};
  for (const FeatureId feature : row.features)
    if (random.coin(0.1)) event.words.push_back({.feature = feature});
  if (random.coin(0.3))
    for (SaidWord& word : event.words) word.confidence = 0.75;
  if (random.coin(0.05)) event.words.push_back({test::between(0, features - 1, random), 1.0, 0.5});
  keep_first_mentions(event.words);
  return event;
}

TEST_CASE(
    "replicas of shards choose as one process with the whole pool does even after they are made again") {
  std::int64_t rounds = 0;
  for (std::uint64_t trial = 0; trial < 24; ++trial) {
    CAPTURE(trial);
    RandomStream random = test::stream_for(2601, trial);
    const std::int32_t documents = test::between(2, 120, random);
    const std::int32_t features = test::between(2, 30, random);
    const CsrMatrix rows = test::random_matrix(
        {.documents = documents, .features = features, .density = 0.2, .degenerate = true}, random);
    CsrMatrix copy(features);
    for (std::int32_t i = 0; i < documents; ++i) copy.append_row(rows.view().row(i));
    const PoolMatrix whole(std::move(copy));
    std::vector<std::int64_t> cuts = {0, documents};
    for (std::uint64_t n = random.below(4); n > 0; --n) cuts.push_back(test::between(0, documents, random));
    std::ranges::sort(cuts);
    PolicyOptions options = {.factor = FactorKind::dense, .with_replacement = false, .first_rounds = 20};
    options.inkling.average =
        std::make_shared<const AverageDocument>(average_document(whole.view().by_feature));
    const std::string name = trial % 3 == 0 ? "inkling" : trial % 3 == 1 ? "ff-oful" : "explore-then-commit";
    Searcher one(whole.view(), {.preset = *find_preset(name), .options = options, .seed = trial});
    LedSearch led(rows, cuts, name, options, trial);
    for (; const std::optional<Offer> offer = one.next(); ++rounds) {
      const Play chosen = led.choose();
      REQUIRE(chosen.document == offer->document);
      CHECK(chosen.explored == offer->explored);
      CHECK((!offer->radius || chosen.radius == offer->radius));
      const SparseRow row = rows.view().row(offer->document);
      const LiveEvent said = anything_said(offer->document, row, features, random);
      one.rate({said.document, said.reward, said.words});
      led.tell(said);
      const std::vector<SaidWord> apart = {{test::between(0, features - 1, random), 0.5}};
      if (!one.history().rates_any_of(apart) && random.coin(0.1)) {
        one.rate_words(apart);
        led.tell({.words = apart});
      }
      if (random.coin(0.02)) led.make(random.below(led.shards()));
    }
    CHECK(led.replica(0).remaining() == 0);
  }
  CHECK(rounds > 200);
}

TEST_CASE("an event that a replica cannot learn is refused and changes nothing") {
  const CsrMatrix rows = test::matrix_of(3, {{{0, 1.0F}}, {{1, 1.0F}}, {{2, 1.0F}}, {{0, 2.0F}}});
  LedSearch led(rows, {0, 2, 4}, "ff-oful", {.factor = FactorKind::dense, .with_replacement = false}, 1);
  ShardReplica& replica = led.replica(0);
  const auto refuses = [&replica](const LiveEvent& event, const OwnedRow* row) {
    CHECK_THROWS_AS(replica.learn(event, row), FormatError);
    CHECK(replica.remaining() == 4);
  };
  const OwnedRow other = {{2}, {1.0F}};
  const OwnedRow wrong = {{3}, {1.0F}};
  refuses({.document = 4}, nullptr);
  refuses({.document = 2}, nullptr);
  refuses({.document = 2}, &wrong);
  refuses({.document = 1, .words = {{3}}}, nullptr);
  refuses({.document = 1, .words = {{3, 1.0, 1.0}}}, nullptr);
  refuses({.document = 1, .words = {{0, 1.0, 2.0}}}, nullptr);
  refuses({.document = 1, .reward = std::nan("")}, nullptr);
  replica.learn({.document = 2, .reward = 1.0, .words = {{2}}}, &other);
  CHECK(replica.remaining() == 3);
  const PoolMatrix shard(test::matrix_of(3, {{{0, 1.0F}}}));
  const auto made = [&shard](const ShardReplica::Place& place, const char* policy) {
    const ShardReplica one(shard.view(), place, *find_preset(policy), {}, 1);
  };
  CHECK_THROWS_AS(made({4, 4, 1}, "ff-oful"), FormatError);
  CHECK_THROWS_AS(made({0, 4, 1}, "inkling"), FormatError);
  CHECK_NOTHROW(made({3, 4, 1}, "ff-oful"));
}

}  // namespace
}  // namespace inkling
