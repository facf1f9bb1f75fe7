// How well two people agree beyond chance: Cohen's kappa.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace inkling {

struct Kappa {
  double kappa = 0.0;
  double deviation = 0.0;  ///< the large-sample standard error
  double low = 0.0;        ///< the interval of 95 % is from `low` to `high`, within -1 and 1
  double high = 0.0;
};

/// `counts` has a row for each category of the first person and a column for each of the second: how many documents got both.
/// Kappa is that of Cohen (1960), A coefficient of agreement for nominal scales; its deviation that of Fleiss, Cohen and Everitt
/// (1969), Large sample standard errors of kappa and weighted kappa, equation 13. Nothing if there is no document, or if
/// both rated every document the same way: chance alone would agree as well. Requires: as many counts as the square of
/// categories, none below 0. Thread safety: pure.
[[nodiscard]] std::optional<Kappa> cohen_kappa(std::span<const std::int64_t> counts, std::size_t categories);

}  // namespace inkling
