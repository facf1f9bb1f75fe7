// Inkling for C++: searches of a pool that are kept in a file, as `inkling search` and `inkling serve` keep them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/policy/policy_options.hpp"
#include "engine/scoring/ranked.hpp"
#include "io/corpus/pool/open/opened_pool.hpp"

namespace inkling {

/// How a search is begun. One that is there already continues with what it was begun with.
struct NewSearch {
  std::string policy = "inkling";
  std::uint64_t seed = 1;
  PolicyOptions options = {};  ///< those that a search keeps, as `inkling help search` lists them
};

/// How far a search is.
struct SearchSummary {
  std::int64_t documents = 0;
  std::int64_t rated = 0;
  std::int64_t good = 0;          ///< with a rating of at least 0.5
  std::int64_t without_good = 0;  ///< how many of the last ratings in a row are not good
};

/// A word's part in a document's score.
struct ScoreReason {
  FeatureId feature = 0;
  double value = 0.0;         ///< in the document
  double weight = 0.0;        ///< as learned
  double contribution = 0.0;  ///< value * weight; all of them and the base add up to the mean
};

/// Why a document has its score.
struct ScoreReasons {
  double mean = 0.0;
  double width = 0.0;
  double base = 0.0;                 ///< what all documents have
  double vector = 0.0;               ///< of its vector, if documents have vectors
  std::vector<ScoreReason> reasons;  ///< the largest contribution in size first
};

/// Shows documents, takes ratings and words, and forgets nothing that was not taken back. Each answer is durable in the file
/// when its call returns; a search continues after a crash as if it had never stopped, also by `inkling search`.
///
/// Mistakes of the asker (a document that is not in the pool, nothing to take back) throw FormatError and change nothing.
/// Lifetime: the pool must outlive it. Thread safety: none.
class Search {
 public:
  /// Continues the search of this name in the file, or begins it there. Throws SystemError; FormatError where the
  /// policy is none to search with, where the search is one of another pool, or where the file is in use elsewhere.
  Search(const OpenedPool& pool, const std::string& file, const std::string& name = "search", const NewSearch& begin = {});
  ~Search();
  Search(Search&&) noexcept;
  Search& operator=(Search&&) noexcept;
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  /// The document on offer, the same until it is answered; nothing where every document is rated.
  [[nodiscard]] std::optional<DocumentId> next();

  /// How good the document was, from 0 to 1, and which words made it so; a word of reward -1 speaks against it.
  void rate(DocumentId document, double rating, std::span<const SaidWord> words = {});
  /// Words apart from any document: what is looked for, or not wanted.
  void rate_words(std::span<const SaidWord> words);
  /// The document on offer comes again later.
  void skip();
  /// Takes back the last answer that holds.
  void take_back();

  /// The best documents that are not rated, by what was learned, best first.
  [[nodiscard]] std::vector<Ranked> ranking(std::size_t count);
  [[nodiscard]] SearchSummary progress() const;
  [[nodiscard]] ScoreReasons why(DocumentId document) const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace inkling
