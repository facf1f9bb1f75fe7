// What a search answers: a struct for each kind of answer, and the only writer of them as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "io/base/file/json_writer.hpp"
#include "io/search/service/review_report.hpp"
#include "io/search/service/shown_pool.hpp"
#include "io/search/service/work_export.hpp"
#include "io/search/session/kept_search_form.hpp"
#include "io/search/session/searcher.hpp"

namespace inkling {

/// The rating of a document that counts, with the words that hold for it.
struct DocumentRating {
  double reward = 0.0;
  bool good = false;
  std::vector<SaidWord> words = {};
  std::string note = {};
  std::vector<std::string> tags = {};
};

struct WhyAnswer {
  Why why = {};
  std::string reason = {};  ///< what was said of its words, as a sentence without a full stop; may be empty
  std::optional<DocumentRating> rated = {};
};

/// The document on offer; without an offer, every document is rated.
struct NextAnswer {
  std::optional<Offer> offer = {};
  std::int64_t shown = 0;             ///< the event that showed it
  std::optional<WhyAnswer> why = {};  ///< only in a full answer
};

/// The search after its last event.
struct StateAnswer {
  NextAnswer next = {};
  std::int64_t last = 0;  ///< the number of the last event
  SearchProgress progress = {};
  std::optional<std::int64_t> undo = {};  ///< the answer that the next undo takes back
  std::optional<std::int64_t> redo = {};  ///< the answer that the next redo brings back
};

/// The events that a request made.
struct AnsweredWith {
  std::int64_t sequence = 0;              ///< of its first event
  std::vector<std::int64_t> undone = {};  ///< answers that were taken back or brought back
  bool is_undo = false;                   ///< undo or redo

  /// The sequence of its last event.
  [[nodiscard]] std::int64_t last() const noexcept { return sequence + (undone.empty() ? 0 : std::ssize(undone) - 1); }
};

/// The answer to a request that changes the search.
struct ChangeAnswer {
  AnsweredWith answered = {};
  std::optional<NextAnswer> next = {};      ///< in a short answer, unless the offer cannot have changed
  std::optional<StateAnswer> state = {};    ///< in a full answer
  std::optional<DocumentId> document = {};  ///< of the last answer taken back or brought back
};

struct WordsAnswer {
  std::vector<LearnedWord> words = {};
  std::vector<FeatureId> ask = {};  ///< words to ask about, in a full answer
};

struct TagsAnswer {
  std::vector<TagCount> tags = {};
};

struct ListedDocument {
  DocumentId document = 0;
  std::optional<double> value = {};
  std::optional<DocumentId> same_as = {};  ///< of a copy: the document that is offered in its place
};
/// A list of documents, each with a value of this name if it has one: its rating, or its score.
struct DocumentsAnswer {
  std::string_view value_name = {};
  std::vector<ListedDocument> documents = {};
  std::optional<std::int64_t> hidden = {};  ///< of copies: how many there are, of which these may be some
};

/// A rating that counts.
struct CountedRating {
  double reward = 0.0;
  std::int64_t found = 0;  ///< how many of the ratings up to this one are good
  bool drawn = false;      ///< its document was drawn at random
};
struct ProgressAnswer {
  SearchProgress progress = {};
  std::vector<CountedRating> ratings = {};  ///< in their order; in a full answer
  std::optional<GoodGuess> guess = {};
  std::vector<BoundPrice> prices = {};
};

/// Lifetime: lends the event, until the next one is appended.
struct AnsweredEvent {
  const SearchEvent* event = nullptr;
  std::optional<std::int64_t> number = {};  ///< the number of the answer, from 1; unset if it is no answer
  bool holds = false;                       ///< an answer that was not taken back
  std::optional<bool> good = {};            ///< of a rating
  std::string by = {};                      ///< who, in a search of several people
};
struct EventsAnswer {
  std::vector<AnsweredEvent> events = {};
  bool more = false;  ///< whether there are later ones
};

struct ExportAnswer {
  WorkFormat format = WorkFormat::csv;
  WorkChoice which = WorkChoice::all;
  std::string file = {};
};

struct ReportAnswer {
  ReviewReport report = {};
  ReportFormat format = ReportFormat::json;
  Language language = Language::en;
};

struct AskedAnswer {
  std::string text = {};
};

using SearchAnswer = std::variant<NextAnswer, ChangeAnswer, WhyAnswer, WordsAnswer, TagsAnswer, DocumentsAnswer, ProgressAnswer,
                                  EventsAnswer, ExportAnswer, ReportAnswer, AskedAnswer>;

/// The answer as REQUESTS.md and openapi.json describe it. Requires: `full` is that of the request.
[[nodiscard]] std::string json_of(const SearchAnswer& answer, const ShownPool& pool, bool full);
[[nodiscard]] std::string json_of(const ProgressAnswer& answer, bool full);

/// The members of `Progress`, without braces.
void write_progress(JsonWriter& json, const SearchProgress& progress);
/// Its member "good_left".
void write_good_left(JsonWriter& json, const SearchProgress& progress);

}  // namespace inkling
