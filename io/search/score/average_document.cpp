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

  void add(CsrView rows, DocumentId first_row, RowCopies copies) {
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
  if (pools.access() == PoolAccess::map && pools.pools() == 1) return pools.mapped(0).survey()->average();
  if (pools.access() == PoolAccess::map) {
    std::vector<CsrView> by_feature;
    std::vector<std::int64_t> left_out;
    for (std::size_t pool = 0; pool < pools.pools(); ++pool) {
      by_feature.push_back(pools.view(pool).by_feature);
      for (const DocumentId row : pools.member(pool).copies().rows) left_out.push_back(pools.first_document(pool) + row);
    }
    return average_document(by_feature, throw_if_interrupted, left_out);
  }
  std::int64_t documents = pools.documents();
  SumOfReadRows sum(pools.features());
  for (std::size_t pool = 0; pool < pools.pools(); ++pool) {
    const RowCopies copies = pools.member(pool).copies();
    documents -= copies.size();
    RowStream stream(dynamic_cast<const ReadPool&>(pools.member(pool)).files(), pools.trust());
    for (CsrBlock block; stream.next(block);) {
      throw_if_interrupted();
      sum.add(block.view(), static_cast<DocumentId>(block.first_row), copies);
    }
  }
  return sum.average(documents);
}

}  // namespace inkling
