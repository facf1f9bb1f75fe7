// The one place where a search is asked or told anything, and the only writer of its answers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/search/service/search_request.hpp"
#include "io/search/service/shown_pool.hpp"
#include "io/search/session/searcher.hpp"

namespace inkling {

/// The events that a request made.
struct AnsweredWith {
  std::int64_t sequence = 0;              ///< of its first event
  std::vector<std::int64_t> undone = {};  ///< answers that were taken back or brought back
  bool is_undo = false;                   ///< undo or redo

  /// The sequence of its last event.
  [[nodiscard]] std::int64_t last() const noexcept {
    return sequence + (undone.empty() ? 0 : std::ssize(undone) - 1);
  }
};

/// What was said of the words in the document, as a sentence without a full stop; empty if nothing was said.
[[nodiscard]] std::string reason_of_why(const Why& why, const ShownPool& pool);

/// Answers are JSON, as REQUESTS.md and openapi.json describe. Throws what the searcher throws, and changes nothing then.
/// Lifetime: lends both. Thread safety: none.
class SearchService {
 public:
  /// In a search of several people, `owner` is the name of the owner, and answers say who said what.
  SearchService(Searcher& searcher, const ShownPool& pool, std::string owner = {})
      : searcher_(searcher), pool_(pool), owner_(std::move(owner)) {}

  /// Throws RequestError, too.
  [[nodiscard]] std::string answer(std::string_view line) {
    return answer(read_search_request(line, pool_.scope()));
  }
  [[nodiscard]] std::string answer(const SearchRequest& request);

  /// Requires: a request that makes something.
  AnsweredWith change(const SearchRequest& request);
  /// The answer to such a request.
  [[nodiscard]] std::string answer_after(const AnsweredWith& answered, bool full);
  /// The exported file.
  [[nodiscard]] std::string work(const SearchRequest& request);

 private:
  [[nodiscard]] std::int64_t say(const SearchRequest& request);
  [[nodiscard]] SearchAim aim_of(const SearchRequest& request) const;
  [[nodiscard]] std::string next(bool full);
  [[nodiscard]] std::string short_answer(std::optional<std::int64_t> answered);
  [[nodiscard]] std::string full_answer(const AnsweredWith& answered);
  [[nodiscard]] std::string why(std::optional<DocumentId> document);
  [[nodiscard]] std::string events(std::int64_t after, std::int64_t limit) const;
  [[nodiscard]] std::string take_home(const SearchRequest& request);

  void write_full_next(JsonWriter& json);
  void write_why(JsonWriter& json, const Why& why) const;
  void write_event(JsonWriter& json, const SearchEvent& event) const;

  Searcher& searcher_;
  const ShownPool& pool_;
  std::string owner_;
};

/// Writes the members "undo" and "redo": the answers that the next undo would take back and the next redo bring back.
void write_undo(JsonWriter& json, const Searcher& searcher);

/// The members of `progress`, without braces.
void write_progress(JsonWriter& json, const Searcher& searcher);
/// The answer to the request `progress`: also the guess of what is left, how many draws lower bounds need, and how well rules
/// for stopping work.
[[nodiscard]] std::string progress_answer(Searcher& searcher);

}  // namespace inkling
