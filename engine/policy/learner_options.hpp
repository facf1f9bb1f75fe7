// What learners can be told: plain settings, with defaults that need no tuning where there is a rule.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/core/ids.hpp"
#include "engine/model/confidence_radius.hpp"
#include "engine/model/linear_model.hpp"

namespace inkling {

enum class LearnerKind {
  none,       ///< learns nothing; every play is random
  optimism,   ///< the highest mean + radius * width: OFUL
  thompson,   ///< the highest x.theta~ with theta~ drawn from N(theta, R^2 V^-1)
  persuaded,  ///< optimism on all features, with precisions that marks lower and silence raises
  sketched,   ///< optimism on a frequent-directions sketch of the played documents
  projected,  ///< optimism on random projections of the documents: CBRAP
  lasso,      ///< the highest x.theta on the features that a thresholded Lasso finds
};

/// How optimism finds its document; the choice is the same.
enum class Scoring {
  automatic,  ///< what suits the features in use: `scoring_for`
  sublinear,  ///< scores only the documents that could win, by a bound on how far any score has moved
  running,    ///< keeps every mean and width through each event
  rescoring,  ///< the plain way: a triangular solve for every document in every round
};
inline constexpr Scoring kScorings[] = {Scoring::automatic, Scoring::sublinear, Scoring::running,
                                        Scoring::rescoring};

[[nodiscard]] std::string_view scoring_name(Scoring scoring) noexcept;

/// What multiplies the width.
enum class RadiusKind {
  automatic,  ///< `posterior` for soft marks, `ellipsoid` for all others
  ellipsoid,  ///< of the confidence ellipsoid: `confidence_radius`
  posterior,  ///< of a posterior that is believed: `posterior_radius`
};
inline constexpr RadiusKind kRadiusKinds[] = {RadiusKind::automatic, RadiusKind::ellipsoid,
                                              RadiusKind::posterior};

[[nodiscard]] std::string_view radius_name(RadiusKind radius) noexcept;

/// A feature that a person marked, and how sure it is that the mark was meant.
struct Mark {
  FeatureId feature = 0;
  double confidence = 1.0;  ///< in (0, 1]
};

/// How marks and silence become prior precisions: 0 where the rule of `MarkBeliefs` decides.
struct SoftMarksOptions {
  double unmarked_precision = 0.0;
  double marked_precision = 0.0;
  double mark_probability = 0.0;  ///< p^, with which a word that matters is marked where it is shown
};

struct SketchOptions {
  std::int32_t directions = 50;  ///< rows of the sketch
};

struct ProjectionOptions {
  std::int32_t dimensions = 50;
  std::uint64_t seed = 1;  ///< of the projection
};

struct LassoOptions {
  double scale = 0.01;  ///< lambda_0: the penalty in round t is scale * sqrt(2 ln t ln d / t)
};

struct LearnerOptions {
  RidgeOptions ridge = {};
  ConfidenceOptions confidence = {};
  Scoring scoring = Scoring::automatic;
  RadiusKind radius = RadiusKind::automatic;
  /// How many rounds there will be, or 0 where nobody knows: what decides between V and K (`model_form`).
  std::int64_t expected_rounds = 0;
  /// Nothing for the smaller of both; the choice of documents is the same.
  std::optional<ModelForm> form = {};
  SoftMarksOptions soft_marks = {};
  SketchOptions sketch = {};
  ProjectionOptions projection = {};
  LassoOptions lasso = {};
};

}  // namespace inkling
