#include "engine/scoring/relevant_postings.hpp"

#include <algorithm>
#include <cassert>

namespace inkling {

RelevantPostings::RelevantPostings(CsrView by_feature) : by_feature_(by_feature) {}

void RelevantPostings::append(FeatureId feature) {
  const SparseRow postings = by_feature_.row(feature);
  Starts starts;
  starts.reserve(static_cast<std::size_t>(blocks()) + 1);
  auto from = postings.features.begin();
  for (std::int32_t index = 0; index < blocks(); ++index) {
    from = std::lower_bound(from, postings.features.end(), block(index).first);
    starts.push_back(static_cast<std::int32_t>(from - postings.features.begin()));
  }
  starts.push_back(static_cast<std::int32_t>(postings.size()));
  postings_.push_back(postings);
  starts_.push_back(std::move(starts));
}

void RelevantPostings::remove(std::int32_t position) {
  assert(position >= 0 && static_cast<std::size_t>(position) < postings_.size());
  postings_.erase(postings_.begin() + position);
  starts_.erase(starts_.begin() + position);
}

void RelevantPostings::multiply(std::int32_t index, std::span<const double> direction,
                                std::span<double> products) const {
  assert(direction.size() == postings_.size() && products.size() == block(index).size());
  std::ranges::fill(products, 0.0);
  const auto at = static_cast<std::size_t>(index);
  double* const to = products.data() - block(index).first;
  for (std::size_t a = 0; a < direction.size(); ++a) {
    const double weight = direction[a];
    if (weight == 0.0) continue;
    const DocumentId* const documents = postings_[a].features.data();
    const float* const values = postings_[a].values.data();
    const std::int32_t end = starts_[a][at + 1];
    for (std::int32_t n = starts_[a][at]; n < end; ++n)
      to[documents[n]] += weight * static_cast<double>(values[n]);
  }
}

}  // namespace inkling
