// The options of policies and their learners, with defaults that need no tuning.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/model/model_options.hpp"

namespace inkling {

/// How optimism finds its document; the choice is the same.
enum class Scoring {
  automatic,  ///< running where every feature is in use from the start, sublinear for all others
  sublinear,  ///< scores only the documents that could win, by a bound on how far any score has moved
  running,    ///< keeps every mean and width through each event
  rescoring,  ///< the plain way: a triangular solve for every document in every round
};

/// What multiplies the width.
enum class RadiusKind {
  automatic,  ///< `posterior` for soft marks, `ellipsoid` for all others
  ellipsoid,  ///< of the confidence ellipsoid: `confidence_radius`
  posterior,  ///< of a posterior that is believed: `posterior_radius`
};

/// What a person said about one word, with a document or on its own (io/search/events/WORDS.md). Without a reward it is a mark:
/// the word is a reason for the document's rating. With a reward it is a rating of the word.
struct SaidWord {
  FeatureId feature = 0;
  std::optional<double> reward = {};  ///< 1: the word makes a document good; -1: it makes it bad
  double confidence = 1.0;            ///< in (0, 1]: how sure the statement is, and how much it counts

  bool operator==(const SaidWord&) const = default;
};

/// How marks and missing marks become prior precisions; 0: the rule of `MarkBeliefs` decides.
struct SoftMarksOptions {
  double unmarked_precision = 0.0;
  double marked_precision = 0.0;
  double mark_probability = 0.0;  ///< p^: the probability that a word that matters is marked when it is shown
};

struct AverageDocument;
class PoolSurvey;

/// The constants of `inkling`. They were chosen on systematic reviews and on searches of 20 Newsgroups.
struct InklingOptions {
  double ridge = 1.0;           ///< the precision of every word and of the base feature
  double base = 1.0;            ///< b
  double balance = 0.3;         ///< if good / bad grades times this is below 1, bad ones weigh less: `GradeBalance`
  double presumed_share = 0.1;  ///< how many bad grades the average document counts as, for each grade; 0: none
  double marks_weight = 4.0;    ///< the new marks of one document count as at most this many grades
  double rated_word = 3.0;      ///< a word that is rated by hand counts as this many marks
  /// How much two documents whose vectors are alike have in common, where 1 is as much as two of the same words. 0: vectors are
  /// ignored.
  double vectors = 0.05;
  /// The average document of the whole pool, for a policy that sees only a part of it and has no survey.
  std::shared_ptr<const AverageDocument> average = {};
  /// The survey of the policy's pool, for several policies to share. Without it, the policy makes its own.
  std::shared_ptr<const PoolSurvey> survey = {};
};

/// Each preset uses some of these: `Preset::uses` says which.
struct PolicyOptions {
  double ridge = 1.0;  ///< lambda > 0: the prior precision of a feature
  double base = 0.0;   ///< b >= 0: `RidgeOptions::base`. Requires 0 where scoring is sublinear.
  FactorKind factor = FactorKind::cholmod;
  ConfidenceOptions confidence = {};
  Scoring scoring = Scoring::automatic;
  RadiusKind radius = RadiusKind::automatic;
  SoftMarksOptions soft_marks = {};
  InklingOptions inkling = {};

  /// How many rounds there will be, or 0 where that is not known: it decides between V and K (`model_form`).
  std::int64_t expected_rounds = 0;
  /// Which of the two matrices a model keeps; without a value, the smaller one. The choices are the same.
  std::optional<ModelForm> form = {};

  bool with_replacement = true;  ///< may a document be chosen again?
  double epoch_constant = 1.0;   ///< c of the epoch schedule
  /// Documents that are never chosen, ascending: the policy is that of a pool without them. Lifetime: lends them.
  std::span<const DocumentId> left_out = {};
  std::int64_t first_rounds = 0;      ///< T0 of explore-then-commit
  std::vector<FeatureId> given = {};  ///< the features of oful-subset
  /// A preset that never explores plays at random with probability 1/sqrt(t) all the same.
  bool forced_exploration = false;
};

}  // namespace inkling
