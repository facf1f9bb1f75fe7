// Every choice of every policy against the plain twin's, over thousands of random small problems.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/policy/policy_state.hpp"
#include "engine/policy/presets.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/reference_policy.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

using test::between, test::Real, test::ReferencePlay, test::ReferencePolicy;

constexpr std::uint64_t kPolicyTwinSeed = 20'260'101;
constexpr auto kProblemsOfEachPreset = test::cases<std::uint64_t>(8000);
constexpr auto kFewProblems = kProblemsOfEachPreset / 5;

/// Counts of choices, and of ties that rounding decided.
struct PolicyTally {
  std::int64_t choices = 0;
  std::int64_t greedy = 0;
  std::int64_t numerical_ties = 0;
};

/// Two scores that only rounding tells apart.
bool numerically_tied(Real a, Real b) { return std::fabs(a - b) <= 1e-9L * std::max(std::fabs(a), std::fabs(b)); }

/// Whether two numbers agree within 1e-9, or, for a badly conditioned gram, within 100 times its condition number times the
/// rounding error (M1).
bool near(double radius, Real right, Real condition) {
  const Real rounding = 100.0L * condition * static_cast<Real>(std::numeric_limits<double>::epsilon());
  return std::fabs(static_cast<Real>(radius) - right) <= std::max(1e-9L, rounding) * right;
}

/// Thompson's draw depends on the order of the factor; only the dense one keeps the order of discovery.
FactorKind factor_for(const std::string& preset, RandomStream& random) {
  const bool dense = random.coin(0.5) || test::draws_from_posterior(preset);
  return dense ? FactorKind::dense : FactorKind::cholmod;
}

constexpr Scoring kScoringMix[] = {Scoring::sublinear, Scoring::sublinear, Scoring::running, Scoring::rescoring};

PolicyOptions random_options(const std::string& preset, std::int32_t features, RandomStream& random) {
  PolicyOptions options = {.ridge = std::ldexp(1.0, between(-7, 10, random)), .factor = factor_for(preset, random)};
  options.confidence.noise = random.coin(0.1) ? 0.0 : 0.01 + random.uniform();
  options.confidence.norm_bound = 0.1 + random.uniform();
  options.confidence.delta = 0.01 + 0.9 * random.uniform();
  options.scoring = kScoringMix[random.below(std::size(kScoringMix))];
  if (preset == "soft-marks") {
    options.confidence.noise = 0.05 + random.uniform();
    options.soft_marks.mark_probability = random.coin(0.3) ? random.uniform() : 0.0;
  }
  options.with_replacement = random.coin(0.5);
  options.epoch_constant = 0.25 + 2.0 * random.uniform();
  options.first_rounds = between(0, 10, random);
  options.given = test::shuffled(features, random);
  options.given.resize(static_cast<std::size_t>(between(0, features, random)));
  return options;
}

/// Half of all problems use the dual model, except those that it cannot match: it subtracts squared widths from |x|^2 / lambda,
/// which is inexact for rows of wild lengths, and its Thompson draws are others.
PolicyOptions with_form(const std::string& preset, bool wild, PolicyOptions options) {
  const bool suits = !wild && !test::draws_from_posterior(preset);
  if (suits && options.factor == FactorKind::dense) options.form = ModelForm::dual;
  return options;
}

/// An engine and its twin at the same problem, and the reader who answers both.
class Problem {
 public:
  Problem(const std::string& preset, std::uint64_t number)
      : random_(test::stream_for(kPolicyTwinSeed, number)),
        wild_(preset != "soft-marks" && random_.coin(0.3)),
        pool_(test::random_pool({.documents = between(3, 14, random_),
                                 .features = between(2, 8, random_),
                                 .density = 0.2 + 0.6 * random_.uniform(),
                                 .degenerate = true,
                                 .wild_values = wild_},
                                random_)),
        options_(with_form(preset, wild_, random_options(preset, pool_.view().features(), random_))),
        truth_(static_cast<std::size_t>(pool_.view().features())),
        engine_(pool_.view(), find_preset(preset).value(), options_, {kPolicyTwinSeed, number, RandomRole::exploration},
                {kPolicyTwinSeed, number, RandomRole::sampling}),
        twin_(pool_.view(), preset, options_, {kPolicyTwinSeed, number, RandomRole::exploration},
              {kPolicyTwinSeed, number, RandomRole::sampling}) {
    for (double& weight : truth_) weight = random_.normal();
  }

  /// Plays to the end. Returns what went wrong; empty if nothing did.
  std::string play(PolicyTally& tally) {
    const std::int32_t rounds = between(12, 25, random_);
    for (std::int32_t round = 0; round < rounds && !engine_.exhausted(); ++round) {
      const std::string trouble = play_round(tally);
      if (!trouble.empty()) return "round " + std::to_string(round + 1) + ": " + trouble;
      if (random_.coin(0.1)) observe(between(0, pool_.view().documents() - 1, random_));  // from outside
    }
    return engine_.exhausted() == twin_.exhausted() ? "" : "only one of the two is exhausted";
  }

 private:
  std::string play_round(PolicyTally& tally) {
    const ReferencePlay expected = twin_.choose();
    const Play play = engine_.choose();
    ++tally.choices;
    if (play.explored != expected.explored) return "only one of the two explored";
    if (play.radius.has_value() != expected.radius.has_value()) return "only one of the two has a radius";
    if (play.radius && !near(*play.radius, *expected.radius, expected.condition_bound))
      return "radius " + std::to_string(*play.radius) + " for " + std::to_string(*expected.radius);
    if (!play.explored) ++tally.greedy;
    if (play.document != expected.document) {
      if (play.explored) return "another random document";
      const std::optional<Real> chosen = expected.scores.at(static_cast<std::size_t>(play.document));
      const Real best = *expected.scores.at(static_cast<std::size_t>(expected.document));
      if (!chosen) return "a document that may not be chosen";
      if (!numerically_tied(*chosen, best)) {
        return "document " + std::to_string(play.document) + " of score " + std::to_string(*chosen) + " for " +
               std::to_string(expected.document) + " of score " + std::to_string(best) + ", apart by " +
               std::to_string(static_cast<double>((best - *chosen) / best) * 1e9) + "e-9";
      }
      ++tally.numerical_ties;
    }
    observe(play.document);
    return {};
  }

  void observe(DocumentId document) {
    const SparseRow row = pool_.view().by_document.row(document);
    const double reward = dot(row, truth_) + options_.confidence.noise * random_.normal();
    std::vector<FeatureId> marks;
    for (const FeatureId feature : row.features)
      if (random_.coin(0.2)) marks.push_back(feature);
    if (random_.coin(0.02)) marks.push_back(between(0, pool_.view().features() - 1, random_));  // not in the text
    if (!marks.empty() && random_.coin(0.1)) marks.push_back(marks.front());                    // twice
    std::vector<double> confidences;
    if (random_.coin(0.2)) confidences.assign(marks.size(), 0.1 + 0.9 * random_.uniform());
    engine_.observe(document, reward, marks, confidences);
    twin_.observe(document, reward, marks, confidences);
  }

  RandomStream random_;
  bool wild_;
  PoolMatrix pool_;
  PolicyOptions options_;
  std::vector<double> truth_;
  Policy engine_;
  ReferencePolicy twin_;
};

void every_choice_equals_the_twins(const std::string& preset, std::uint64_t first, std::uint64_t last) {
  PolicyTally tally;
  for (std::uint64_t number = first; number < last; ++number) {
    INFO("seed " << kPolicyTwinSeed << " preset " << preset << " problem " << number);
    const std::string trouble = Problem(preset, number).play(tally);
    CHECK_MESSAGE(trouble.empty(), trouble);
  }
  MESSAGE(preset << ": " << tally.choices << " choices, " << tally.greedy << " not at random, " << tally.numerical_ties
                 << " numerical ties");
  CHECK(tally.choices > 10 * static_cast<std::int64_t>(last - first) / 2);
  CHECK(tally.numerical_ties * 1000 < tally.choices);
}

// Ratings of words have a twin of their own (inkling_learner_test.cpp).
void every_choice_equals_the_twins(std::uint64_t first, std::uint64_t last) {
  for (const Preset& preset : presets())
    if (!preset.uses.word_ratings) every_choice_equals_the_twins(std::string(preset.name), first, last);
}

TEST_CASE("every choice of a policy equals the plain twin's") { every_choice_equals_the_twins(0, kFewProblems); }

TEST_CASE("every choice of a policy equals the plain twin's in more problems" * doctest::test_suite("slow without sanitizers")) {
  every_choice_equals_the_twins(kFewProblems, kProblemsOfEachPreset);
}

}  // namespace
}  // namespace inkling
