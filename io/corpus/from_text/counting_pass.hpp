// The first pass over a corpus: every document's terms are counted, in parallel, and handed on in order.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "io/corpus/from_text/document_columns.hpp"
#include "io/corpus/from_text/text_recipe.hpp"
#include "io/corpus/source/document_source.hpp"
#include "io/corpus/terms/term_counts.hpp"
#include "io/corpus/terms/term_table.hpp"

namespace inkling {

/// What the first pass made of one chunk.
struct CountedChunk {
  TermCountsWriter counts;
  std::vector<CountedSegment> segments;  // in order, together all of `counts`
  DocumentStrings strings;
};

/// Whether to keep the counts of each document, or only the totals and the table of terms.
enum class CountKeeping { drop, keep };

struct CorpusTotals {
  std::int64_t documents = 0;
  std::int64_t entries = 0;  ///< (document, term) pairs
  std::uint64_t text_bytes = 0;
  std::int64_t skipped = 0;         ///< bad records left out
  std::int64_t bad_bytes = 0;       ///< bytes that were no characters
  std::int64_t links_left_out = 0;  ///< symbolic links in folders that were not followed
  /// What a person should know of single records and files, one line each with its place; the first of many.
  std::vector<std::string> remarks = {};
};

/// Counts all documents of a source into `terms` and hands each chunk to `receive`, in order. Throws FormatError for the first
/// bad record ("FILE:LINE:COLUMN"), for more than 2^31 - 1 documents, and if the terms need more than `most_term_bytes`. Of the
/// results, only the numbers of terms depend on the number of threads. `progress(so_far)` is called by one thread at a time.
[[nodiscard]] CorpusTotals count_corpus(DocumentSource& source, const TextRecipe& recipe, TextKeeping texts, CountKeeping counts,
                                        std::uint64_t most_term_bytes, TermTable& terms,
                                        const std::function<void(const CountedChunk&)>& receive,
                                        const std::function<void(const CorpusTotals&)>& progress);

/// Reads all documents of a source without counting terms, and hands their ids, labels and texts to `receive`, in order.
/// Throws FormatError for the first bad record. `progress()` is called by one thread at a time.
void read_documents(DocumentSource& source, TextKeeping texts, const std::function<void(const DocumentStrings&)>& receive,
                    const std::function<void()>& progress);

}  // namespace inkling
