// Replicas with a leader choose as a searcher of the whole pool does and learn the same to the last bit, even after they are
// made again.
#include "io/parts/live/shard_replica.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <memory>
#include <set>
#include <span>
#include <string>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "engine/scoring/ranking.hpp"
#include "engine/scoring/survey/average_document.hpp"
#include "io/search/events/event_words.hpp"
#include "io/search/session/searcher.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

std::vector<double> weights_of(const Policy& policy, std::int32_t features) {
  std::vector<double> weights;
  if (policy.learner() == nullptr) return weights;
  for (FeatureId feature = 0; feature < features; ++feature) weights.push_back(policy.learner()->weight(feature));
  return weights;
}

/// A random search: a pool and its answers, which depend on the number, the round and the document alone.
struct LiveCase {
  std::string policy = "ff-oful";
  std::uint64_t number = 0;
  std::int64_t rounds = 2000;
  std::int32_t documents = 500;
  std::int32_t features = 40;
  bool with_replacement = false;
  bool has_copies = false;
  PolicyOptions options = {};

  /// Of five documents one has the text of an earlier one, most of which are in other shards.
  [[nodiscard]] CopiedRows copies() const {
    CopiedRows copies;
    for (DocumentId row = 3; has_copies && row < documents; row += 5) copies.add(row, row / 10 * 5);
    return copies;
  }

  [[nodiscard]] CsrMatrix pool() const {
    RandomStream random = test::stream_for(2405, number);
    const CsrMatrix made = test::random_matrix(
        {.documents = documents, .features = features, .density = features > 256 ? 0.03 : 0.15, .degenerate = true}, random);
    CsrMatrix rows(features);
    const CopiedRows repeated = copies();
    for (DocumentId row = 0; row < documents; ++row) rows.append_row(made.view().row(repeated.view().original_of(row)));
    return rows;
  }

  /// The first row of each shard, and the number of all rows. A shard may hold no rows.
  [[nodiscard]] std::vector<std::int32_t> cuts(int shards) const {
    RandomStream random = test::stream_for(2406, number);
    std::vector<std::int32_t> cuts = {0, documents};
    for (int shard = 1; shard < shards; ++shard) cuts.push_back(test::between(0, documents, random));
    std::ranges::sort(cuts);
    return cuts;
  }

  [[nodiscard]] PolicyOptions options_for(PoolView whole) const {
    PolicyOptions resolved = options;
    resolved.inkling.average = std::make_shared<const AverageDocument>(average_document(whole.by_feature, copies().rows));
    resolved.factor = FactorKind::dense;
    resolved.with_replacement = with_replacement;
    return resolved;
  }

  /// The answer of a round: a rating with marks, and sometimes words that are rated beside it.
  [[nodiscard]] SearchRating answer(std::int64_t round, DocumentId document, SparseRow row) const {
    RandomStream random = test::stream_for(2407 + number, static_cast<std::uint64_t>(round));
    SearchRating answer{.document = document};
    double mean = 0.0;
    for (std::size_t n = 0; n < row.size(); ++n)
      mean += static_cast<double>(row.values[n]) * (row.features[n] % 5 == 0 ? 1.0 : row.features[n] % 7 == 0 ? -1.0 : 0.0);
    answer.reward = policy == "inkling" ? (mean > 0.8 ? 1.0 : 0.0) : mean + 0.3 * random.normal();
    for (const FeatureId feature : row.features)
      if (random.coin(feature % 5 == 0 ? 0.1 : 0.01)) answer.words.push_back({.feature = feature});
    if (random.coin(0.3))
      for (SaidWord& word : answer.words) word.confidence = 0.75;
    if (random.coin(0.02)) answer.words.push_back({test::between(0, features - 1, random), random.coin(0.5) ? 1.0 : -1.0, 0.5});
    keep_first_mentions(answer.words);
    return answer;
  }
};

/// A pool cut into shards, each with a replica.
class LedSearch {
 public:
  LedSearch(const LiveCase& live, const PoolMatrix& whole, int shards)
      : live_(live), rows_(whole.view().by_document), cuts_(live.cuts(shards)) {
    options_ = live.options_for(whole.view());
    for (std::size_t n = 0; n + 1 < cuts_.size(); ++n) {
      CsrMatrix part(rows_.columns());
      for (std::int32_t i = cuts_[n]; i < cuts_[n + 1]; ++i) part.append_row(rows_.row(i));
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
      if (made.best.document == kNoDocument) continue;
      if (best.best.document == kNoDocument || ranks_before(made.best, best.best)) best = made;
    }
    log_.emplace_back();
    return {best.best.document, best.explored, best.radius};
  }

  void learn(DocumentId document, double reward, const std::vector<SaidWord>& words) {
    const bool brings_row = document != kNoDocument && brought_.insert(document).second;
    log_.push_back(Given{document, reward, words, brings_row});
    for (const auto& replica : replicas_) give(*replica, *log_.back());
  }

  /// Makes a replica again as another worker would, from the messages alone.
  void make(std::size_t shard) {
    const ShardReplica::Place place = {cuts_[shard], rows_.rows(), rows_.nonzeros(), live_.copies().rows};
    replicas_[shard] =
        std::make_unique<ShardReplica>(shards_[shard].view(), place, *find_preset(live_.policy), options_, live_.number);
    for (const std::optional<Given>& given : log_)
      if (given)
        give(*replicas_[shard], *given);
      else
        static_cast<void>(replicas_[shard]->propose());
  }
  void make_any(RandomStream& random) { make(random.below(replicas_.size())); }

  void check_learned(const Policy& expected) const {
    for (const auto& replica : replicas_) {
      CHECK(replica->remaining() == expected.remaining().size());
      CHECK(replica->policy().features_in_use() == expected.features_in_use());
      CHECK(weights_of(replica->policy(), live_.features) == weights_of(expected, live_.features));
    }
  }

 private:
  struct Given {
    DocumentId document;
    double reward;
    std::vector<SaidWord> words;
    bool brings_row;
  };

  void give(ShardReplica& replica, const Given& given) const {
    const SparseRow row = given.brings_row ? rows_.row(given.document) : SparseRow{};
    replica.learn({given.document, given.reward, given.words}, given.brings_row ? &row : nullptr);
  }

  LiveCase live_;
  CsrView rows_;
  std::vector<std::int32_t> cuts_;
  PolicyOptions options_;
  std::deque<PoolMatrix> shards_;
  std::vector<std::unique_ptr<ShardReplica>> replicas_;
  std::vector<std::optional<Given>> log_;  // nothing: a proposal
  std::set<DocumentId> brought_;           // whose rows all replicas have
};

struct LiveCounts {
  std::int64_t rounds = 0;
  std::int64_t explored = 0;
  std::int64_t apart = 0;
  std::int32_t features_in_use = 0;
};

/// Searches the whole pool, and its shards by each of these numbers of replicas.
LiveCounts check_same_choices(const LiveCase& live, std::span<const int> numbers_of_shards) {
  const PoolMatrix whole(live.pool());
  const CopiedRows copies = live.copies();
  Searcher one(whole.view(), {.preset = *find_preset(live.policy),
                              .options = live.options_for(whole.view()),
                              .seed = live.number,
                              .with_replacement = live.with_replacement,
                              .copies = copies.view()});
  std::deque<LedSearch> led;
  for (const int shards : numbers_of_shards) led.emplace_back(live, whole, shards);
  LiveCounts counts;
  RandomStream random = test::stream_for(2601, live.number);
  for (; counts.rounds < live.rounds; ++counts.rounds) {
    const std::optional<Offer> offer = one.next();
    if (!offer) break;
    const SearchRating answer = live.answer(counts.rounds, offer->document, whole.view().by_document.row(offer->document));
    const std::vector<SaidWord> apart = {{test::between(0, live.features - 1, random), 0.5}};
    counts.explored += offer->explored ? 1 : 0;
    one.rate(answer);
    const bool rates_apart = random.coin(0.05) && !one.history().rates_any_of(apart);
    if (rates_apart) one.rate_words(apart);
    counts.apart += rates_apart ? 1 : 0;
    for (LedSearch& search : led) {
      const Play chosen = search.choose();
      REQUIRE(chosen.document == offer->document);
      CHECK(chosen.explored == offer->explored);
      CHECK((!offer->radius || chosen.radius == offer->radius));
      search.learn(*answer.document, answer.reward, answer.words);
      if (rates_apart) search.learn(kNoDocument, 0.0, apart);
      if (random.coin(4.0 / static_cast<double>(live.rounds))) search.make_any(random);
    }
  }
  for (const LedSearch& search : led) search.check_learned(one.policy());
  counts.features_in_use = one.policy().features_in_use();
  return counts;
}

TEST_CASE("1 and 2 and 4 shards with births and random plays choose and learn as one process does") {
  for (const Scoring scoring : {Scoring::sublinear, Scoring::running, Scoring::rescoring}) {
    for (const bool with_replacement : {true, false}) {
      CAPTURE(static_cast<int>(scoring));
      CAPTURE(with_replacement);
      LiveCase live = {.number = 1 + static_cast<std::uint64_t>(scoring) * 2 + (with_replacement ? 1 : 0),
                       .rounds = scoring == Scoring::sublinear ? test::cases(2000) : 300,
                       .documents = with_replacement ? 500 : 3000,
                       .with_replacement = with_replacement};
      live.options.scoring = scoring;
      const LiveCounts counts = check_same_choices(live, std::array{1, 2, 4});
      CHECK(counts.rounds == live.rounds);
      CHECK(counts.explored > 20);
      CHECK(counts.apart > 2);
      CHECK(counts.features_in_use > 5);
    }
  }
}

TEST_CASE("texts that several shards have are offered once as one process does") {
  for (std::uint64_t search = 0; search < test::cases(20U); ++search) {
    CAPTURE(search);
    LiveCase live = {.policy = search % 2 == 0 ? "inkling" : "ff-oful",
                     .number = 300 + search,
                     .documents = 40 + static_cast<std::int32_t>(search),
                     .has_copies = true};
    CHECK(check_same_choices(live, std::array{1, 2, 3, 7}).rounds == live.documents - std::ssize(live.copies().rows));
  }
}

TEST_CASE("every policy chooses the same over shards") {
  for (const Preset& preset : presets()) {
    if (!preset.learner || preset.name == "oful-subset") continue;
    for (const std::int32_t features : {30, 300}) {
      CAPTURE(preset.name);
      CAPTURE(features);
      LiveCase live = {.policy = std::string(preset.name),
                       .number = 100 + static_cast<std::uint64_t>(features),
                       .rounds = 60,
                       .documents = 150,
                       .features = features,
                       .with_replacement = features == 30};
      live.options.first_rounds = 20;
      live.options.confidence.noise = 0.3;
      CHECK(check_same_choices(live, std::array{2, 3}).rounds == 60);
    }
  }
}

TEST_CASE("shards of a small pool choose as one process does until nothing is left") {
  for (std::uint64_t trial = 0; trial < test::cases(24U); ++trial) {
    CAPTURE(trial);
    RandomStream random = test::stream_for(2602, trial);
    LiveCase live;
    live.policy = trial % 3 == 0 ? "inkling" : trial % 3 == 1 ? "ff-oful" : "explore-then-commit";
    live.number = 200 + trial;
    live.documents = test::between(2, 120, random);
    live.features = test::between(2, 30, random);
    live.options.first_rounds = 20;
    CHECK(check_same_choices(live, std::array{test::between(1, 4, random)}).rounds == live.documents);
  }
}

TEST_CASE("an event that a replica cannot learn is refused and changes nothing") {
  const PoolMatrix shard(test::matrix_of(3, {{{0, 1.0F}}, {{1, 1.0F}}}));
  const auto replica_at = [&shard](const ShardReplica::Place& place, const char* policy) {
    return std::make_unique<ShardReplica>(shard.view(), place, *find_preset(policy),
                                          PolicyOptions{.factor = FactorKind::dense, .with_replacement = false}, 1);
  };
  const auto replica = replica_at({0, 4, 4}, "ff-oful");
  const auto refuses = [&replica](DocumentId document, double reward, std::vector<SaidWord> words, const SparseRow* row) {
    CHECK_THROWS_AS(replica->learn({document, reward, words}, row), FormatError);
    CHECK(replica->remaining() == 4);
  };
  const std::vector<FeatureId> features = {2, 3};
  const std::vector<float> values = {1.0F, 1.0F};
  const auto entry = [&](std::size_t n, std::size_t numbers) -> SparseRow {
    return {std::span(features).subspan(n, 1), std::span(values).first(numbers)};
  };
  const SparseRow other = entry(0, 1);
  const SparseRow wrong = entry(1, 1);
  const SparseRow long_row = entry(0, 2);
  refuses(4, 0.0, {}, nullptr);
  refuses(2, 0.0, {}, nullptr);
  refuses(2, 0.0, {}, &wrong);
  refuses(2, 0.0, {}, &long_row);
  refuses(1, 0.0, {{3}}, nullptr);
  refuses(1, 0.0, {{3, 1.0, 1.0}}, nullptr);
  refuses(1, 0.0, {{0, 1.0, 2.0}}, nullptr);
  refuses(1, std::nan(""), {}, nullptr);
  replica->learn({2, 1.0, std::array{SaidWord{2}}}, &other);
  CHECK(replica->remaining() == 3);
  CHECK_THROWS_AS(replica_at({3, 4, 1}, "ff-oful"), FormatError);
  CHECK_THROWS_AS(replica_at({0, 4, 1}, "inkling"), FormatError);
  CHECK_NOTHROW(replica_at({2, 4, 1}, "ff-oful"));
}

/// A number from `low` to `high`, or at times one that cannot be.
std::int32_t any_number(std::int32_t low, std::int32_t high, RandomStream& random) {
  constexpr std::array outside = {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max(), -2};
  return random.coin(0.03) ? outside[random.below(outside.size())] : test::between(low, high, random);
}

double any_real(double good, RandomStream& random) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr std::array outside = {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()};
  return random.coin(0.03) ? outside[random.below(outside.size())] : good;
}

TEST_CASE("among random events a replica learns those that it does not refuse, and no trace of the others") {
  LiveCase live = {.documents = 60, .features = 12};
  const PoolMatrix whole(live.pool());
  const CsrView rows = whole.view().by_document;
  CsrMatrix held(live.features);
  for (std::int32_t i = 20; i < 40; ++i) held.append_row(rows.row(i));
  const PoolMatrix shard(std::move(held));
  const ShardReplica::Place place = {20, live.documents, rows.nonzeros()};
  std::int64_t refused = 0;
  for (std::uint64_t trial = 0; trial < test::cases(100U); ++trial) {
    CAPTURE(trial);
    RandomStream random = test::stream_for(2408, trial);
    const auto made = [&] {
      return std::make_unique<ShardReplica>(shard.view(), place, *find_preset("ff-oful"), live.options_for(whole.view()), trial);
    };
    const auto all = made();
    const auto valid = made();
    for (int event = 0; event < 40 && all->remaining() > 1; ++event) {
      const DocumentId document = any_number(kNoDocument, live.documents - 1, random);
      std::vector<SaidWord> words;
      for (std::uint64_t n = random.below(3); n > 0; --n)
        words.push_back({any_number(0, live.features - 1, random), any_real(0.5, random), any_real(0.5, random)});
      std::vector<FeatureId> features;
      std::vector<float> values;
      for (FeatureId feature = 0; feature < live.features; feature += test::between(1, 6, random)) {
        features.push_back(any_number(feature, feature, random));
        values.push_back(static_cast<float>(any_real(1.0, random)));
      }
      if (random.coin(0.03)) values.push_back(1.0F);
      const SparseRow row = {features, values};
      const PastEvent given = {document, any_real(1.0, random), words};
      try {
        all->learn(given, &row);
      } catch (const FormatError&) {
        ++refused;
        continue;
      }
      valid->learn(given, &row);
    }
    CHECK(weights_of(all->policy(), live.features) == weights_of(valid->policy(), live.features));
    const Ranked best = all->propose().best;
    const Ranked expected = valid->propose().best;
    CHECK(best.document == expected.document);
    CHECK(best.score == expected.score);
  }
  CHECK(refused > test::cases(200));
}

}  // namespace
}  // namespace inkling
