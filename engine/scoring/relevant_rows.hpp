// Documents restricted to the relevant features, remembered from one look to the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/model/relevant_features.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling {

/// One relevant feature that a document holds: its position in order of discovery, and its value.
struct RelevantEntry {
  std::int32_t position;
  float value;
};

/// The rows x_R of the documents that were asked for since the features last changed, ascending by feature:
/// scoring one again touches a line or two of memory, where its full row would take ten and a look-up for
/// every feature that does not matter.
/// Lifetime: lends the documents. Thread safety: none.
class RelevantRows {
 public:
  explicit RelevantRows(CsrView documents);

  /// Requires: a row of the documents; the same features as since the last `forget_all`.
  /// Lifetime: until the next call.
  [[nodiscard]] std::span<const RelevantEntry> row(DocumentId document, const RelevantFeatures& features);

  /// The features have changed.
  void forget_all() noexcept;

 private:
  struct Place {
    std::uint32_t generation = 0;
    std::uint32_t size = 0;
    std::size_t begin = 0;
  };

  CsrView documents_;
  std::uint32_t generation_ = 1;
  std::vector<Place> places_;  // by document; valid where of this generation
  std::vector<RelevantEntry> entries_;
};

}  // namespace inkling
