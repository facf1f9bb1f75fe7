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
#include "io/corpus/pool/format/row_copies.hpp"
#include "io/search/session/search_aim.hpp"

namespace inkling {

/// For people: above 0 where the word speaks for a document, below 0 where it speaks against it; its size, up to 1, is how
/// much.
[[nodiscard]] inline double leaning(const SaidWord& said) noexcept {
  return said.reward.value_or(1.0) * said.confidence;
}

/// The document that a search shows next, and how it was chosen.
struct Offer {
  DocumentId document = 0;
  std::int64_t round = 1;  ///< 1 in the first round
  bool explored = false;   ///< drawn at random, each of `among` documents as likely as any other
  std::int64_t among = 0;  ///< how many documents it was chosen from
  /// How many others it was put on offer beside. Such an offer stands until its document is rated or skipped; one without
  /// this number stands until anything is said.
  std::optional<std::int64_t> beside = {};
  /// With which probability this document was chosen, where that is known.
  std::optional<double> propensity = {};
  /// What multiplies the width, and what the document's score is made of; nothing where no word is in use.
  std::optional<double> radius = {};
  std::optional<double> mean = {};
  std::optional<double> width = {};

  bool operator==(const Offer&) const = default;
};

enum class SearchEventKind {
  shown,    ///< a document was offered
  rated,    ///< a document was rated, and words were marked with it
  marked,   ///< words were rated: more of a document that is rated already, or apart from any document
  forgot,   ///< a word was un-marked wherever it was marked or rated before
  skipped,  ///< later
  sampled,  ///< some of the next documents are to be drawn at random
  undone,   ///< an event was taken back
  redone,   ///< and brought back
  noted,    ///< whatever a person wants to keep
  aimed,    ///< what is looked for, when to stop and who else searches; of several the last one counts
  closed,   ///< no answer follows: this is what is compared
};
inline constexpr EnumName<SearchEventKind> kSearchEventNames[] = {
    {SearchEventKind::shown, "shown"},     {SearchEventKind::rated, "rated"},
    {SearchEventKind::marked, "marked"},   {SearchEventKind::forgot, "forgot"},
    {SearchEventKind::skipped, "skipped"}, {SearchEventKind::sampled, "sampled"},
    {SearchEventKind::undone, "undone"},   {SearchEventKind::redone, "redone"},
    {SearchEventKind::noted, "noted"},     {SearchEventKind::aimed, "aimed"},
    {SearchEventKind::closed, "closed"}};

[[nodiscard]] constexpr std::string_view search_event_name(SearchEventKind kind) noexcept {
  return name_of(kind, kSearchEventNames);
}

/// Which members mean something is told by the kind; all others are as they are here.
struct SearchEvent {
  std::int64_t sequence = 0;  ///< 1, 2, 3 and so on within a session
  /// Milliseconds since 1970, for people. Only of what a person left on offer in a shared search it decides that others get it.
  std::int64_t at_ms = 0;
  SearchEventKind kind = SearchEventKind::noted;
  std::optional<DocumentId> document = {};  ///< shown, rated, skipped; marked, unless apart from any document
  std::optional<Offer> offer = {};          ///< shown; of the same document
  std::optional<std::int64_t> shown = {};   ///< rated, skipped: the event that offered it, if it was on offer
  double reward = 0.0;                      ///< rated
  std::optional<std::int64_t> batch =
      {};  ///< rated, marked apart from documents: the first one of those that are learned at once
  /// rated, marked; apart from documents all have a reward. In a log from before ratings of words a word could speak against
  /// its document: it is a mark with a confidence below 0, and `told_words` says what that meant.
  std::vector<SaidWord> words = {};
  std::optional<FeatureId> feature = {};  ///< forgot
  std::int64_t count = 0;                 ///< sampled
  bool hand_on = false;                   ///< skipped: for somebody else, in a shared search
  std::int64_t target = 0;                ///< undone, redone: the event's sequence
  std::string note = {};                  ///< noted; rated: may be empty
  std::vector<std::string> tags = {};     ///< rated: reasons in a few words each (`broken_rule_of_tags`)
  SearchAim aim = {};                     ///< aimed
  std::string actor = {};                 ///< who, where that is not the owner of the search

  bool operator==(const SearchEvent&) const = default;
};

/// The event with each document as the first one of its text: what a log that names others means.
[[nodiscard]] SearchEvent of_originals(SearchEvent event, RowCopies copies);

/// Since 1970, for `SearchEvent::at_ms`.
[[nodiscard]] std::int64_t milliseconds_now() noexcept;
/// "2026-11-25T15:33:26Z", of a day that people write so.
[[nodiscard]] std::string time_text(std::int64_t milliseconds);

/// What a policy hears of the words of a document: to one that does not learn from ratings of words, a word that spoke
/// against its document in a log from before them is a mark, and to one that does a rating of -1.
[[nodiscard]] std::vector<SaidWord> told_words(std::span<const SaidWord> words, bool learns_ratings);

/// Tags are few, short and differ, and none has a ';', which divides them in exports, a control character, or a blank at an
/// end. What is expected, where they are not so.
[[nodiscard]] std::optional<std::string> broken_rule_of_tags(std::span<const std::string> tags);
/// Of what was typed, divided by ',' or ';': without blanks at the ends, each once.
[[nodiscard]] std::vector<std::string> tags_typed(std::string_view typed);
/// "animals; wrong population"
[[nodiscard]] std::string joined_tags(std::span<const std::string> tags);

/// What the log keeps of an event beside sequence, time, kind and document: a JSON object. Words are features by number.
[[nodiscard]] std::string body_of(const SearchEvent& event);

/// Fills what `body_of` wrote. Throws FormatError with `place` where the body is not one of this kind.
void read_body(SearchEvent& event, std::string_view body, const std::string& place);

}  // namespace inkling
