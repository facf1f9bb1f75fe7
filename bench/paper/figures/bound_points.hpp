// Measured regrets, each beside what Theorem 2 promises of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/studies/figure.hpp"
#include "bench/paper/figures/theorem_bound.hpp"

namespace inkling::bench {

/// One measured mean beside what is promised of it.
struct BoundPoint {
  double x;  ///< T or k
  Estimate regret;
  double share_below;  ///< of the trials, that keep the bound
  BoundSetting setting;
  RegretBound bound;
};

/// `discovery` is the p of the theorem. Requires: FF-OFUL's trials.
[[nodiscard]] BoundPoint bound_point(double x, const EntrantResult& result, std::int32_t relevant,
                                     double discovery);

/// Measured regret, the bound, its three terms and 2 S L T; both axes logarithmic.
[[nodiscard]] FigureChart bound_chart(const std::vector<BoundPoint>& points, std::string suffix,
                                      std::string title, std::string x_label, std::string caption);

/// `name` is that of x.
[[nodiscard]] FigureTable bound_table(const std::vector<BoundPoint>& points, std::string line,
                                      std::string name);

}  // namespace inkling::bench
