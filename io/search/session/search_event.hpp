// What happens in a search, as its log keeps it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/enum_names.hpp"
#include "engine/core/ids.hpp"
#include "engine/policy/policy_options.hpp"
#include "io/search/session/search_aim.hpp"

namespace inkling {

/// One number for screens: above 0 if the word speaks for a document, below 0 if it speaks against it; its absolute value, up
/// to 1, says how strongly.
[[nodiscard]] inline double leaning(const SaidWord& said) noexcept { return said.reward.value_or(1.0) * said.confidence; }

/// The document that a search shows next, and how it was chosen.
struct Offer {
  DocumentId document = 0;
  std::int64_t round = 1;  ///< 1 in the first round
  bool explored = false;   ///< drawn at random, each of `among` documents as likely as any other
  std::int64_t among = 0;  ///< how many documents it was chosen from
  /// How many other documents were on offer when it was made. An offer with this number is open until its document is rated or
  /// skipped; one without it, until the next answer of any kind.
  std::optional<std::int64_t> beside = {};
  /// The probability with which this document was chosen, if it is known.
  std::optional<double> propensity = {};
  /// The score is mean + radius * width; nothing if no word is in use.
  std::optional<double> radius = {};
  std::optional<double> mean = {};
  std::optional<double> width = {};

  bool operator==(const Offer&) const = default;
};

enum class SearchEventKind {
  shown,      ///< a document was offered
  rated,      ///< a document was rated, and words were marked with it
  marked,     ///< words were rated: more of a document that is rated already, or apart from any document
  forgot,     ///< a word was un-marked wherever it was marked or rated before
  skipped,    ///< later
  sampled,    ///< some of the next documents are to be drawn at random
  undone,     ///< an event was taken back
  redone,     ///< an undone event was brought back
  noted,      ///< whatever a person wants to keep
  aimed,      ///< what is looked for, when to stop and who else searches; only the last such event counts
  closed,     ///< no answer may follow: the answers so far are compared
  separated,  ///< a copy of another document is offered and rated by itself
};
inline constexpr EnumName<SearchEventKind> kSearchEventNames[] = {
    {SearchEventKind::shown, "shown"},   {SearchEventKind::rated, "rated"},     {SearchEventKind::marked, "marked"},
    {SearchEventKind::forgot, "forgot"}, {SearchEventKind::skipped, "skipped"}, {SearchEventKind::sampled, "sampled"},
    {SearchEventKind::undone, "undone"}, {SearchEventKind::redone, "redone"},   {SearchEventKind::noted, "noted"},
    {SearchEventKind::aimed, "aimed"},   {SearchEventKind::closed, "closed"},   {SearchEventKind::separated, "separated"}};

[[nodiscard]] constexpr std::string_view search_event_name(SearchEventKind kind) noexcept {
  return name_of(kind, kSearchEventNames);
}

/// The kind says which members have a meaning, as noted at each; all others keep these defaults.
struct SearchEvent {
  std::int64_t sequence = 0;  ///< 1, 2, 3 and so on within a session
  /// Milliseconds since 1970, for people. It decides one thing only: in a shared search a document that somebody left on offer
  /// for too long (`kOfferKeptMs`) is offered to others.
  std::int64_t at_ms = 0;
  SearchEventKind kind = SearchEventKind::noted;
  std::optional<DocumentId> document = {};  ///< shown, rated, skipped, separated; marked, unless apart from any document
  std::optional<Offer> offer = {};          ///< shown; of the same document
  std::optional<std::int64_t> shown = {};   ///< rated, skipped: the event that offered it, if it was on offer
  double reward = 0.0;                      ///< rated
  std::optional<std::int64_t> batch =
      {};  ///< rated, marked apart from documents: the first event of a batch that is learned at once
  /// rated, marked; apart from documents all have a reward. Old logs have no ratings of words: in them a word that speaks
  /// against its document is a mark with a confidence below 0, and `words_to_learn` says what a policy takes it for.
  std::vector<SaidWord> words = {};
  std::optional<FeatureId> feature = {};  ///< forgot
  std::int64_t count = 0;                 ///< sampled
  bool hand_on = false;                   ///< skipped: for somebody else, in a shared search
  std::int64_t target = 0;                ///< undone, redone: the event's sequence
  std::string note = {};                  ///< noted; rated: may be empty
  std::vector<std::string> tags = {};     ///< rated: reasons in a few words each (`broken_rule_of_tags`)
  SearchAim aim = {};                     ///< aimed
  std::string actor = {};                 ///< who said it; empty: the owner of the search

  bool operator==(const SearchEvent&) const = default;
};

/// Since 1970, for `SearchEvent::at_ms`.
[[nodiscard]] std::int64_t milliseconds_now() noexcept;
/// "2026-11-25T15:33:26Z". A time before 1970 or after the year 9999 becomes the nearest one within.
[[nodiscard]] std::string time_text(std::int64_t milliseconds);

/// The words of a document as a policy learns them. In old logs, a mark with a confidence below 0 spoke against its document:
/// it becomes a rating of -1 for a policy that learns from ratings of words, and a mark for all others.
[[nodiscard]] std::vector<SaidWord> words_to_learn(std::span<const SaidWord> words, bool learns_ratings);

/// What is expected of tags, if these are not valid. They must be few, short and different; none may hold a ';', which divides
/// them in exports, or a control character, or begin or end with a blank.
[[nodiscard]] std::optional<std::string> broken_rule_of_tags(std::span<const std::string> tags);
/// The tags in a text that a person typed, divided by ',' or ';': each once, without blanks at its ends.
[[nodiscard]] std::vector<std::string> tags_typed(std::string_view typed);
/// "animals; wrong population"
[[nodiscard]] std::string joined_tags(std::span<const std::string> tags);

/// The members of an event except sequence, time, kind, document and actor, as a JSON object for the log. Words are numbers of
/// features.
[[nodiscard]] std::string body_of(const SearchEvent& event);

/// Sets the members that `body_of` wrote. Throws FormatError with `place` if the body is not valid for the event's kind.
void read_body(SearchEvent& event, std::string_view body, const std::string& place);

}  // namespace inkling
