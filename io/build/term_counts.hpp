// The counts of documents in a few bytes each, for the temporary file between the two passes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/build/document_counter.hpp"

namespace inkling {

/// Documents one after the other: how many entries, their terms in one to four bytes each, and the counts
/// that are not
/// 1. Frequent terms are found early and so have small numbers: an entry takes two to three bytes.
class TermCountsWriter {
 public:
  void append(std::span<const TermCount> document);
  void clear() { used_ = 0; }
  /// Lifetime: until the next append().
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return std::span(bytes_).first(used_); }

 private:
  std::vector<std::byte> bytes_;  // its size is what there is room for
  std::size_t used_ = 0;
};

/// Reads back what TermCountsWriter wrote, which is trusted: the file never left this process.
class TermCountsReader {
 public:
  /// So many bytes after those of the documents may be read.
  static constexpr std::size_t padding = 4;

  /// `bytes`: of whole documents, and `padding` more.
  explicit TermCountsReader(std::span<const std::byte> bytes) noexcept : next_(bytes.data()) {}

  /// The next document's counts, valid until the next call. Requires: there is one.
  [[nodiscard]] std::span<const TermCount> next();

 private:
  const std::byte* next_;
  std::vector<TermCount> counts_;  // its size is what there is room for
};

}  // namespace inkling
