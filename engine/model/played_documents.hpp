// What has been played and what came back: a model can be built again from it, and any feature born later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/core/compensated_sum.hpp"
#include "engine/core/ids.hpp"
#include "engine/sparse/restricted_rows.hpp"

namespace inkling {

/// Everything a ridge model needs of the plays of one document.
struct PlayedDocument {
  DocumentId document;
  std::int64_t plays;
  CompensatedSum reward_sum;
};

/// One entry a distinct document, in order of its first play: bounded by the pool, however long the run.
class PlayedDocuments {
 public:
  explicit PlayedDocuments(std::int32_t documents_in_pool)
      : entry_of_(static_cast<std::size_t>(documents_in_pool), kNeverPlayed) {}

  /// Requires: `document` is a row of the pool.
  void record(DocumentId document, double reward) {
    std::int32_t& entry = entry_of_[static_cast<std::size_t>(document)];
    if (entry == kNeverPlayed) {
      entry = static_cast<std::int32_t>(entries_.size());
      entries_.push_back({document, 0, {}});
    }
    PlayedDocument& played = entries_[static_cast<std::size_t>(entry)];
    ++played.plays;
    ++plays_;
    played.reward_sum.add(reward);
  }

  /// Of all documents together.
  [[nodiscard]] std::int64_t plays() const noexcept { return plays_; }

  [[nodiscard]] std::span<const PlayedDocument> in_order() const noexcept { return entries_; }

  /// Its place in `in_order`, or nothing where it has not been played.
  [[nodiscard]] std::optional<std::size_t> place(DocumentId document) const noexcept {
    const std::int32_t entry = entry_of_[static_cast<std::size_t>(document)];
    if (entry == kNeverPlayed) return std::nullopt;
    return static_cast<std::size_t>(entry);
  }

  /// The document's plays, or nullptr where it has none. Valid until the next `record`.
  [[nodiscard]] const PlayedDocument* find(DocumentId document) const noexcept {
    const std::optional<std::size_t> entry = place(document);
    return entry ? &entries_[*entry] : nullptr;
  }

 private:
  static constexpr std::int32_t kNeverPlayed = -1;

  std::vector<std::int32_t> entry_of_;  // by document
  std::vector<PlayedDocument> entries_;
  std::int64_t plays_ = 0;
};

/// Played documents restricted to the relevant features, each with a weight (how often it was played): what a
/// factor is rebuilt from.
class PlayedRows {
 public:
  void append(RestrictedRow row, double weight) {
    rows_.append(row);
    weights_.push_back(weight);
  }

  [[nodiscard]] std::size_t size() const noexcept { return weights_.size(); }
  [[nodiscard]] double weight(std::size_t index) const noexcept { return weights_[index]; }
  /// Valid until the next `append`.
  [[nodiscard]] RestrictedRow row(std::size_t index) const noexcept { return rows_.row(index); }

 private:
  RestrictedRows rows_;
  std::vector<double> weights_;
};

}  // namespace inkling
