// What happens in a search, as its log keeps it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/enum_names.hpp"
#include "engine/core/ids.hpp"

namespace inkling {

/// A word that a person rated: 1 where it speaks for a document, -1 where it speaks against it, or less surely in
/// between; never 0.
struct MarkedWord {
  FeatureId feature = 0;
  double rate = 1.0;

  bool operator==(const MarkedWord&) const = default;
};

/// The document that a search shows next, and how it was chosen.
struct Offer {
  DocumentId document = 0;
  std::int64_t round = 1;  ///< 1 in the first round
  bool explored = false;   ///< drawn at random, each of `among` documents as likely as any other
  std::int64_t among = 0;  ///< how many documents it was chosen from
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
};
inline constexpr EnumName<SearchEventKind> kSearchEventNames[] = {
    {SearchEventKind::shown, "shown"},     {SearchEventKind::rated, "rated"},
    {SearchEventKind::marked, "marked"},   {SearchEventKind::forgot, "forgot"},
    {SearchEventKind::skipped, "skipped"}, {SearchEventKind::sampled, "sampled"},
    {SearchEventKind::undone, "undone"},   {SearchEventKind::redone, "redone"},
    {SearchEventKind::noted, "noted"}};

[[nodiscard]] constexpr std::string_view search_event_name(SearchEventKind kind) noexcept {
  return name_of(kind, kSearchEventNames);
}

/// Which members mean something is told by the kind; all others are as they are here.
struct SearchEvent {
  std::int64_t sequence = 0;  ///< 1, 2, 3 and so on within a session
  std::int64_t at_ms = 0;     ///< milliseconds since 1970, for people: nothing is decided by it
  SearchEventKind kind = SearchEventKind::noted;
  std::optional<DocumentId> document = {};  ///< shown, rated, skipped; marked, unless apart from any document
  std::optional<Offer> offer = {};          ///< shown; of the same document
  std::optional<std::int64_t> shown = {};   ///< rated, skipped: the event that offered it, if it was on offer
  double reward = 0.0;                      ///< rated
  std::vector<MarkedWord> words = {};       ///< rated, marked
  std::optional<FeatureId> feature = {};    ///< forgot
  std::int64_t count = 0;                   ///< sampled
  std::int64_t target = 0;                  ///< undone, redone: the event's sequence
  std::string note = {};                    ///< noted; rated: may be empty

  bool operator==(const SearchEvent&) const = default;
};

/// What the log keeps of an event beside sequence, time, kind and document: a JSON object. Words are features by number.
[[nodiscard]] std::string body_of(const SearchEvent& event);

/// Fills what `body_of` wrote. Throws FormatError with `place` where the body is not one of this kind.
void read_body(SearchEvent& event, std::string_view body, const std::string& place);

}  // namespace inkling
