#include "bench/paper/data/simulated_person.hpp"

#include <utility>

namespace inkling::bench {

MarkModel simulated_person(std::int32_t features, std::vector<FeatureId> deciding,
                           const MarkingRates& rates) {
  return MarkModel::with_rates(features, std::move(deciding),
                               {.deciding = rates.hit, .others = rates.false_mark});
}

}  // namespace inkling::bench
