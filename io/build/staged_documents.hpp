// What the first pass leaves of the documents: their counts, ids, labels and texts, in order.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/build/counting_pass.hpp"
#include "io/pool/write/scratch_file.hpp"
#include "io/pool/write/staged_file.hpp"

namespace inkling {

/// A column of strings that exists only where some document has one.
class OptionalStrings {
 public:
  /// Lifetime: lends both.
  OptionalStrings(PoolStaging& staging, std::string_view name) : staging_(staging), name_(name) {}
  void append(const StringBatch& batch);
  void close();

 private:
  PoolStaging& staging_;
  std::string_view name_;
  std::optional<StagedStrings> strings_;
  std::int64_t rows_ = 0;
};

/// Labels as numbers in order of discovery, until all are known.
class LabelColumn {
 public:
  explicit LabelColumn(const PoolStaging& staging) : codes_(staging) {}
  void append(const StringBatch& batch);
  /// How many different labels there are.
  [[nodiscard]] std::size_t size() const { return code_of_.size(); }
  /// Writes documents/labels.npy and documents/label_names.txt, where any document has a label.
  void write(PoolStaging& staging) const;

 private:
  std::map<std::string, std::int32_t, std::less<>> code_of_;
  ScratchFile codes_;
};

/// Thread safety: one thread at a time. Lifetime: lends the staging.
class StagedDocuments {
 public:
  explicit StagedDocuments(PoolStaging& staging);

  void append(const CountedChunk& chunk);

  /// Closes the files of ids and texts and writes the labels.
  void close();

  /// The counts of all documents, and how they are cut. The segments lie one after the other.
  [[nodiscard]] const ScratchFile& counts() const { return counts_; }
  [[nodiscard]] const std::vector<CountedSegment>& segments() const { return segments_; }

 private:
  PoolStaging& staging_;
  ScratchFile counts_;
  std::vector<CountedSegment> segments_;
  OptionalStrings ids_;
  OptionalStrings texts_;
  LabelColumn labels_;
};

}  // namespace inkling
