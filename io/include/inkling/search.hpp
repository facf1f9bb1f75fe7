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

/// How a search is begun. One that is there already goes on with what it was begun with.
struct NewSearch {
  std::string policy = "inkling";
  std::uint64_t seed = 1;
};

/// Shows documents, takes ratings and words, and forgets nothing that was not taken back. Each answer is durable in the file
/// when its call returns; a search goes on after a crash as if it had never stopped, also by `inkling search`.
///
/// Mistakes of the asker (a document that is not in the pool, nothing to take back) throw FormatError and change nothing.
/// Lifetime: the pool must outlive it. Thread safety: none.
class Search {
 public:
  /// Goes on with the search of this name in the file, or begins it there. Throws SystemError; FormatError where the
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

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace inkling
