// Makes the models of learners from policy options.
#pragma once

#include <memory>

#include "engine/model/model_options.hpp"

namespace inkling {

class LinearModel;
class ScoredModel;
struct PolicyOptions;
struct PoolView;

/// The options of a model that learns from the rows of a pool, which outlives it.
[[nodiscard]] RidgeOptions options_on_pool(const PolicyOptions& options, InverseUse inverse = InverseUse::solved);

/// An empty model of the form in the options, or by default one that keeps V. It lends the rows of the pool.
[[nodiscard]] std::unique_ptr<LinearModel> model_for(PoolView pool, const PolicyOptions& options);

/// The same model together with the scores of all documents.
[[nodiscard]] ScoredModel scored_model_for(PoolView pool, const PolicyOptions& options);

/// The same for `GradedLearner`: of all features, with the ridge and the base rate of `inkling`. If documents have vectors, it is
/// dual, with a column for each of their numbers after those of the words.
[[nodiscard]] ScoredModel graded_model_for(PoolView pool, const PolicyOptions& options);

/// The form for a model of all features of any pool: above 256 features it is the dual one (one row per rated document),
/// however many documents there are.
[[nodiscard]] ModelForm form_for_all_features(PoolView pool, const PolicyOptions& options);

/// The radius of this model as it is now, of the kind in the options; `automatic` means the ellipsoid's.
[[nodiscard]] double radius_of(const LinearModel& model, const PolicyOptions& options) noexcept;

}  // namespace inkling
