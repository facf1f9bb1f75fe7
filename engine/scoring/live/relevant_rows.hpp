// Documents restricted to the relevant features, cached between calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/id_map.hpp"
#include "engine/model/relevant_features.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling {

/// One relevant feature that a document holds: its position in order of discovery, and its value.
struct RelevantEntry {
  std::int32_t position;
  float value;
};

/// Appends the entries of the row in order of discovery.
void restrict_row(SparseRow row, const RelevantFeatures& features, std::vector<RelevantEntry>& entries);

/// A cache of the requested rows x_R, in order of discovery: scoring one again reads a cache line or two, while its full row
/// takes ten and a look-up of every irrelevant feature. Features found since the last request of a row are looked up at the next
/// one. Documents of the same text have the same rows to the last bit, whenever they are requested. Lifetime: lends the
/// documents. Thread safety: none.
class RelevantRows {
 public:
  explicit RelevantRows(CsrView documents) : documents_(documents) {}

  /// Requires: a row of the documents; the features of the last call, and more after them.
  /// Lifetime: until the next call.
  [[nodiscard]] std::span<const RelevantEntry> row(DocumentId document, const RelevantFeatures& features);

  /// Calls `visit(document, row)` for each of the documents, as row() gives it. Much faster than one by one, because it
  /// prefetches.
  template <typename Visit>
  void for_each(std::span<const DocumentId> documents, const RelevantFeatures& features, const Visit& visit) {
    for (std::size_t n = 0; n < documents.size(); ++n) {
      if (n + 3 * kAhead < documents.size()) place_of_.prefetch(documents[n + 3 * kAhead]);
      if (n + 2 * kAhead < documents.size()) prefetch_place(documents[n + 2 * kAhead]);
      if (n + kAhead < documents.size()) prefetch_row(documents[n + kAhead], features);
      visit(documents[n], row(documents[n], features));
    }
  }

 private:
  struct Place {
    std::size_t begin = 0;
    std::uint32_t size = 0;
    std::uint32_t room = 0;
    std::int32_t features = 0;  // the number of relevant features at the last request of the row
  };

  /// How many documents ahead memory is prefetched.
  static constexpr std::size_t kAhead = 8;

  void prefetch_place(DocumentId document) const noexcept;
  void prefetch_row(DocumentId document, const RelevantFeatures& features) const noexcept;
  void remember(DocumentId document, const RelevantFeatures& features);
  void look_up(DocumentId document, const RelevantFeatures& features, Place& place);
  void append(const RelevantEntry& entry, Place& place);

  CsrView documents_;
  IdMap<DocumentId> place_of_;
  std::vector<Place> places_;
  std::vector<RelevantEntry> entries_;
  std::vector<RelevantEntry> found_;  // kept for its memory
};

}  // namespace inkling
