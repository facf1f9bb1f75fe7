// The runs of words of one document, each with the place of its count.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/corpus/terms/term_table.hpp"

namespace inkling {

/// Open addressing, half full at most. Entries of earlier documents count as free, so nothing is cleared between
/// documents. A short document after a long one uses only the front of the table, which is in a near cache. Thread
/// safety: one thread at a time.
class DocumentRuns {
 public:
  /// Requires: never the same number twice.
  void begin(std::uint32_t document) {
    document_ = document;
    mask_ = least_places - 1;
    size_ = 0;
  }

  /// The place of the run's count. If the document has not held the run yet, notes `next` as its place.
  [[nodiscard]] std::uint32_t place(Run run, std::size_t hash, std::uint32_t next) {
    if (2 * (size_ + 1) > mask_ + 1) grow();
    Entry& entry = entry_of(run, hash);
    if (entry.document == document_) return entry.place;
    ++size_;
    entry = {run, document_, next};
    return next;
  }

 private:
  static constexpr std::size_t least_places = 1024;

  struct Entry {
    Run run;
    std::uint32_t document = 0;
    std::uint32_t place = 0;
  };

  [[nodiscard]] Entry& entry_of(Run run, std::size_t hash) {
    std::size_t at = hash & mask_;
    while (entries_[at].document == document_ && !(entries_[at].run == run)) at = (at + 1) & mask_;
    return entries_[at];
  }

  void grow() {
    std::vector<Entry> own;
    for (std::size_t at = 0; at <= mask_; ++at) {
      if (entries_[at].document == document_) own.push_back(entries_[at]);
      entries_[at].document = 0;
    }
    mask_ = 2 * mask_ + 1;
    entries_.resize(std::max(entries_.size(), mask_ + 1));
    for (const Entry& entry : own) entry_of(entry.run, ShortTermHash()(entry.run)) = entry;
  }

  std::vector<Entry> entries_ = std::vector<Entry>(least_places);
  std::size_t mask_ = least_places - 1;
  std::size_t size_ = 0;
  std::uint32_t document_ = 0;
};

}  // namespace inkling
