// Documents restricted to the relevant features, remembered from one look to the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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

/// The rows x_R of the documents that were asked for, in order of discovery: scoring one again touches a line
/// or two of memory, where its full row would take ten and a look-up for every feature that does not matter.
/// Documents of the same text have the same rows to the last bit, whenever they were asked for.
/// Lifetime: lends the documents. Thread safety: none.
class RelevantRows {
 public:
  explicit RelevantRows(CsrView documents);

  /// Requires: a row of the documents; the features that this was told of.
  /// Lifetime: until the next call.
  [[nodiscard]] std::span<const RelevantEntry> row(DocumentId document, const RelevantFeatures& features);

  /// A feature was found, and has this position, the last. Rows remembered take it in.
  void append(SparseRow postings, std::int32_t position);

  /// The features have changed in another way.
  void forget_all() noexcept;

 private:
  struct Place {
    std::uint32_t generation = 0;
    std::uint32_t size = 0;
    std::uint32_t room = 0;
    std::size_t begin = 0;
  };

  void remember(DocumentId document, const RelevantFeatures& features);
  void move_to_more_room(Place& place);

  CsrView documents_;
  std::uint32_t generation_ = 1;
  std::vector<Place> places_;  // by document; valid where of this generation
  std::vector<RelevantEntry> entries_;
};

}  // namespace inkling
