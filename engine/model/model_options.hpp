// The options and the limits of a model of rewards, and what is assumed of the truth.
#pragma once

#include <cstdint>

namespace inkling {

struct PoolView;

/// How the factor is stored: engine/model/README.md says which is faster where. Without CHOLMOD both are dense.
enum class FactorKind { cholmod, dense };

/// Which matrix a model keeps: V, with a row for each feature in use, or K = D^-1 + X Lambda^-1 X', with a
/// row for each document played.
enum class ModelForm { primal, dual };

/// Who keeps the rows that a model learns from.
enum class RowKeeping {
  copied,  ///< the model: rows may come from anywhere, and go away
  lent,    ///< the pool, which outlives the model: saves the memory and the time of copies
};

/// How V^-1 is found: solved for on demand, or kept beside the factor, which takes m^2 more memory and makes rewards and
/// predictions cheaper.
enum class InverseUse { solved, kept };

struct RidgeOptions {
  double ridge = 1.0;  ///< lambda > 0: the precision of a feature that comes into use
  FactorKind factor = FactorKind::cholmod;
  InverseUse inverse = InverseUse::solved;
  /// Features that the factor has room for from the start; beyond, it is rebuilt at each doubling, which
  /// takes as long as hundreds of rewards.
  std::int32_t first_capacity = 128;
  /// With `lent`, the caller keeps each row for as long as the model lives.
  RowKeeping rows = RowKeeping::copied;
  /// The base rate b >= 0: every document has one more feature, of this value, which no pool stores. Its weight is how good
  /// documents are on average, and its precision is `ridge`. With 0 there is no such feature.
  double base = 0.0;
};

/// The ridges a model accepts: with floats in the documents, no product of a scan overflows a double.
inline constexpr double kSmallestRidge = 1e-60;
inline constexpr double kLargestRidge = 1e60;

/// The largest value of a base feature.
inline constexpr double kLargestBase = 1e6;

/// A matrix of this many rows fills 1.6 GB, or 3.2 GB while it grows: no model keeps a larger one.
inline constexpr std::int32_t kLargestGram = 20'000;

/// Throws NumericalError unless it is from kSmallestRidge to kLargestRidge.
void check_precision(double precision);

/// The only place where the form is chosen: the one with the smaller matrix, but always the primal one for few
/// features. `rounds` is how many are expected; 0 if that is not known.
[[nodiscard]] ModelForm model_form(PoolView pool, std::int32_t features_in_use, std::int64_t rounds) noexcept;

/// What is assumed of the rewards and of the truth.
struct ConfidenceOptions {
  double noise = 0.1;       ///< R: the scale of the sub-Gaussian noise; >= 0.
  double norm_bound = 1.0;  ///< S: a bound on the norm of theta*; >= 0.
  double delta = 0.1;       ///< the probability with which the ellipsoid may miss the truth; in (0, 1).
};

}  // namespace inkling
