// Which events of a search hold, after all that was taken back and brought back.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "io/corpus/pool/format/row_copies.hpp"
#include "io/search/session/search_event.hpp"

namespace inkling {

enum class StepKind {
  rating,  ///< of a document, with all words that hold for it
  skip,    ///< of a document
  words,   ///< rated apart from any document; it takes no round
};

/// What a policy learns from an answer that counts. Lifetime: owns all.
struct SearchStep {
  std::int64_t sequence = 0;  ///< of the answer
  StepKind kind = StepKind::rating;
  DocumentId document = 0;  ///< rating, skip
  double reward = 0.0;      ///< rating
  std::vector<SaidWord> words = {};
  std::optional<Offer> offer = {};         ///< the offer that it answers, if there was one
  std::optional<std::int64_t> batch = {};  ///< rating, words: SearchEvent::batch

  [[nodiscard]] bool is_rating() const noexcept { return kind == StepKind::rating; }

  bool operator==(const SearchStep&) const = default;
};

/// The most documents that one `sampled` event may ask for.
inline constexpr std::int64_t kMostSampled = 1'000'000'000;

/// Which ratings count if several ratings of one document hold.
enum class RatingsOfOne {
  last_counts,
  all_count,  ///< used if a rated document may be offered again
};

/// Whether events of this kind are answers, which can be taken back.
[[nodiscard]] bool is_answer(SearchEventKind kind) noexcept;

/// The events of one search in order.
///
/// - An *answer* is an event of kind rated, marked, forgot, skipped, sampled or separated. It holds unless it was undone, and not
///   redone since.
/// - If several ratings of one document hold, either the last one counts, at its place in the order and with its own words, or
///   all count (`RatingsOfOne`).
/// - `marked` adds its words to the rating of its document that counts, if that was given before; what it says of a word
///   replaces what that rating said. Without a document it rates its words on their own. If several such ratings of one word
///   hold, the last one counts, at its place in the order.
/// - `forgot` takes the word out of every answer before it.
/// - An offer with `Offer::beside` is in force if all answers that held when it was made hold. It is open from then on until
///   its document is rated or skipped.
/// - In a shared search each person has an offer of their own: the last one that they were shown, until its document is rated or
///   skipped, or shown to somebody else. To hand it on is a skip, and offers the document to the next of the others who asks.
/// - What is said of a copy is said of its original, except after a `separated` of the copy that holds. Events are seen so; `logged`
///   gives them as they were appended.
/// - So the state of a search is a function of the answers that hold: an answer that was undone has no effect.
///
/// Thread safety: none. Lifetime: lends the copies.
class SearchHistory {
 public:
  SearchHistory() = default;
  explicit SearchHistory(RatingsOfOne ratings, RowCopies copies = {}) : ratings_(ratings), pool_copies_(copies) {}

  /// Throws FormatError, and changes nothing, if the event cannot follow the others: its sequence is not the next one, it
  /// takes back an event that is no answer or does not hold, it brings back one that was not taken back, it marks words of a
  /// document without a rating, or it rates or skips another document than its offer showed.
  void append(const SearchEvent& event);

  /// Drops all but the first `count` events, as if the others had never been appended. Requires: there are so many.
  void cut_to(std::size_t count);

  [[nodiscard]] std::span<const SearchEvent> events() const noexcept { return events_; }
  /// The events from `first` on, counted from 0, with the documents that they named.
  [[nodiscard]] std::vector<SearchEvent> logged(std::size_t first = 0) const;
  /// The copies that are not separated. Lifetime: until the next event is appended.
  [[nodiscard]] RowCopies copies() const noexcept { return separated_.empty() ? pool_copies_ : copies_left_.view(); }
  [[nodiscard]] bool is_separated(DocumentId document) const { return separated_.contains(document); }
  /// The separations that hold, in order: their events, and their copies.
  [[nodiscard]] std::vector<std::pair<std::int64_t, DocumentId>> separations() const;
  /// The event of this number. Requires: there is one.
  [[nodiscard]] const SearchEvent& at(std::int64_t sequence) const { return events_[static_cast<std::size_t>(sequence) - 1]; }
  [[nodiscard]] std::int64_t next_sequence() const noexcept { return static_cast<std::int64_t>(events_.size()) + 1; }

  /// The steps of the answers that hold, in order.
  [[nodiscard]] std::vector<SearchStep> steps() const;
  /// The step of an event with its own words alone. Requires: a rating, a skip or words apart from any document.
  [[nodiscard]] SearchStep step_of(const SearchEvent& event) const;
  /// The offer that a rating or a skip answers, if there was one. Requires: an event of this history.
  [[nodiscard]] std::optional<Offer> offer_of(const SearchEvent& event) const {
    return event.shown ? at(*event.shown).offer : std::nullopt;
  }
  /// What is looked for, when to stop, and who else searches.
  [[nodiscard]] const SearchAim& aim() const noexcept { return aim_; }
  [[nodiscard]] bool is_shared() const noexcept { return !aim_.shared.empty(); }
  /// Whether anybody but the owner ever answered in it, or was shown a document.
  [[nodiscard]] bool has_others() const noexcept { return has_others_; }
  /// Whether no answer may follow.
  [[nodiscard]] bool is_closed() const noexcept { return is_closed_; }

  /// In a shared search, the `shown` event of what this person has on offer.
  [[nodiscard]] std::optional<std::int64_t> offer_to(std::string_view person) const;
  /// The `shown` events of what all people have on offer, the oldest first.
  [[nodiscard]] std::vector<std::int64_t> offers_to_people() const;
  /// A document that a person handed on to the others, by a skip that holds.
  struct HandedOn {
    std::int64_t sequence = 0;  ///< of the skip
    bool is_taken = false;      ///< it was shown to somebody else since
  };
  /// Documents that were handed on and have no rating, the oldest first.
  [[nodiscard]] std::vector<HandedOn> handed_on() const;
  /// The last rating of the document that holds. Requires: there is one.
  [[nodiscard]] const SearchEvent& rating_of(DocumentId document) const;
  /// How many of the next documents are to be drawn at random: as many as samples asked for, less the ratings and skips
  /// since.
  [[nodiscard]] std::int64_t sample_left() const;

  /// The first `count` answers that `undo` (or `redo`) would take one after the other, in that order; fewer if there are no
  /// more. `undo` takes back the last one that holds, `redo` brings back the one undone last, unless an answer was given since.
  /// If a person is named, only theirs.
  [[nodiscard]] std::vector<std::int64_t> undoable(std::int64_t count, std::optional<std::string_view> person = {}) const;
  [[nodiscard]] std::vector<std::int64_t> redoable(std::int64_t count, std::optional<std::string_view> person = {}) const;
  /// Whether the event of this number is an answer that holds.
  [[nodiscard]] bool holds(std::int64_t sequence) const;

  /// The `shown` events of the open offers, in order.
  [[nodiscard]] std::vector<std::int64_t> open_offers() const;
  /// Whether the event of this number made an offer with `Offer::beside` that is in force.
  [[nodiscard]] bool is_in_force(std::int64_t sequence) const;

  /// Whether a rating of this document holds.
  [[nodiscard]] bool is_rated(DocumentId document) const noexcept {
    const auto rated = ratings_of_.find(document);
    return rated != ratings_of_.end() && rated->second > 0;
  }

  /// Whether a pair of readers has the document (`SearchAim::withheld`).
  [[nodiscard]] bool is_withheld(DocumentId document) const noexcept {
    return std::ranges::binary_search(aim_.withheld, document);
  }

  /// Whether any of these words is rated apart from documents, by an answer that holds.
  [[nodiscard]] bool rates_any_of(std::span<const SaidWord> words) const;

  /// Whether the event, if it comes next, changes none of the steps before it.
  [[nodiscard]] bool only_appends(const SearchEvent& event) const;

 private:
  /// About originals, unless their copy was separated before.
  [[nodiscard]] SearchEvent placed(SearchEvent event) const;
  void take(const SearchEvent& logged);
  void follow_separations(const SearchEvent& event);
  /// The same with the events placed anew, by the separations that hold now.
  [[nodiscard]] SearchHistory placed_anew() const;
  void check(const SearchEvent& event) const;
  void follow_offers(const SearchEvent& event);
  void follow_people(const SearchEvent& event);
  void find_open_offers();
  void count_ratings(const SearchEvent& event, std::int32_t more);
  void check_target(const SearchEvent& event) const;
  void check_document(const SearchEvent& event, const std::string& place) const;
  [[nodiscard]] bool is_answer_of(std::int64_t sequence) const noexcept;

  RatingsOfOne ratings_ = RatingsOfOne::last_counts;
  RowCopies pool_copies_;
  CopiedRows copies_left_;                        // unless none is separated
  std::map<DocumentId, std::int64_t> separated_;  // copies, by events that hold
  std::map<std::int64_t, DocumentId> named_;      // by event: a copy that it names, if it is taken to be about another document
  std::vector<SearchEvent> events_;
  std::vector<bool> undone_;                                 // by event
  std::vector<bool> dropped_;                                // by event: an offer that is not in force
  bool has_open_ = false;                                    // whether any offer was ever open
  std::vector<std::int64_t> open_;                           // also those of rated documents
  std::unordered_map<DocumentId, std::int32_t> ratings_of_;  // how many of a document hold
  SearchAim aim_;
  std::map<std::string, std::int64_t, std::less<>> offers_;  // of a shared search, by person
  std::vector<HandedOn> handed_on_;                          // also those taken back, and those rated
  bool has_others_ = false;
  bool is_closed_ = false;
  std::vector<std::int64_t> may_return_;  // what redo brings back, the first of them last
};

}  // namespace inkling
