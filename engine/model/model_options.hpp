// What a model of rewards can be told, and what is assumed of the truth.
#pragma once

namespace inkling {

/// How the factor is stored: engine/model/README.md says which is faster where. Without CHOLMOD both are dense.
enum class FactorKind { cholmod, dense };

/// Which matrix a model keeps: V, with a row for each feature in use, or K = D^-1 + X Lambda^-1 X', with a
/// row for each document played.
enum class ModelForm { primal, dual };

/// What is assumed of the rewards and of the truth.
struct ConfidenceOptions {
  double noise = 0.1;       ///< R: the scale of the sub-Gaussian noise; >= 0.
  double norm_bound = 1.0;  ///< S: a bound on the norm of theta*; >= 0.
  double delta = 0.1;       ///< the probability with which the ellipsoid may miss the truth; in (0, 1).
};

}  // namespace inkling
