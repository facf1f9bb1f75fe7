// The mean of all documents, word by word.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "engine/policy/policy_options.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling {

/// Whether a feature that so many of the documents hold is one of the average document's: one in a thousand must. The rest
/// would be most of its features, and next to nothing of its length.
[[nodiscard]] constexpr bool is_of_average(std::int64_t holders, std::int64_t documents) noexcept {
  return 1000 * holders >= documents;
}

/// Of every feature that `is_of_average`, the mean over the documents of these pools: the sum is compensated and runs over the documents in
/// their order, and what it is divided by their number is rounded once. Where a plain sum tells that float as well, it
/// does; so this takes little longer than to read the values. Features of mean 0 are left out. `between` is called now and
/// then; it may throw to end the work. Documents may be left out, which are counted through the pools: the mean is
/// that of pools without them.
[[nodiscard]] AverageDocument average_document(
    std::span<const CsrView> pools_by_feature, const std::function<void()>& between = [] {},
    std::span<const std::int64_t> left_out = {});

[[nodiscard]] AverageDocument average_document(CsrView by_feature, std::span<const DocumentId> left_out = {});

}  // namespace inkling
