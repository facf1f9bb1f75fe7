// Notes which of the requested fields and labels a source has, so that a wrong name is an error and not an empty pool.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace inkling {

/// What a parser met in one chunk.
struct SeenFields {
  std::set<std::string, std::less<>> found;  ///< fields that were asked for, as the options name them
  std::vector<std::string> names;            ///< fields that records have, of some records
  std::int64_t label_lists = 0;              ///< labels that are lists
};

/// Collects fields and labels of a whole source. Thread safety: any thread.
class SeenNames {
 public:
  /// `labels`: how many labels are wanted.
  explicit SeenNames(std::size_t labels) : label_seen_(labels), labels_missing_(labels) {}

  void add(const SeenFields& fields);
  /// Notes the label of a document. `index`: its place among the labels that are wanted, or their number if it is none of
  /// them.
  void note_label(std::size_t index, std::string_view label);

  [[nodiscard]] bool has_field(std::string_view name) const;
  [[nodiscard]] bool has_label(std::size_t index) const { return label_seen_[index]; }
  /// Names of fields, and of labels that were not wanted: at most the first hundreds.
  [[nodiscard]] std::vector<std::string> field_names() const;
  [[nodiscard]] std::vector<std::string> other_labels() const;
  /// Whether some document had no label although some are wanted.
  [[nodiscard]] bool has_unlabelled() const { return unlabelled_; }
  [[nodiscard]] std::int64_t label_lists() const;

 private:
  static constexpr std::size_t most_names = 500;

  mutable std::mutex mutex_;
  std::set<std::string, std::less<>> found_;
  std::set<std::string, std::less<>> names_;
  std::set<std::string, std::less<>> other_labels_;
  std::int64_t label_lists_ = 0;
  std::vector<std::atomic<bool>> label_seen_;
  std::atomic<std::size_t> labels_missing_;
  std::atomic<bool> unlabelled_ = false;
};

}  // namespace inkling
