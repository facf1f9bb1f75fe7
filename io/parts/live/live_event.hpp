// What a worker tells all others of a live search, as bytes.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "engine/policy/policy_options.hpp"
#include "engine/scoring/ranking.hpp"
#include "engine/sparse/sparse_row.hpp"

namespace inkling {

/// What was said: of a document, of words, or both.
struct LiveEvent {
  DocumentId document = kNoDocument;  ///< in the numbering of the set
  double reward = 0.0;
  std::vector<SaidWord> words = {};
};

/// A row that owns its entries.
struct OwnedRow {
  std::vector<FeatureId> features;
  std::vector<float> values;

  [[nodiscard]] SparseRow view() const& noexcept { return {features, values}; }
  SparseRow view() const&& = delete;
};

/// An event with the row of its document, where the one who tells it holds that.
struct LiveMessage {
  LiveEvent event;
  bool has_row = false;
  OwnedRow row = {};
};

/// For a worker of the same program on a machine of the same kind. `row` is nullptr where it is not held.
[[nodiscard]] std::vector<std::byte> bytes_of(const LiveEvent& event, const SparseRow* row);
[[nodiscard]] std::vector<std::byte> bytes_of(SparseRow row);

/// The same back. Throws FormatError, naming the sender, where the bytes are too few or too many, or where the row is
/// none of so many features.
[[nodiscard]] LiveMessage message_of(std::span<const std::byte> bytes, std::int32_t features,
                                     const std::string& sender);
[[nodiscard]] OwnedRow row_of(std::span<const std::byte> bytes, std::int32_t features,
                              const std::string& sender);

}  // namespace inkling
