// A live search as JSON lines: one object in, one object out.
#pragma once

#include <string>
#include <string_view>

#include "io/corpus/pool/open/pool.hpp"
#include "io/doors/protocol/search_request.hpp"
#include "io/search/events/events.hpp"
#include "io/search/session/searcher.hpp"

namespace inkling {

/// What was said of the words that the document holds, as a sentence without its end; empty where nothing was said.
[[nodiscard]] std::string reason_of_why(const Why& why, const Pool& pool);

/// Answers requests of the form that io/doors/protocol/README.md describes. `scope` finds words and ids of the pool.
/// Lifetime: lends all three. Thread safety: none.
class SearchProtocol {
 public:
  SearchProtocol(Searcher& searcher, const Pool& pool, const EventScope& scope)
      : searcher_(searcher), pool_(pool), scope_(scope) {}

  /// The answer to one line, without a line end. A mistake of the asker, numbers that cannot be learned from, and a
  /// failure to keep the answer are answered by {"error": ..., "expected": ...} and change nothing. Throws what is none
  /// of these.
  [[nodiscard]] std::string answer(std::string_view line);

 private:
  [[nodiscard]] std::string answer_to(const SearchRequest& request);
  [[nodiscard]] std::int64_t change(const SearchRequest& request);
  [[nodiscard]] std::string on_offer(std::optional<std::int64_t> answered);
  [[nodiscard]] std::string why(const SearchRequest& request);
  [[nodiscard]] std::string words(std::size_t count) const;
  [[nodiscard]] std::string ranking(std::size_t count);
  [[nodiscard]] std::string progress() const;

  Searcher& searcher_;
  const Pool& pool_;
  const EventScope& scope_;
};

}  // namespace inkling
