// The first pass over a corpus: every document's terms are counted, in parallel, and handed on in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/build/term_table.hpp"
#include "io/build/text_recipe.hpp"
#include "io/pool/write/staged_file.hpp"
#include "io/source/document_source.hpp"

namespace inkling {

/// Strings one after the other.
class StringBatch {
 public:
  void append(std::string_view text) {
    bytes_ += text;
    ends_.push_back(bytes_.size());
  }
  void clear() {
    bytes_.clear();
    ends_.clear();
  }
  [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
  [[nodiscard]] std::string_view operator[](std::size_t index) const noexcept {
    const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(bytes_).substr(begin, ends_[index] - begin);
  }
  /// All of them are empty.
  [[nodiscard]] bool blank() const noexcept { return bytes_.empty(); }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_.size(); }

 private:
  std::string bytes_;
  std::vector<std::size_t> ends_;
};

/// The counts of documents in a few bytes each, for the temporary file between the two passes: how many entries,
/// their terms in one to four bytes each, and the counts that are not 1. Frequent terms are found early and so
/// have small numbers: an entry takes two to three bytes.
class TermCountsWriter {
 public:
  void append(std::span<const TermCount> document);
  void clear() { used_ = 0; }
  /// Lifetime: until the next append().
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return std::span(bytes_).first(used_); }
  /// The same for a TermCountsReader, with what it may read beyond them.
  [[nodiscard]] std::span<const std::byte> padded_bytes() const noexcept;

 private:
  std::vector<std::byte> bytes_;  // its size is what there is room for, which is more than is used
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

/// Consecutive documents whose counts lie together, few enough for one block of rows.
struct CountedSegment {
  std::uint64_t bytes = 0;
  std::uint32_t documents = 0;
  std::uint64_t entries = 0;
};

/// What the first pass made of one chunk.
struct CountedChunk {
  TermCountsWriter counts;
  std::vector<CountedSegment> segments;  // in order, together all of `counts`
  StringBatch ids;
  StringBatch labels;
  StringBatch texts;  // where they are kept
};

enum class TextKeeping { drop, keep };

/// Whether the counts of each document are wanted, beside their number and the terms of the table.
enum class CountKeeping { drop, keep };

struct CorpusTotals {
  std::int64_t documents = 0;
  std::int64_t entries = 0;  ///< (document, term) pairs
  std::uint64_t text_bytes = 0;
  std::int64_t skipped = 0;    ///< bad records left out
  std::int64_t bad_bytes = 0;  ///< bytes that were no characters
};

/// Counts all documents of a source into `terms` and hands each chunk to `receive`, in order. Throws
/// FormatError for the first bad record ("FILE:LINE:COLUMN"), where there are more than 2^31 - 1 documents,
/// and where the terms need more than `most_term_bytes`. Results do not depend on the number of threads, but
/// for term numbers. `progress(so_far)` is called by one thread at a time.
[[nodiscard]] CorpusTotals count_corpus(DocumentSource& source, const TextRecipe& recipe, TextKeeping texts,
                                        CountKeeping counts, std::uint64_t most_term_bytes, TermTable& terms,
                                        const std::function<void(const CountedChunk&)>& receive,
                                        const std::function<void(const CorpusTotals&)>& progress);

/// Labels as numbers in order of discovery, until all are known.
class LabelColumn {
 public:
  explicit LabelColumn(const PoolStaging& staging) : codes_(staging) {}
  void append(const StringBatch& batch);
  /// How many different labels there are.
  [[nodiscard]] std::size_t size() const { return code_of_.size(); }
  [[nodiscard]] std::vector<std::string> names() const;
  /// Writes documents/labels.npy and documents/label_names.txt, where any document has a label. `names`: those of a
  /// larger corpus, ascending, which count instead of those that were found. Throws FormatError where one that was
  /// found is not among them.
  void write(PoolStaging& staging, std::span<const std::string> names) const;

 private:
  std::map<std::string, std::int32_t, std::less<>> code_of_;
  ScratchFile codes_;
};

}  // namespace inkling
