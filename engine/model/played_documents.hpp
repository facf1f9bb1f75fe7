// What has been played and what came back: the memory from which any feature can be born later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/core/compensated_sum.hpp"
#include "engine/core/ids.hpp"

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
    const std::int32_t entry = entry_of_[static_cast<std::size_t>(document)];
    return entry == kNeverPlayed ? nullptr : &entries_[static_cast<std::size_t>(entry)];
  }

 private:
  static constexpr std::int32_t kNeverPlayed = -1;

  std::vector<std::int32_t> entry_of_;  // by document
  std::vector<PlayedDocument> entries_;
  std::int64_t plays_ = 0;
};

}  // namespace inkling
