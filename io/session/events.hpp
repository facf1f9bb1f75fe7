// What a person said of documents: events as JSON in lines, read from a file.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/ids.hpp"
#include "io/source/byte_stream.hpp"

namespace inkling {

/// How good one document was, and what made it so.
struct Event {
  std::int64_t document = 0;  ///< a row of the pool; over several pools, rows are counted through
  double reward = 0.0;
  std::vector<FeatureId> features =
      {};  ///< the marked ones, in the order of the file; one may be there twice
  /// How sure each of those marks is, in (0, 1]; empty where all are certain.
  std::vector<double> confidences = {};

  bool operator==(const Event&) const = default;
};

/// The events of one person, in order.
struct EventLog {
  std::string path;
  std::vector<Event> events;
  std::int64_t skipped = 0;  ///< bad events left out
};

/// What events may refer to.
struct EventScope {
  std::int64_t documents = 0;
  std::int32_t features = 0;
  /// The feature of a word; not set where the pool has no words.
  std::function<std::optional<FeatureId>(std::string_view word)> feature_of = {};
};

/// May a document be played again?
enum class Replays { refused, allowed };

/// A longer line is refused: a mark of a million words fits, and a file that holds no events fails early.
inline constexpr std::uint64_t kLongestEvent = std::uint64_t{16} << 20U;

struct EventRules {
  Replays replays = Replays::refused;
  bool skip_bad = false;  ///< leave bad events out and count them, instead of stopping at the first
  std::uint64_t most_line_bytes = kLongestEvent;
  std::uint64_t chunk_bytes = std::uint64_t{1} << 20U;  ///< read at once; has no effect on the events
};

/// Reads {"document": ROW, "reward": NUMBER, "features": [MARK, ...]}, an object in each line that is not
/// blank. `document` and `reward` must be there; `features` may be absent or null. A mark is a feature, as a
/// word or by its number, or {"feature": WORD or NUMBER, "confidence": C} with C above 0 and at most 1. Where
/// a member comes twice the first counts; other members only have to be JSON. Numbers are read by one strict
/// rule (io/file/strict_number.hpp): a row or a feature has no fraction, and a reward is finite, at most
/// kLargestReward in size and not too small for a double. Text must be UTF-8, and a word must be in the
/// vocabulary letter by letter. An event that is left out changes nothing: it neither plays its document nor
/// marks its features. A byte order mark, line ends of any kind and a missing last line end are allowed.
///
/// Throws SystemError, and FormatError "FILE:LINE:COLUMN" at the first bad event unless those are skipped.
[[nodiscard]] EventLog read_events(const std::string& path, const EventScope& scope, const EventRules& rules);

/// The same from a stream; `path` names it in messages.
[[nodiscard]] EventLog read_events(InputStream& stream, const std::string& path, const EventScope& scope,
                                   const EventRules& rules);

}  // namespace inkling
