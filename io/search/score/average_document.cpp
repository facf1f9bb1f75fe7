#include "io/search/score/average_document.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/core/compensated_sum.hpp"
#include "io/base/system/interruption.hpp"
#include "io/corpus/pool/open/read_pool.hpp"

namespace inkling {
namespace {

// Sums with the bits of the engine's `average_document`: each runs over the documents in the same order.
class SumOfReadRows {
 public:
  explicit SumOfReadRows(std::int32_t features) : sums_(static_cast<std::size_t>(features)), holders_(sums_.size()) {}

  void add(CsrView rows, std::int64_t first_row, SetCopies copies) {
    for (std::int32_t row = 0; row < rows.rows(); ++row) {
      if (std::ranges::binary_search(copies.rows, first_row + row)) continue;
      const SparseRow entries = rows.row(row);
      for (std::size_t n = 0; n < entries.size(); ++n) {
        const auto feature = static_cast<std::size_t>(entries.features[n]);
        sums_[feature].add(static_cast<double>(entries.values[n]));
        ++holders_[feature];
      }
    }
  }

  [[nodiscard]] AverageDocument average(std::int64_t documents) const {
    AverageDocument average;
    for (std::size_t feature = 0; feature < sums_.size(); ++feature) {
      if (!is_of_average(holders_[feature], documents)) continue;
      const auto mean = static_cast<float>(sums_[feature].value() / static_cast<double>(documents));
      if (mean == 0.0F) continue;
      average.features.push_back(static_cast<FeatureId>(feature));
      average.values.push_back(mean);
    }
    return average;
  }

 private:
  std::vector<CompensatedSum> sums_;
  std::vector<std::int64_t> holders_;
};

}  // namespace

AverageDocument average_document(const PoolSet& pools) {
  if (pools.documents() == 0) return {};
  if (pools.access() == PoolAccess::map && pools.is_one_pool()) return pools.mapped(0).survey()->average();
  if (pools.access() == PoolAccess::map) {
    std::vector<CsrView> by_feature;
    for (std::size_t pool = 0; pool < pools.pools(); ++pool) by_feature.push_back(pools.view(pool).by_feature);
    return average_document(by_feature, throw_if_interrupted, pools.copies().rows);
  }
  SumOfReadRows sum(pools.features());
  for (std::size_t pool = 0; pool < pools.pools(); ++pool) {
    RowStream stream(dynamic_cast<const ReadPool&>(pools.member(pool)).files(), pools.trust());
    for (CsrBlock block; stream.next(block);) {
      throw_if_interrupted();
      sum.add(block.view(), pools.first_document(pool) + block.first_row, pools.copies());
    }
  }
  return sum.average(pools.documents() - pools.copies().size());
}

}  // namespace inkling
