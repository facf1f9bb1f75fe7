// Ratings that records brought with them: what others, or another program, said of documents before.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/pool/open/pool.hpp"
#include "io/search/events/events.hpp"

namespace inkling {

enum class FieldVerdict {
  none,  ///< nothing was said: empty, -1, maybe, ASReview_not_seen, or people who disagree
  rated,
  unknown,  ///< it says something else
};

struct FieldRating {
  FieldVerdict verdict = FieldVerdict::none;
  double rating = 0.0;
  bool is_note = false;  ///< of ASReview or Rayyan, among other notes
};

/// A number from 0 to 1; yes, true, included, relevant and their opposites, in any case; what ASReview and Rayyan write into
/// notes. Thread safety: pure.
[[nodiscard]] FieldRating rating_in_text(std::string_view text);

struct FieldRatings {
  /// In order of rows, one for documents of one text, of whose ratings the last one counts.
  std::vector<Event> events = {};
  /// Texts of which documents have different ratings.
  std::int64_t disputed = 0;
  /// The first document that says something else than an earlier one of its text, and that one.
  DocumentId disputed_row = 0;
  DocumentId earlier_row = 0;
};

/// The ratings that a field of the records holds; of the labels where it is named label and no record has such a field.
/// Throws FormatError where the pool has no such field, and at the first value that is no rating.
[[nodiscard]] FieldRatings ratings_in_field(const Pool& pool, const std::string& field);

/// A field of the first records that is for ratings by its name and holds some, else one with notes that do; nothing where there
/// is none.
[[nodiscard]] std::optional<std::string> rating_field_of(const Pool& pool);

}  // namespace inkling
