// The one place where requests to a search are answered.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/search/service/search_answers.hpp"
#include "io/search/service/search_request.hpp"
#include "io/search/service/shown_pool.hpp"
#include "io/search/session/searcher.hpp"

namespace inkling {

/// Throws what the searcher throws, and changes nothing then. Lifetime: lends both; answers lend the search as their structs
/// say. Thread safety: none.
class SearchService {
 public:
  /// In a search of several people, `owner` is the name of the owner, and answers say who said what. A report needs the review.
  SearchService(Searcher& searcher, const ShownPool& pool, std::string owner = {}, ReviewOf review = {})
      : searcher_(searcher), pool_(pool), owner_(std::move(owner)), review_(std::move(review)) {}

  [[nodiscard]] const ShownPool& pool() const noexcept { return pool_; }
  /// The request of a line, answered as JSON. Throws RequestError, too.
  [[nodiscard]] std::string json(std::string_view line) { return json(read_search_request(line, pool_.scope())); }
  [[nodiscard]] std::string json(const SearchRequest& request) { return json_of(answer(request), pool_, request.full); }
  [[nodiscard]] SearchAnswer answer(const SearchRequest& request);

  /// Requires: a request that makes something.
  AnsweredWith change(const SearchRequest& request);
  /// The answer to such a request.
  [[nodiscard]] ChangeAnswer answer_after(const AnsweredWith& answered, bool full);

  [[nodiscard]] NextAnswer next(bool full);
  [[nodiscard]] StateAnswer state();
  /// Why a document has its score: the one on offer if none is named.
  [[nodiscard]] WhyAnswer why(std::optional<DocumentId> document = {});
  [[nodiscard]] WordsAnswer words(std::int64_t count, bool full);
  /// The words that are rated apart from documents, by feature.
  [[nodiscard]] std::vector<SaidWord> query() const { return searcher_.query(); }
  [[nodiscard]] TagsAnswer tags() const { return {tag_counts(searcher_.history())}; }
  [[nodiscard]] DocumentsAnswer ranking(std::int64_t count);
  [[nodiscard]] DocumentsAnswer found() const;
  [[nodiscard]] DocumentsAnswer copies(std::int64_t after, std::int64_t limit) const;
  [[nodiscard]] ProgressAnswer progress(bool full);
  [[nodiscard]] EventsAnswer events(std::int64_t after, std::int64_t limit) const;
  /// Requires: there is an event of this number.
  [[nodiscard]] AnsweredEvent event(std::int64_t sequence) const;
  [[nodiscard]] const SearchAim& aim() const noexcept { return searcher_.history().aim(); }
  /// The document that was rated last, by the ratings that hold.
  [[nodiscard]] std::optional<DocumentId> rated_last() const;
  /// Throws FormatError if the review is not known.
  [[nodiscard]] ReviewReport report() const;
  /// The exported file.
  [[nodiscard]] std::string work(const SearchRequest& request);

 private:
  [[nodiscard]] std::int64_t say(const SearchRequest& request);
  [[nodiscard]] SearchAim aim_of(const SearchRequest& request) const;
  [[nodiscard]] AnsweredEvent line_of(const SearchEvent& event) const;
  [[nodiscard]] std::optional<DocumentRating> rating_of(DocumentId document) const;
  [[nodiscard]] std::vector<FeatureId> words_to_ask();

  Searcher& searcher_;
  const ShownPool& pool_;
  std::string owner_;
  ReviewOf review_;
};

/// Writes the members "undo" and "redo": the answers that the next undo would take back and the next redo bring back.
void write_undo(JsonWriter& json, const Searcher& searcher);

/// The answer to the request `progress`: also the guess of what is left, how many draws lower bounds need, and how well rules
/// for stopping work.
[[nodiscard]] std::string progress_answer(Searcher& searcher);

}  // namespace inkling
