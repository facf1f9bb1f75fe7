// One line of a file of events, read without a look at the lines before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/base/file/json_places.hpp"
#include "io/corpus/source/record_parser.hpp"
#include "io/search/events/event_words.hpp"
#include "io/search/events/events.hpp"

namespace inkling {

/// An event whose document was not looked up yet, or the line that says which pool the events belong to.
struct EventLine {
  Event event;  ///< its document is not set
  std::vector<SaidWord> apart =
      {};  ///< of an export: words that were rated apart from documents, before this event
  std::optional<std::int64_t> row;
  std::optional<std::string> id;
  std::optional<std::string> pool;  ///< a fingerprint; then there is no event
  bool is_unanswered = false;       ///< a document of an export that was not rated: there is no event
  /// Where these members stand in the line, for messages; 0 where they are not there.
  std::size_t row_at = 0;
  std::size_t id_at = 0;
  std::size_t features_at = 0;
  std::size_t pool_at = 0;
};

/// Reads lines that are JSON objects. Members are known by name, and each may be there once:
/// `document` (a row, or an id as a string), `id`, `reward`, `features`, `note`; or, apart from any document, `feature`,
/// `reward`, `confidence`, `note`, or `features` and `note`; or `pool` and `note`. A line with `rating` in place of `reward` is one
/// that a search exported: `id` or `document`, `rating`, `words_for`, `words_against` and `looked_for` count, and any other member may be there.
/// Numbers are read by one strict rule (io/base/file/strict_number.hpp).
class EventLineParser {
 public:
  /// Lifetime: lends scope and rules.
  EventLineParser(const EventScope& scope, const EventRules& rules)
      : scope_(scope), rules_(rules), words_(scope) {}

  /// Whether messages about unknown words say what to write instead, which may take long. They do at first.
  void give_advice(bool wanted) { words_.give_advice(wanted); }

  /// Fills `parsed`, or says what is wrong with the line.
  [[nodiscard]] RecordVerdict parse(std::string_view line, EventLine& parsed) const;

 private:
  struct Members;

  [[nodiscard]] RecordVerdict take_event(const Members& members, EventLine& parsed) const;
  [[nodiscard]] RecordVerdict take_word_apart(const Members& members, EventLine& parsed) const;
  [[nodiscard]] RecordVerdict take_words_apart(const JsonPiece& features, EventLine& parsed) const;
  [[nodiscard]] RecordVerdict take_exported(const JsonPiece& object, EventLine& parsed) const;
  [[nodiscard]] RecordVerdict take_document(const Members& members, EventLine& parsed) const;
  [[nodiscard]] RecordVerdict take_id(const JsonPiece& value, EventLine& parsed) const;

  const EventScope& scope_;
  const EventRules& rules_;
  EventWordReader words_;
};

/// Whether a file that begins with this text looks like one of events, so that nothing is written over it: its first
/// line is an object with a member `reward`, `rating`, `features` or `pool`. No file of scores has these.
[[nodiscard]] bool begins_like_events(std::string_view text);

}  // namespace inkling
