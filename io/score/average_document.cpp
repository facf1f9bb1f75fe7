#include "io/score/average_document.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/compensated_sum.hpp"
#include "io/cli/interruption.hpp"
#include "io/file/corrupt_file_error.hpp"
#include "io/pool/open/read_pool.hpp"

namespace inkling {
namespace {

class SumOfDocuments {
 public:
  explicit SumOfDocuments(std::int32_t features) : sums_(static_cast<std::size_t>(features)) {}

  // A mapped file that is written to meanwhile may hold any feature.
  void add(CsrView rows, const std::string& path) {
    constexpr std::int32_t between_looks = 1 << 16;
    for (std::int32_t row = 0; row < rows.rows(); ++row) {
      if (row % between_looks == 0) throw_if_interrupted();
      const SparseRow entries = rows.row(row);
      for (std::size_t n = 0; n < entries.size(); ++n) {
        const auto feature = static_cast<std::size_t>(entries.features[n]);
        if (feature >= sums_.size())
          throw CorruptFileError(pool_file_path(path, PoolFile::row_features),
                                 "was changed while it was being read");
        sums_[feature].add(static_cast<double>(entries.values[n]));
      }
    }
  }

  [[nodiscard]] AverageDocument average(std::int64_t documents) const {
    AverageDocument average;
    average.features.reserve(sums_.size());
    average.values.reserve(sums_.size());
    for (std::size_t feature = 0; feature < sums_.size(); ++feature) {
      const auto mean = static_cast<float>(sums_[feature].value() / static_cast<double>(documents));
      if (mean == 0.0F) continue;
      average.features.push_back(static_cast<FeatureId>(feature));
      average.values.push_back(mean);
    }
    return average;
  }

 private:
  std::vector<CompensatedSum> sums_;
};

void add_read_rows(SumOfDocuments& sum, const PoolMember& member, PoolTrust trust) {
  RowStream stream(dynamic_cast<const ReadPool&>(member).files(), trust);
  for (CsrBlock block; stream.next(block);) sum.add(block.view(), member.path());
}

}  // namespace

AverageDocument average_document(const PoolSet& pools) {
  if (pools.documents() == 0) return {};
  SumOfDocuments sum(pools.features());
  for (std::size_t pool = 0; pool < pools.pools(); ++pool) {
    if (pools.access() == PoolAccess::map)
      sum.add(pools.view(pool).by_document, pools.path(pool));
    else
      add_read_rows(sum, pools.member(pool), pools.trust());
  }
  return sum.average(pools.documents());
}

}  // namespace inkling
