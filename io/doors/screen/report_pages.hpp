// The pages beside the documents: why one was chosen, what was learned, what was found, how far the search is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/doors/screen/page.hpp"
#include "io/search/session/searcher.hpp"

namespace inkling {

/// A word as a terminal may show it.
using NameOfWord = std::function<std::string(FeatureId)>;

/// Why a document has its score: a bar for each word, and how far off each may be.
[[nodiscard]] Page why_page(const std::string& heading, const Why& why, const NameOfWord& name,
                            PageSize size);

/// The words with their weights; the one at `cursor` can be un-marked.
[[nodiscard]] Page learned_page(const std::vector<LearnedWord>& words, std::size_t cursor,
                                const NameOfWord& name, PageSize size);

/// A document that was rated well.
struct FoundLine {
  DocumentId document = 0;
  double rating = 0.0;
  std::string heading;  ///< as a terminal may show it
  std::string begin;    ///< the beginning of its text; may hold anything
};
[[nodiscard]] Page found_page(const std::vector<FoundLine>& found, std::size_t cursor, PageSize size);

struct ProgressFacts {
  SearchProgress progress;
  std::int64_t good_draws = 0;  ///< of the documents drawn at random, those that turned out good
  std::vector<double> ratings;  ///< in order
  SearchAim aim = {};
  std::optional<GoodGuess> guess = {};
  std::vector<BoundPrice> prices = {};
};

/// "Of 18 documents drawn at random 2 were good: at most 340 of the 9,800 unread ones are good (95 %), about 120."
[[nodiscard]] std::string estimate_sentence(const ProgressFacts& facts);

/// "left 20, good 30" as a rule; nothing where the text is empty. Throws FormatError where it is none.
[[nodiscard]] std::optional<StopRule> rule_typed(std::string_view text);

[[nodiscard]] Page progress_page(const ProgressFacts& facts, PageSize size);

/// All keys.
[[nodiscard]] Page keys_page(PageSize size);

}  // namespace inkling
