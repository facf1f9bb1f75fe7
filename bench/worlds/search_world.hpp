// Worlds in which a reader searches a pool for the documents of one topic: how rare they are, what the search
// begins with, which words the reader marks, and what the reader gets wrong.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "engine/sparse/csr_matrix.hpp"
#include "engine/sparse/csr_view.hpp"
#include "io/search/simulation/world.hpp"

namespace inkling::bench {

/// Lifetime: lends all of it.
struct TopicPool {
  PoolView pool;
  std::span<const std::int32_t> topics;  ///< by document; -1 for none
  /// What people marked in each document, for and against what the document is about; nullptr where only simulated
  /// readers mark.
  const CsrMatrix* highlights = nullptr;
};

enum class SearchBeginning {
  document,  ///< a wanted document, drawn for the trial
  words,     ///< the best words for the topic, and no document
  nothing,
};

enum class MarkedDocuments { rated_good, all };

/// A reader rates a wanted document +1 and any other -1. In every search of a trial a document gets the same rating and
/// the same marks.
struct SearchSetting {
  SearchBeginning begins = SearchBeginning::document;
  std::int32_t first_words = 3;  ///< of SearchBeginning::words

  /// The documents of the topic are at most this share of the pool: others of the topic are left out.
  double largest_share = 1.0;
  /// The pool is a random part of this many documents, if it has more.
  std::int32_t most_documents = std::numeric_limits<std::int32_t>::max();

  /// How many words the reader's list has: the best ones for the topic. With none and no highlights: no marks.
  std::int32_t words = 0;
  double mark_probability = 0.3;  ///< of each word of the list in a document; highlights are all marked
  bool highlights = false;        ///< marks what people highlighted, in place of a list
  MarkedDocuments marks_in = MarkedDocuments::rated_good;

  double wrong_ratings = 0.0;     ///< share of documents that the reader rates the wrong way round
  double misleading_marks = 0.0;  ///< share of marks that fall on another word of the document
};

/// A function of all arguments alone. Requires: a document of the topic, and one that is not; largest_share > 0.
[[nodiscard]] World make_search_world(const TopicPool& searched, const SearchSetting& setting, std::int32_t topic,
                                      std::uint64_t seed, std::uint64_t trial);

struct SearchSize {
  std::int64_t wanted = 0;
  std::int64_t others = 0;
};

/// The size of a world made from this many documents, of which `of_topic` are the topic's. At least two stay wanted where there
/// are two: one may be given at the beginning.
[[nodiscard]] SearchSize size_of_search(const SearchSetting& setting, std::int64_t documents, std::int64_t of_topic);

/// The topics of at least this many documents, in an order that the seed decides.
[[nodiscard]] std::vector<std::int32_t> searchable_topics(std::span<const std::int32_t> topics, std::int64_t fewest,
                                                          std::uint64_t seed);

}  // namespace inkling::bench
