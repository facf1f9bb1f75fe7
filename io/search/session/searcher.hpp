// One search: shows documents, takes ratings and words, and keeps everything that is not taken back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/policy/policy_state.hpp"
#include "io/corpus/pool/format/row_copies.hpp"
#include "io/search/session/search_event.hpp"
#include "io/search/session/search_history.hpp"
#include "io/search/stopping/good_guess.hpp"
#include "io/search/stopping/good_left.hpp"

namespace inkling {

/// Whether a person can search with this preset: it needs no words and no number of rounds beforehand.
[[nodiscard]] bool can_search_with(const Preset& preset) noexcept;

/// The settings of a search. Together with the answers they decide every choice.
struct SearchSettings {
  Preset preset;
  PolicyOptions options = {};  ///< its `with_replacement` is ignored
  std::uint64_t seed = 1;
  std::vector<DocumentId> set = {};  ///< only these are offered, in this order; empty: all, as the policy chooses
  bool set_grows = false;            ///< only documents of `SearchAim::set` are offered, which others hand out
  bool with_replacement = false;     ///< a rated document may be offered again, and each rating of it counts
  /// Keeps the score of every document between choices: more memory, less time. The choices are the same.
  bool keep_scores = false;
  /// Each answer puts the next document on offer, in place of the one before. If false, only `choose` puts documents on offer,
  /// and each stays on offer until it is answered.
  bool offers_next = true;
  /// Documents that are one record count as one: only the original is offered, and what is said of a copy is said of the original,
  /// until the copy is separated. Lifetime: the searcher lends the lists.
  RowCopies copies = {};
};

/// A rating of a document; if none is named, of the one on offer.
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
  double width_share = 0.0;           ///< of the squared width; the shares add up to 1 unless the width is 0
  std::optional<SaidWord> said = {};  ///< as in LearnedWord
};

/// `Why` gives the deviation of this many parts, because each takes a solution with the model.
inline constexpr std::size_t kDeviationsShown = 32;

/// Why a document has the score it has.
struct Why {
  DocumentId document = 0;
  bool explored = false;  ///< it is on offer because it was drawn at random
  double mean = 0.0;
  double width = 0.0;
  double base = 0.0;  ///< the part of the mean that all documents have, whatever their words
  std::optional<double> radius = {};
  std::optional<double> chance = {};  ///< how likely it is good, by the ratings so far; nothing while that is not known
  double vector = 0.0;                ///< the part of the mean that the document's vector has
  std::vector<WordPart> parts = {};   ///< of the words in use, the largest contribution in size first
};

/// What was learned about a word.
struct LearnedWord {
  FeatureId feature = 0;
  double weight = 0.0;
  double deviation = 0.0;  ///< how far off the weight may be: the square root of its entry in the inverse of V
  /// The statement about the word, in a document or apart, that `outweighs` all others; nothing if there is none.
  std::optional<SaidWord> said = {};
  bool apart = false;  ///< whether it is rated apart from documents, too
};

/// The `leaning` of a LearnedWord or a WordPart; 0 if nothing was said of it.
[[nodiscard]] double leaning_of(const auto& word) noexcept { return word.said ? leaning(*word.said) : 0.0; }

struct SearchProgress {
  std::int64_t documents = 0;
  std::int64_t rated = 0;
  std::int64_t good = 0;          ///< with a rating of at least `kGoodRating`
  std::int64_t without_good = 0;  ///< how many of the last ratings in a row are not good
  /// When it rises, it is time to ask for more words: 1 after 4 ratings in a row that are not good, 2 after 8, at most 5.
  std::int64_t standstills = 0;
  std::int64_t lately = 0;       ///< how many of the last ratings `good_lately` is about: at most `kLately`
  std::int64_t good_lately = 0;  ///< how many of those are good
  std::int64_t waiting = 0;      ///< skipped, and not on offer yet
  std::int64_t sample_left = 0;
  GoodLeft left = {};
  std::int64_t good_draws = 0;            ///< how many of `left.draws` are good
  std::optional<bool> rule_reached = {};  ///< nothing without a rule for stopping
};

/// How many of the good documents that were found are among as many documents in random order, on average. Nothing about those
/// that are left is taken for known.
[[nodiscard]] double found_at_random(const SearchProgress& progress) noexcept;

/// A document counts as good from this rating on.
inline constexpr double kGoodRating = 0.5;
[[nodiscard]] constexpr bool is_good_rating(double rating) noexcept { return rating >= kGoodRating; }
/// `SearchProgress::standstills` after so many ratings in a row that are not good.
[[nodiscard]] constexpr std::int64_t standstills_after(std::int64_t bad_in_a_row) noexcept {
  constexpr std::int64_t each = 4;
  constexpr std::int64_t most = 5;
  return bad_in_a_row / each < most ? bad_in_a_row / each : most;
}
/// How many rounds pass before a skipped document is offered again.
inline constexpr std::int64_t kSkipRounds = 20;

/// In a shared search: after this time, a document that a person left on offer is offered to the next person who asks.
inline constexpr std::int64_t kOfferKeptMs = std::int64_t{30} * 60 * 1000;

/// Keeps events before the call that made them returns. It returns when they are durable, or throws and has kept none of them.
using KeepEvents = std::function<void(std::span<const SearchEvent>)>;

/// What a search shows is a function of the pool, the settings, the answers that hold and the documents that are on offer
/// (`SearchHistory`): each round draws from random streams of its own, made of the seed and the round's number. So a search that
/// continues after a crash, in another process or after an undo makes the choices of one that was never disturbed, bit for bit.
///
/// In a shared search (`SearchAim::shared`) each person has an offer of their own instead: no document is on offer to two people.
/// The policy learns from everybody's answers. Each person takes back their own answers only, which leaves the offers of others.
///
/// A change is in force only once it is kept (`KeepEvents`): if keeping throws, the search is as before the call, and the
/// exception is passed on.
///
/// Errors: mistakes of the caller (a document that is not in the pool, nothing to undo, an infinite rating) throw FormatError
/// and change nothing. Lifetime: the pool must outlive the searcher. Thread safety: none.
class Searcher {
 public:
  /// Continues after `past`, which is kept already. If `keep` is empty, nothing is kept. `between` is called as `call_between`
  /// says while the past is learned. Throws FormatError if the past is not valid for this pool, or if the preset cannot be
  /// searched with.
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

  /// The document on offer, which is the same until the next answer; nothing if every document is rated. The first call after
  /// an answer appends a `shown` event.
  [[nodiscard]] std::optional<Offer> next();
  /// Sequence of the `shown` event of `next()`.
  [[nodiscard]] std::int64_t shown() const;

  /// Puts so many more documents on offer, or fewer if there are no more that are not on offer already. Each stays on offer
  /// until it is rated or skipped. `among` says of every document whether it may be chosen; if it is empty, all may.
  std::vector<Offer> choose(std::int64_t count, std::span<const bool> among = {});
  /// How many documents of the set are not rated.
  [[nodiscard]] std::int64_t left_of_set() const;
  /// Sets `SearchAim::set`, in the name of whoever hands out documents. Requires: the set grows.
  std::int64_t hand_out(std::vector<DocumentId> set, const std::string& by);
  /// So many documents that the policy chooses one after the other, none of `taken`; fewer if there are no more. It changes nothing.
  [[nodiscard]] std::vector<DocumentId> next_beside(std::vector<DocumentId> taken, std::size_t count);
  /// The documents on offer, in the order in which they were chosen.
  [[nodiscard]] std::vector<Offer> open_offers() const;

  /// Each of these returns the sequence of its event. The event and the next offer (`SearchSettings::offers_next`) are kept by
  /// one call of `keep`.
  std::int64_t rate(const SearchRating& rating);
  /// Rates several documents, all of them or none. The policy learns them in its fast order: the same as one by one, up to
  /// rounding. Requires: at least one, and each names its document.
  std::int64_t rate_at_once(std::span<const SearchRating> ratings);
  std::int64_t mark(DocumentId document, std::span<const SaidWord> words);
  /// Rates words apart from any document: what is looked for, or not wanted. It answers no document and takes no round.
  std::int64_t rate_words(std::span<const SaidWord> words);
  /// Takes the word out of every answer before.
  std::int64_t unmark(FeatureId feature);
  std::int64_t skip(std::optional<DocumentId> document = {});
  /// In a shared search: the document on offer goes to the next of the others who asks, and back to this person only if
  /// nothing else is left. Throws FormatError if the search is not shared, and for another document than the one on offer.
  std::int64_t hand_on(std::optional<DocumentId> document = {});
  /// From now on the copy is a document of its own, which is not rated. Ratings of it are those of its original again once this
  /// is taken back. Throws FormatError if it is no copy, and where the documents of the search were chosen before.
  std::int64_t separate(DocumentId copy);
  /// The next `count` documents are drawn at random, with equal probabilities, so that `progress` can bound what is left.
  std::int64_t sample(std::int64_t count);
  std::int64_t note(const std::string& text);
  /// From now on a pair of readers has these documents (`SearchAim::withheld`).
  std::int64_t withhold(std::span<const DocumentId> documents);
  /// The answers of a pair, by name: these documents are rated, and nobody has them any more.
  std::int64_t take_over(std::span<const SearchRating> ratings, const std::string& by);
  /// Nobody has these documents any more, and they are offered again.
  std::int64_t release(std::span<const DocumentId> documents);
  /// Says what is looked for, when to stop and who else searches. It replaces the aim before.
  std::int64_t aim(const SearchAim& aim);
  /// No answer follows.
  std::int64_t close();
  /// Takes back the last answer that holds, or the answer of this number.
  std::int64_t undo(std::optional<std::int64_t> sequence = {});
  std::int64_t redo();
  /// Undo or redo `count` answers, all of them or none. Both return the sequence of the last event.
  std::int64_t undo_last(std::int64_t count);
  std::int64_t redo_last(std::int64_t count);

  /// The answers that `undo_last` and `redo_last` mean: in a shared search those of this person alone.
  [[nodiscard]] std::vector<std::int64_t> undoable(std::int64_t count) const;
  [[nodiscard]] std::vector<std::int64_t> redoable(std::int64_t count) const;
  /// Whether anybody has the document on offer.
  [[nodiscard]] bool is_on_offer(DocumentId document) const;
  /// In a shared search: who else rated the document or has it on offer; an empty name is the owner. Nothing if this person
  /// may answer.
  [[nodiscard]] std::optional<std::string> taken_by(DocumentId document) const;

  /// Why any document of the pool has its score.
  [[nodiscard]] Why why(DocumentId document) const;
  /// The words that are in use or marked, those of the largest weight in size first; at most `count`.
  [[nodiscard]] std::vector<LearnedWord> words(std::size_t count) const;
  /// The words that are rated apart from documents, by feature.
  [[nodiscard]] std::vector<SaidWord> query() const;
  /// The best documents that are not rated, by what was learned, best first.
  [[nodiscard]] std::vector<Ranked> ranking(std::size_t count);
  [[nodiscard]] SearchProgress progress() const;
  /// The model's guess of how many good documents are left; nothing if it is not known yet, or if the policy does not rank by
  /// one score. It scores every document.
  [[nodiscard]] std::optional<GoodGuess> guess();
  /// How many more draws some lower bounds than `SearchProgress::left` need, the highest bound first: a third and a tenth of it,
  /// the bound with which 95 % of the good documents are found, and that of the rule for stopping.
  [[nodiscard]] std::vector<BoundPrice> prices() const;
  /// How many documents are left whose rating would be at least `good`.
  [[nodiscard]] GoodLeft documents_left(double good, double confidence) const;
  /// The policy after all answers that hold.
  [[nodiscard]] const Policy& policy() const;
  [[nodiscard]] const SearchHistory& history() const noexcept;
  [[nodiscard]] const SearchSettings& settings() const noexcept;

  /// Changes `SearchSettings::keep_scores`.
  void keep_scores(bool keep);
  /// Changes `SearchSettings::offers_next`.
  void offers_next(bool offers);
  /// `between` is called before each step that is learned. It may throw to end the work; the search is as before then.
  void call_between(std::function<void()> between);

 private:
  [[nodiscard]] SearchEvent rating_event(const SearchRating& rating);
  [[nodiscard]] SearchEvent answer_to(SearchEventKind kind, std::optional<DocumentId> document);

  class State;
  std::unique_ptr<State> state_;
};

}  // namespace inkling
