#include "bench/simulation/mark_model.hpp"

#include <utility>

namespace inkling::bench {

MarkModel::MarkModel(std::int32_t features, std::vector<FeatureId> markable, double probability)
    : markable_(std::move(markable)),
      is_markable_(static_cast<std::size_t>(features), false),
      probability_(probability) {
  for (const FeatureId feature : markable_) is_markable_[static_cast<std::size_t>(feature)] = true;
}

void MarkModel::draw(SparseRow document, RandomStream& random, std::vector<FeatureId>& marks) const {
  marks.clear();
  if (markable_.empty()) return;
  for (const FeatureId feature : document.features) {
    if (is_markable_[static_cast<std::size_t>(feature)] && random.coin(probability_))
      marks.push_back(feature);
  }
}

}  // namespace inkling::bench
