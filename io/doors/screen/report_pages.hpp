// The pages beside the documents: why one was chosen, what was learned, what was found, what happened, how far the search is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/doors/screen/page.hpp"
#include "io/search/service/search_service.hpp"

namespace inkling {

/// A word as a terminal may show it.
using NameOfWord = std::function<std::string(FeatureId)>;

/// Why a document has its score: a bar for each word, and how far off each may be.
[[nodiscard]] Page why_page(const std::string& heading, const WhyAnswer& answer, const NameOfWord& name, PageSize size);

/// The words with their weights; the one at `cursor` can be un-marked.
[[nodiscard]] Page learned_page(const std::vector<LearnedWord>& words, std::size_t cursor, const NameOfWord& name, PageSize size);

/// A key that shows a list of documents: the request whose answer it is, and how the page names them.
struct ListPage {
  char key;
  SearchVerb verb;
  const char* title;
  const char* one;
  const char* many;
  const char* help;
};
inline constexpr ListPage kListPages[] = {
    {'f', SearchVerb::found, "What was found", "good document", "good documents", "what was found so far, the best first"},
    {'c', SearchVerb::copies, "What is not offered because it is a copy", "document", "documents",
     "documents that are copies of others; x takes one apart"}};

struct DocumentLine {
  std::optional<double> value = {};
  std::string heading = {};  ///< as a terminal may show it
  std::string begin = {};    ///< the beginning of its text; may hold anything
  std::string same_as = {};  ///< of a copy: what is offered in its place, as a terminal may show it
};
[[nodiscard]] Page list_page(const ListPage& list, const std::vector<DocumentLine>& documents, std::size_t cursor, PageSize size);

struct HistoryLine {
  std::optional<std::int64_t> number = {};  ///< as AnsweredEvent has it, and the next two
  bool holds = false;
  std::optional<bool> good = {};
  std::string what = {};  ///< may hold anything
};
[[nodiscard]] Page history_page(const std::vector<HistoryLine>& lines, PageSize size);

/// "Of 18 documents drawn at random 2 were good: at most 340 of the 9,800 unread ones are good (95 %), about 120."
[[nodiscard]] std::string estimate_sentence(const SearchProgress& progress);

/// "left 20, good 30" as a rule; nothing where the text is empty. Throws FormatError where it is none.
[[nodiscard]] std::optional<StopRule> rule_typed(std::string_view text);

[[nodiscard]] Page progress_page(const ProgressAnswer& answer, const SearchAim& aim, PageSize size);

/// All keys.
[[nodiscard]] Page keys_page(PageSize size);

}  // namespace inkling
