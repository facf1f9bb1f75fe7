#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "bench/worlds/world.hpp"
#include "engine/policy/presets.hpp"
#include "io/search/session/searcher.hpp"

namespace inkling::bench {
namespace {

std::int64_t random_number_below(std::int64_t bound, RandomStream& random) {
  return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(bound)));
}

World world_of_topics(std::uint64_t seed, RandomStream& random) {
  WorldOptions options;
  options.pool = {.documents = 300, .features = 40, .words = 8, .zipf = 0.5};
  options.reward = RewardKind::label;
  options.topic_share = 0.03 + 0.3 * random.uniform();
  options.mark_probability = 0.3;
  return make_synthetic_world(options, seed, 0);
}

// Counts over searches that end at a random moment.
struct SearchCoverage {
  int searches = 0;
  int covered = 0;
  std::int64_t unrated = 0;
  std::int64_t bounds = 0;
  double guesses = 0.0;  // the sum of `about`
  std::int64_t truths = 0;
  int with_some_left = 0;
  double ratios = 0.0;  // the sum of bound / truth over searches with some left

  void add(const GoodLeft& left, std::int64_t not_rated, std::int64_t truth) {
    ++searches;
    covered += truth <= left.at_most ? 1 : 0;
    unrated += not_rated;
    bounds += left.at_most;
    guesses += left.about;
    truths += truth;
    if (truth == 0) return;
    ++with_some_left;
    ratios += static_cast<double>(left.at_most) / static_cast<double>(truth);
  }
};

// How a person searches.
struct Habits {
  std::string_view policy;
  std::int64_t sample = 0;        // how many documents are drawn on request, at a random moment
  double skip_share = 0.0;        // of rounds in which the document is skipped
  double named_share = 0.0;       // of rounds in which the person first rates a document of their own choice
  double good_named_share = 0.0;  // the same among rounds in which a good document is shown
};

// A person who rates the documents shown and marks their words.
class SearchingPerson {
 public:
  SearchingPerson(const World& world, const Habits& habits, std::uint64_t seed)
      : world_(world),
        habits_(habits),
        random_(seed, 1, RandomRole::marks),
        searcher_(world.pool, {.preset = *find_preset(habits.policy), .seed = seed, .keep_scores = true}),
        is_rated_(static_cast<std::size_t>(world.pool.documents()), false) {}

  void sample() { searcher_.sample(habits_.sample); }

  void round() {
    const std::optional<Offer> offer = searcher_.next();
    if (!offer) return;
    if (random_.coin(habits_.skip_share))
      searcher_.skip();
    else if (random_.coin(is_good(offer->document) ? habits_.good_named_share : habits_.named_share))
      rate(static_cast<DocumentId>(random_number_below(world_.pool.documents(), random_)));
    else
      rate(offer->document);
  }

  [[nodiscard]] SearchProgress progress() const { return searcher_.progress(); }
  [[nodiscard]] std::int64_t good_left() const {
    std::int64_t good = 0;
    for (DocumentId document = 0; document < world_.pool.documents(); ++document)
      good += is_good(document) && !is_rated_[static_cast<std::size_t>(document)] ? 1 : 0;
    return good;
  }

 private:
  [[nodiscard]] bool is_good(DocumentId document) const { return world_.rewards.expected(document) > 0.0; }

  void rate(DocumentId document) {
    std::vector<FeatureId> marks;
    world_.marks.draw(document, world_.pool.by_document.row(document), random_, marks);
    SearchRating rating = {.document = document, .reward = is_good(document) ? 1.0 : 0.0};
    for (const FeatureId feature : marks) rating.words.push_back({.feature = feature});
    searcher_.rate(rating);
    is_rated_[static_cast<std::size_t>(document)] = true;
  }

  const World& world_;
  Habits habits_;
  RandomStream random_;
  Searcher searcher_;
  std::vector<bool> is_rated_;
};

SearchCoverage coverage_of_searches(const Habits& habits, std::uint64_t seed) {
  constexpr int searches = 500;
  constexpr std::int64_t least_rounds = 30;
  constexpr std::int64_t most_rounds = 300;
  RandomStream random(seed, 0, RandomRole::target);
  SearchCoverage coverage;
  for (int n = 0; n < searches; ++n) {
    const std::uint64_t own_seed = random.next();
    const World world = world_of_topics(own_seed, random);
    SearchingPerson person(world, habits, own_seed);
    const std::int64_t rounds = random_number_below(most_rounds - least_rounds, random) + least_rounds;
    const std::int64_t sampled_from = random_number_below(rounds - least_rounds + 1, random);
    for (std::int64_t round = 0; round < rounds; ++round) {
      if (habits.sample > 0 && round == sampled_from) person.sample();
      person.round();
    }
    const SearchProgress progress = person.progress();
    coverage.add(progress.left, progress.documents - progress.rated, person.good_left());
  }
  return coverage;
}

// The bound must hold in enough searches, and must be well below the number of unrated documents.
void check_coverage(const SearchCoverage& coverage) {
  MESSAGE("the truth lies within the bound in ", coverage.covered, " of ", coverage.searches,
          " searches; bound / truth: ", coverage.ratios / coverage.with_some_left, " on average, where some are left; in all, ",
          coverage.truths, " good of ", coverage.unrated, " unrated, guesses ", coverage.guesses, ", bounds ", coverage.bounds);
  CHECK(coverage.covered * 100 >= coverage.searches * 93);
  CHECK(coverage.bounds > coverage.truths);
  CHECK(coverage.bounds < coverage.unrated * 3 / 4);
}

TEST_CASE("500 searches by ff-oful that end at random have no more good documents left than the bound says") {
  check_coverage(coverage_of_searches({.policy = "ff-oful"}, 61));
}

TEST_CASE("the bound holds even if documents are skipped and others are rated by name") {
  check_coverage(coverage_of_searches({.policy = "ff-oful", .skip_share = 0.1, .named_share = 0.1, .good_named_share = 0.1}, 62));
}

TEST_CASE("the bound holds even if another document is rated first whenever a good one is shown") {
  check_coverage(coverage_of_searches({.policy = "ff-oful", .good_named_share = 0.5}, 64));
}

TEST_CASE("500 searches that never explore except for a sample of 30 have no more good documents left than the bound says") {
  check_coverage(coverage_of_searches({.policy = "oful", .sample = 30}, 63));
}

}  // namespace
}  // namespace inkling::bench
