#include "engine/scoring/live/restricted_score.hpp"

#include "engine/model/ridge_model.hpp"

namespace inkling {

RestrictedScore::RestrictedScore(const RidgeModel& model, double radius) noexcept
    : theta_(model.theta()),
      inverse_(model.kept_inverse()),
      radius_(radius),
      slack_(kSlack / model.ridge()) {}

}  // namespace inkling
