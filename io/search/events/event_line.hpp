// One line of a file of events, read independently of the lines before it.
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
  Event event;                       ///< its document is not set
  std::vector<SaidWord> apart = {};  ///< of an export: words that were rated apart from documents, before this event
  bool separates = false;            ///< its document is taken apart, before this event
  std::optional<std::int64_t> row;
  std::optional<std::string> id;
  std::optional<std::string> pool;  ///< a fingerprint; then there is no event
  bool is_unanswered = false;       ///< its document was not rated: there is no event beside what comes before it
  /// The positions of these members in the line, for messages; 0 for members that are absent.
  std::size_t row_at = 0;
  std::size_t id_at = 0;
  std::size_t features_at = 0;
  std::size_t pool_at = 0;
};

/// Reads lines that are JSON objects. No member may be there twice. A line is one of these:
///
/// - an event of a document: `document` (a row, or an id as a string), `id`, `reward`, `features`, `note`;
/// - a copy that is a record of its own from here on: `document` or `id`, `separated` (true), `note`;
/// - words apart from documents: `feature`, `reward`, `confidence` and `note`, or `features` and `note`;
/// - the pool that the events belong to: `pool`, `note`;
/// - a line of an export, which has `rating` in place of `reward`: `id` or `document`, `separated`, `rating`, `words_for`,
///   `words_against` and `looked_for` are read, and all other members are ignored.
///
/// Numbers are read by one strict rule (io/base/file/strict_number.hpp).
class EventLineParser {
 public:
  /// Lifetime: lends scope and rules.
  EventLineParser(const EventScope& scope, const EventRules& rules) : scope_(scope), rules_(rules), words_(scope) {}

  /// Whether messages about unknown words say what to write instead, which may be slow. The default is yes.
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

/// Whether a file that begins with this text looks like a file of events, which must not be overwritten: its first line is an
/// object with a member `reward`, `rating`, `features`, `separated` or `pool`. Files of scores have none of these.
[[nodiscard]] bool begins_like_events(std::string_view text);

}  // namespace inkling
