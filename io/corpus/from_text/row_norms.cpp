#include "io/corpus/from_text/row_norms.hpp"

#include <algorithm>
#include <cstddef>

#include "io/corpus/from_text/columns_of_block.hpp"

namespace inkling {

void RowNorms::append(std::span<const double> norms) {
  kept_.insert(kept_.end(), norms.begin(), norms.end());
  if (!scratch_ && kept_.size() * sizeof(double) <= memory_) return;
  if (!scratch_) scratch_.emplace(staging_);
  static_cast<void>(scratch_->append(std::as_bytes(std::span(kept_))));
  kept_ = {};
}

const double* RowNorms::of_group(std::uint32_t group, std::vector<double>& buffer) const {
  const std::uint64_t first = std::uint64_t{group} * WaitingEntry::rows_of_group;
  if (!scratch_) return kept_.data() + first;
  const std::uint64_t all = scratch_->size() / sizeof(double);
  buffer.resize(static_cast<std::size_t>(std::min<std::uint64_t>(WaitingEntry::rows_of_group, all - first)));
  scratch_->read(first * sizeof(double), std::as_writable_bytes(std::span(buffer)));
  return buffer.data();
}

}  // namespace inkling
