// Ratings in the fields of records: how other people, or another program, rated the documents before.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/pool/open/pool.hpp"
#include "io/search/events/events.hpp"

namespace inkling {

enum class FieldVerdict {
  none,  ///< not rated: empty, -1, maybe, ASReview_not_seen, or people who disagree
  rated,
  unknown,  ///< not a rating
};

struct FieldRating {
  FieldVerdict verdict = FieldVerdict::none;
  double rating = 0.0;
  bool is_note = false;  ///< the text is a note, of which ASReview or Rayyan wrote a part
};

/// Reads a number from 0 to 1; yes, true, included, relevant and their opposites, in capitals or not; and the notes of ASReview
/// and Rayyan. Thread safety: pure.
[[nodiscard]] FieldRating rating_in_text(std::string_view text);

struct FieldRatings {
  /// In order of rows, one for each record. If several copies of a record have ratings, the highest counts.
  std::vector<Event> events = {};
  /// How many records have copies with different ratings.
  std::int64_t disputed = 0;
  /// The first document whose rating differs from that of an earlier copy of its record, and that earlier copy.
  DocumentId disputed_row = 0;
  DocumentId earlier_row = 0;
};

/// What is to be said of copies with different ratings; empty if there are none. `disputed` and `earlier` are where the first two
/// of them are.
[[nodiscard]] std::string disputes_text(const FieldRatings& ratings, std::string_view disputed, std::string_view earlier);
[[nodiscard]] std::string disputes_text(const FieldRatings& ratings);

/// The ratings in a field of the records. If `field` is "label" and no record has such a field, the labels are read.
/// Throws FormatError if the pool has no such field, and at the first value that is no rating.
[[nodiscard]] FieldRatings ratings_in_field(const Pool& pool, const std::string& field);

/// So many records are enough to find a field of ratings.
inline constexpr DocumentId kRecordsOfRatingField = 1'000;
/// The name of a field of ratings, found in the fields of the first records: one whose name says so and which holds some, or else one
/// of notes that hold some; nothing if there is neither.
[[nodiscard]] std::optional<std::string> rating_field_of(std::span<const std::string> fields);
[[nodiscard]] std::optional<std::string> rating_field_of(const Pool& pool);

}  // namespace inkling
