// How one event changes a model and every score, and what a model predicts of a document.
#pragma once

#include <span>

namespace inkling {

/// The effect of one event. With v the direction,
///   theta += mean_gain v      V^-1 += square_gain v v'
/// so for every document x, with p = x.v:  mean += mean_gain p,  width^2 += square_gain p^2.
/// A reward has v = V^-1 x; the birth of a feature has v = (-w, 1); a new precision of a feature has a v along V^-1 e.
/// With a base rate p = x.v + base for every document of the pool.
/// Lifetime: `direction` lends the model's memory until its next event.
struct RankOneChange {
  std::span<const double> direction;  ///< in the model's coordinates
  double mean_gain = 0.0;
  double square_gain = 0.0;
  /// v'Vv over the features that were in use before, at least 0. For a reward, it is the squared width of the played document
  /// before the event, so code that keeps widths can check them. For a birth, it is w'Vw: how much of the new feature the others
  /// explain.
  double leverage = 0.0;
  /// The arithmetic failed and the model was rebuilt from the played documents: apply nothing, score again.
  bool rebuilt = false;
  /// What the base rate adds to p of every document of the pool alike; 0 where the model has none.
  double base = 0.0;
};

struct Prediction {
  double mean;
  double square;  ///< the squared width, x' V^-1 x
};

}  // namespace inkling
