#include "engine/model/model_options.hpp"

#include <algorithm>

#include "engine/core/errors.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling {

void check_precision(double precision) {
  if (precision >= kSmallestRidge && precision <= kLargestRidge) return;
  throw NumericalError("the ridge must be from 1e-60 to 1e60, got " + number_text(precision));
}

ModelForm model_form(PoolView pool, std::int32_t features_in_use, std::int64_t rounds) noexcept {
  // Up to this many features, a gram costs microseconds a round, and its inverse can score documents.
  constexpr std::int32_t small_gram = 256;
  const std::int64_t most = rounds > 0 ? rounds : pool.whole_documents();
  const std::int64_t played = std::min<std::int64_t>(most, pool.whole_documents());
  return features_in_use > small_gram && played < features_in_use ? ModelForm::dual : ModelForm::primal;
}

}  // namespace inkling
