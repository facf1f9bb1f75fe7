// Both ways to store a factor, for tests that hold for each.
#pragma once

#include <array>

#include "engine/model/cholesky_factor.hpp"

namespace inkling::test {

inline constexpr std::array<FactorKind, 2> kFactorKinds = {FactorKind::cholmod, FactorKind::dense};

[[nodiscard]] constexpr const char* name_of(FactorKind kind) noexcept {
  return kind == FactorKind::cholmod ? "cholmod" : "dense";
}

}  // namespace inkling::test
