// Events as JSON in lines: {"document": ROW, "reward": NUMBER, "features": [MARK, ...]}.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "io/session/event.hpp"
#include "io/source/document_source.hpp"

namespace inkling {

/// What events may speak of.
struct EventScope {
  std::int64_t documents = 0;
  std::int32_t features = 0;
  /// The feature of a word; not set where the pool has no words.
  std::function<std::optional<FeatureId>(std::string_view word)> feature_of = {};
};

/// May a document be played again?
enum class Replays { refused, allowed };

/// A longer line is refused: room for a mark of a million words, and none for a file that is no file of
/// events.
inline constexpr std::uint64_t longest_event = std::uint64_t{16} << 20U;

struct EventRules {
  Replays replays = Replays::refused;
  bool skip_bad = false;  ///< leave bad events out and count them, instead of stopping at the first
  std::uint64_t most_line_bytes = longest_event;
  std::uint64_t chunk_bytes = std::uint64_t{1} << 20U;  ///< read at once; of no effect on what is read
};

/// Each line that is not blank is an object. `document` and `reward` must be there; `features` may be absent
/// or null. A mark is a feature, as a word or by its number, or {"feature": such a one, "confidence": C} with
/// C above 0 and at most 1, both of which must be there. Where a member comes twice the first counts; other
/// members are looked at only in that they must be JSON. Numbers are read by the one strict rule
/// (io/file/strict_number.hpp): no fraction in a row or a feature, no reward that is not finite, beyond
/// kLargestReward, or too small for a double. Text must be UTF-8, and words are those of the vocabulary,
/// letter by letter. An event that is left out changes nothing: it neither plays its document nor marks its
/// features. Thread safety: one thread at a time. Lifetime: what the scope's function lends outlives the
/// parser.
class EventParser {
 public:
  /// Of one file, whose chunks come in order.
  EventParser(EventScope scope, EventRules rules);
  ~EventParser();
  EventParser(const EventParser&) = delete;
  EventParser& operator=(const EventParser&) = delete;
  EventParser(EventParser&&) = delete;
  EventParser& operator=(EventParser&&) = delete;

  /// Appends the events of a chunk.
  [[nodiscard]] ChunkOutcome parse(const Chunk& chunk, std::vector<Event>& events);

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace inkling
