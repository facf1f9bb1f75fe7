// One search of one person: shows documents, takes ratings and words, and forgets nothing that was not taken back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/policy/policy_moment.hpp"
#include "io/corpus/pool/format/row_copies.hpp"
#include "io/search/session/search_event.hpp"
#include "io/search/session/search_history.hpp"
#include "io/search/stopping/good_guess.hpp"
#include "io/search/stopping/good_left.hpp"

namespace inkling {

/// Whether a person can search with this preset: it needs no words or number of rounds that are given beforehand.
[[nodiscard]] bool can_search_with(const Preset& preset) noexcept;

/// What decides every choice, together with the answers.
struct SearchSettings {
  Preset preset;
  PolicyOptions options = {};  ///< its `with_replacement` is not looked at
  std::uint64_t seed = 1;
  std::vector<DocumentId> set =
      {};                         ///< only these are offered, in this order; none: all, by what was learned
  bool with_replacement = false;  ///< a rated document may be offered again, and each rating of it counts
  /// Keeps the score of every document between choices: more memory, less time. The choices are the same.
  bool keep_scores = false;
  /// Puts a document on offer with each answer, in place of the one before. Otherwise `choose` puts them on offer, and each
  /// stands until it is answered.
  bool offers_next = true;
  /// Documents of one text are one document: the first of them is offered, and what is said of any is said of it. Lifetime:
  /// the searcher lends the lists.
  RowCopies copies = {};
};

/// A rating; without a document, of the one on offer.
struct SearchRating {
  std::optional<DocumentId> document = {};
  double reward = 0.0;
  std::vector<SaidWord> words = {};
  std::string note = {};
  std::vector<std::string> tags = {};  ///< as `broken_rule_of_tags` says
};

/// One word's part in a document's score.
struct WordPart {
  FeatureId feature = 0;
  double value = 0.0;                 ///< in the document
  double weight = 0.0;                ///< as learned
  double contribution = 0.0;          ///< value * weight; all of them and the base add up to the mean
  double deviation = 0.0;             ///< as in LearnedWord; 0 beyond the first kDeviationsShown parts
  double width_share = 0.0;           ///< of the squared width; all of them add up to 1 where it is above 0
  std::optional<SaidWord> said = {};  ///< as in LearnedWord
};

/// Of so many parts `Why` says how far off their weights may be, because that takes a solution of the model for each.
inline constexpr std::size_t kDeviationsShown = 32;

/// Why a document has the score it has.
struct Why {
  DocumentId document = 0;
  bool explored = false;  ///< it is on offer because it was drawn at random
  double mean = 0.0;
  double width = 0.0;
  double base = 0.0;  ///< part of the mean that every document has, whatever its words
  std::optional<double> radius = {};
  std::optional<double> chance =
      {};  ///< that it is good, by the ratings so far; nothing while that is not known
  std::vector<WordPart> parts = {};  ///< those in use, the largest contribution in size first
};

/// What was learned of a word.
struct LearnedWord {
  FeatureId feature = 0;
  double weight = 0.0;
  double deviation =
      0.0;  ///< how far off the weight may be: the square root of its entry in the inverse of V
  /// What holds of what was said of it, in documents or apart (`outweighs`); nothing where nothing was said.
  std::optional<SaidWord> said = {};
  bool apart = false;  ///< whether it is rated apart from documents, too
};

/// `leaning` of a word or a part of one; 0 where nothing was said of it.
[[nodiscard]] double leaning_of(const auto& word) noexcept { return word.said ? leaning(*word.said) : 0.0; }

struct SearchProgress {
  std::int64_t documents = 0;
  std::int64_t rated = 0;
  std::int64_t good = 0;          ///< with a rating of at least `kGoodRating`
  std::int64_t without_good = 0;  ///< the last so many ratings are not good
  std::int64_t lately = 0;        ///< how many ratings the next one is of: at most `kLately`
  std::int64_t good_lately = 0;   ///< of the last ratings
  std::int64_t waiting = 0;       ///< skipped, and not on offer yet
  std::int64_t sample_left = 0;
  GoodLeft left = {};
  std::optional<bool> rule_reached = {};  ///< where there is a rule for stopping
};

/// How many good ones as many documents would have shown as are rated, read at random: of the good ones in all, those that
/// were found and those that the guess, or where there is none the draws say are left.
[[nodiscard]] double found_at_random(const SearchProgress& progress, const std::optional<GoodGuess>& guess);

/// A document counts as good from this rating on.
inline constexpr double kGoodRating = 0.5;
/// Whether so many documents in a row that were not good ask for words: each four of them, up to twenty.
[[nodiscard]] constexpr bool stands_still(std::ptrdiff_t bad_in_a_row) noexcept {
  constexpr std::ptrdiff_t each = 4;
  constexpr std::ptrdiff_t last = 20;
  return bad_in_a_row > 0 && bad_in_a_row <= last && bad_in_a_row % each == 0;
}
/// A skipped document is offered again when so many rounds have passed.
inline constexpr std::int64_t kSkipRounds = 20;

/// What a person left on offer in a shared search for so long is offered to whoever asks next.
inline constexpr std::int64_t kOfferStandsMs = std::int64_t{30} * 60 * 1000;

/// Keeps events before they are answered for. It returns when they are durable, or throws and has kept none of them.
using KeepEvents = std::function<void(std::span<const SearchEvent>)>;

/// What a search shows is a function of the pool, the settings, the answers that hold and the documents that stand on offer
/// (`SearchHistory`): each round draws from random streams of its own, made of the seed and the round's number. So a search that goes on after a
/// crash, in another process or after an undo makes the choices of one that was never disturbed, bit for bit.
///
/// In a shared search (`SearchAim::shared`) each person has an offer of their own, in place of the one offer: nobody is shown what
/// another one has on offer. All learn from all. What one person takes back is their own, and leaves the offers of others.
///
/// Every change is kept first (`KeepEvents`) and is in force only then: where keeping fails, the search stands where it
/// stood, and the exception is passed on.
///
/// Errors: UsageError-like mistakes of the asker (a document that is not in the pool, nothing to undo, an infinite
/// rating) throw FormatError and change nothing. Lifetime: the pool must outlive the searcher. Thread safety: none.
class Searcher {
 public:
  /// Goes on after `past`, which is kept already. `keep` may be empty: then nothing is kept. `between` is as `call_between`
  /// takes it, while the past is learned. Throws FormatError where the past is not one of this pool, or the preset is none to
  /// search with.
  Searcher(
      PoolView pool, SearchSettings settings, std::span<const SearchEvent> past = {}, KeepEvents keep = {},
      const std::function<void()>& between = [] {});
  ~Searcher();
  Searcher(Searcher&&) noexcept;
  Searcher& operator=(Searcher&&) noexcept;
  Searcher(const Searcher&) = delete;
  Searcher& operator=(const Searcher&) = delete;

  /// Who asks and answers from now on: the name of somebody who shares the search, or nothing for its owner.
  void acts_as(const std::string& person);

  /// The document on offer, the same until an answer changes that; nothing where every document is rated. The first
  /// call after an answer appends a `shown` event.
  [[nodiscard]] std::optional<Offer> next();
  /// Sequence of the `shown` event of `next()`.
  [[nodiscard]] std::int64_t shown() const;

  /// At most so many documents more, none of them one that stands on offer; fewer or none where there are no more. Each
  /// stands on offer until it is rated or skipped. `among` says of every document whether it may be chosen; empty: any.
  std::vector<Offer> choose(std::int64_t count, std::span<const bool> among = {});
  /// How many documents of `SearchSettings::set` are not rated.
  [[nodiscard]] std::int64_t left_of_set() const;
  /// Those that stand on offer, in the order in which they were chosen.
  [[nodiscard]] std::vector<Offer> standing() const;

  /// Each of these returns the sequence of its event. Together with it, in one call of `keep`, the next offer is kept
  /// (`SearchSettings::offers_next`).
  std::int64_t rate(const SearchRating& rating);
  /// The same of each, up to rounding, in the fast order: all of them or none. Requires: at least one, with documents.
  std::int64_t rate_at_once(std::span<const SearchRating> ratings);
  std::int64_t mark(DocumentId document, std::span<const SaidWord> words);
  /// Rates words apart from any document: what is looked for, or not wanted. It answers no document and takes no round.
  std::int64_t rate_words(std::span<const SaidWord> words);
  /// Takes the word out of every answer before.
  std::int64_t unmark(FeatureId feature);
  std::int64_t skip(std::optional<DocumentId> document = {});
  /// In a shared search: the document on offer goes to the next of the others who asks, and back to this person only where
  /// nothing else is left. Throws FormatError where the search is not shared, and for another document.
  std::int64_t hand_on(std::optional<DocumentId> document = {});
  /// The next `count` documents are drawn at random, each of those on offer as likely, for `progress`.
  std::int64_t sample(std::int64_t count);
  std::int64_t note(const std::string& text);
  /// What is looked for, when to stop and who else searches, in place of what was said of that before.
  std::int64_t aim(const SearchAim& aim);
  /// No answer follows.
  std::int64_t close();
  /// Takes back the last answer that holds, or the named one.
  std::int64_t undo(std::optional<std::int64_t> sequence = {});
  std::int64_t redo();
  /// The same of so many answers, all of them or none; returns the sequence of the last event.
  std::int64_t undo_last(std::int64_t count);
  std::int64_t redo_last(std::int64_t count);

  /// The answers that `undo_last` and `redo_last` mean: in a shared search those of this person alone.
  [[nodiscard]] std::vector<std::int64_t> undoable(std::int64_t count) const;
  [[nodiscard]] std::vector<std::int64_t> redoable(std::int64_t count) const;
  /// Of a shared search: who else rated the document, or has it on offer; the owner is an empty name. Nothing where this
  /// person may answer.
  [[nodiscard]] std::optional<std::string> taken_by(DocumentId document) const;

  /// Of any document of the pool.
  [[nodiscard]] Why why(DocumentId document) const;
  /// The words that are in use or marked, those of the largest weight in size first; at most `count`.
  [[nodiscard]] std::vector<LearnedWord> words(std::size_t count) const;
  /// The best documents that are not rated, by what was learned, best first.
  [[nodiscard]] std::vector<Ranked> ranking(std::size_t count);
  [[nodiscard]] SearchProgress progress() const;
  /// How many good ones the model guesses are left; nothing where that is not known yet, or the policy does not rank by
  /// one score. It scores every document.
  [[nodiscard]] std::optional<GoodGuess> guess();
  /// What lower bounds than `SearchProgress::left` cost, the highest first: a third and a tenth of it, the one by which 95 %
  /// of the good ones are found, and that of the rule for stopping.
  [[nodiscard]] std::vector<BoundPrice> prices() const;
  /// How many documents with a rating from `good` on are left.
  [[nodiscard]] GoodLeft documents_left(double good, double confidence) const;
  /// As it stands after all that holds.
  [[nodiscard]] const Policy& policy() const;
  [[nodiscard]] const SearchHistory& history() const noexcept;
  [[nodiscard]] const SearchSettings& settings() const noexcept;

  /// Changes `SearchSettings::keep_scores`.
  void keep_scores(bool keep);
  /// Changes `SearchSettings::offers_next`.
  void offers_next(bool offers);
  /// Is called before each step that is learned, and may throw to end the work: the search stands where it stood then.
  void call_between(std::function<void()> between);

 private:
  [[nodiscard]] SearchEvent rating_event(const SearchRating& rating);
  [[nodiscard]] SearchEvent answer_to(SearchEventKind kind, std::optional<DocumentId> document);

  class State;
  std::unique_ptr<State> state_;
};

}  // namespace inkling
