// The played documents with their rewards: a model can be rebuilt from them, and features adopted later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/core/compensated_sum.hpp"
#include "engine/core/id_map.hpp"
#include "engine/core/ids.hpp"
#include "engine/model/row_store.hpp"
#include "engine/sparse/restricted_rows.hpp"

namespace inkling {

/// All that a ridge model needs of the plays of one document, except its row.
struct PlayedDocument {
  std::int64_t document = 0;  ///< the key under which it was recorded
  std::int64_t plays = 0;
  CompensatedSum reward_sum;    ///< of rewards times their weights
  double weight = 0.0;          ///< sum over all plays: their number if each has the weight 1
  double base = 0.0;            ///< the value of the base feature
  double reward_squares = 0.0;  ///< sum of squared rewards times their weights
};

/// A played document that holds a feature: its place, and the feature's value in it.
struct PlayedEntry {
  std::size_t place;
  double value;
};

/// One entry for each distinct document, in order of its first play, with its row.
class PlayedDocuments {
 public:
  /// For rows with this many columns.
  explicit PlayedDocuments(std::int32_t columns, RowKeeping keeping = RowKeeping::copied) : rows_(columns, keeping) {}

  /// The row and its base value are taken at the first play and not looked at afterwards. Throws FormatError where a row
  /// that is to be copied is not of these columns, and records nothing.
  void record(std::int64_t document, SparseRow row, double reward, double base = 0.0, double weight = 1.0);

  /// Replaces the rewards and the weight of the document at this place. `sum` and `squares` are of rewards times their weights.
  void replace_rewards(std::size_t place, double weight, double sum, double squares);

  /// As if the document at this place had never been played; those after it move one place down. Requires: a place in `in_order`.
  void erase(std::size_t place);

  [[nodiscard]] std::int32_t columns() const noexcept { return rows_.columns(); }
  /// The plays of all documents together.
  [[nodiscard]] std::int64_t plays() const noexcept { return plays_; }

  [[nodiscard]] std::span<const PlayedDocument> in_order() const noexcept { return entries_; }

  /// Requires: a place in `in_order`.
  [[nodiscard]] SparseRow row(std::size_t place) const noexcept { return rows_[place]; }

  /// The document's place in `in_order`, or nothing if it has not been played.
  [[nodiscard]] std::optional<std::size_t> place(std::int64_t document) const noexcept {
    const std::int32_t entry = entry_of_.find(document);
    if (entry == IdMap<std::int64_t>::kNone) return std::nullopt;
    return static_cast<std::size_t>(entry);
  }

  /// The document's plays, or nullptr where it has none. Valid until the next `record`.
  [[nodiscard]] const PlayedDocument* find(std::int64_t document) const noexcept {
    const std::optional<std::size_t> entry = place(document);
    return entry ? &entries_[*entry] : nullptr;
  }

  /// The played documents that hold the feature: their places, ascending by document, with its value in each. Cost: a
  /// binary search in each row.
  [[nodiscard]] std::vector<PlayedEntry> column(FeatureId feature) const;

 private:
  RowStore rows_;  // by place
  IdMap<std::int64_t> entry_of_;
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
