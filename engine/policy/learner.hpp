// How a policy turns what it has seen into the next document.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "engine/core/ids.hpp"
#include "engine/core/random_stream.hpp"
#include "engine/model/confidence_radius.hpp"
#include "engine/model/ridge_model.hpp"
#include "engine/policy/feature_scope.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling {

enum class LearnerKind {
  none,      ///< learns nothing; every play is random
  optimism,  ///< the highest mean + radius * width: OFUL
  thompson,  ///< the highest x.theta~ with theta~ drawn from N(theta, R^2 V^-1)
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

/// Sublinear, unless every feature is in use: then a row is as long as its text, one document costs the
/// square of that, and keeping all scores is less work.
[[nodiscard]] Scoring scoring_for(FeatureScope::Kind scope) noexcept;

struct LearnerOptions {
  RidgeOptions ridge = {};
  ConfidenceOptions confidence = {};
  Scoring scoring = Scoring::automatic;
};

/// A ridge model and a rule to choose by it; a rule that keeps something in step with the model overrides the
/// events. Lifetime: the pool must outlive the learner. Thread safety: none; the work inside may use all
/// threads.
class Learner {
 public:
  Learner(PoolView pool, const LearnerOptions& options) : options_(options), model_(pool, options.ridge) {}
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;
  Learner(Learner&&) = delete;
  Learner& operator=(Learner&&) = delete;
  virtual ~Learner() = default;

  [[nodiscard]] const RidgeModel& model() const noexcept { return model_; }

  /// The feature comes into use, or leaves it. Requires: not in use, or in use.
  virtual void adopt(FeatureId feature) { model_.adopt(feature); }
  virtual void forget(FeatureId feature) { model_.forget(feature); }

  /// Throws FormatError on a bad reward and leaves the learner as it was.
  virtual void observe(DocumentId document, double reward) { model_.observe(document, reward); }

  /// The document is never chosen again.
  virtual void retire(DocumentId document) = 0;

  /// Requires: at least one feature in use and one document not retired.
  [[nodiscard]] virtual DocumentId choose(RandomStream& sampling) = 0;

  /// The confidence radius, where the rule has one.
  [[nodiscard]] virtual std::optional<double> radius() const { return std::nullopt; }

  /// How many documents the rule has looked at so far, in order to choose: scored, or given a new bound.
  [[nodiscard]] virtual std::int64_t documents_scored() const noexcept { return 0; }

 protected:
  /// The radius of the model's confidence ellipsoid.
  [[nodiscard]] double confidence() const noexcept {
    return confidence_radius(model_.log_det_ratio(), model_.ridge(), options_.confidence);
  }

  LearnerOptions options_;
  RidgeModel model_;
};

/// nullptr for LearnerKind::none.
[[nodiscard]] std::unique_ptr<Learner> make_learner(LearnerKind kind, PoolView pool,
                                                    const LearnerOptions& options);

}  // namespace inkling
