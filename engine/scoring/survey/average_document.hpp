// The mean of all documents, word by word.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling {

/// The mean of all rows of a pool, without its zeros: features ascend.
struct AverageDocument {
  std::vector<FeatureId> features;
  std::vector<float> values;

  [[nodiscard]] SparseRow row() const& noexcept { return {features, values}; }
};

/// Whether a feature held by `holders` of the documents belongs to the average document: at least one document in a thousand must
/// hold it. Rarer features would be most of its features, but almost nothing of its length.
[[nodiscard]] constexpr bool is_of_average(std::int64_t holders, std::int64_t documents) noexcept {
  return 1000 * holders >= documents;
}

/// The mean over the documents of these pools, of every feature that `is_of_average`. It is the compensated sum in the order of
/// the documents, divided by their number and rounded once. If a plain sum must give the same float, it is used, so this takes
/// little longer than reading the values. Features of mean 0 are left out. `between` is called now and then; it may throw to end
/// the work. The mean is that of pools without the documents to leave out, which are numbered through all pools.
[[nodiscard]] AverageDocument average_document(
    std::span<const CsrView> pools_by_feature, const std::function<void()>& between = [] {},
    std::span<const std::int64_t> left_out = {});

[[nodiscard]] AverageDocument average_document(CsrView by_feature, std::span<const DocumentId> left_out = {});

}  // namespace inkling
