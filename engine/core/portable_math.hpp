// Logarithm, exponential and normal quantile made of additions, multiplications and divisions alone.
//
// A C library may compute these with or without fused multiply-add, depending on the processor, and then
// differs in the last bit; a bandit that breaks a near-tie by that bit takes another path. These give the
// same bits everywhere.
#pragma once

namespace inkling {

/// ln x within 2 units in the last place. Requires: x positive, finite and normal.
[[nodiscard]] double natural_log(double x) noexcept;

/// ln(1 + x) without cancellation for small x, within 3 units in the last place. Requires: x > -1, finite.
[[nodiscard]] double natural_log_plus_one(double x) noexcept;

/// e^x within 2 units in the last place; 0 below -708 and infinity above 709.78. Requires: x not NaN.
[[nodiscard]] double exponential(double x) noexcept;

/// The z with P(N(0,1) <= z) = p, relative error about 1e-16 (Wichura 1988, algorithm AS 241, PPND16).
/// Requires: 0 < p < 1.
[[nodiscard]] double normal_quantile(double p) noexcept;

}  // namespace inkling
