// What a person said of documents and of words: events as JSON in lines, read from a file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/policy/policy_options.hpp"
#include "io/corpus/pool/format/row_copies.hpp"
#include "io/corpus/unpack/byte_stream.hpp"

namespace inkling {

/// How good one document was, and what made it so; or how good words are, apart from any document; or a copy taken apart.
struct Event {
  /// A row of the pool; the rows of several pools are numbered one pool after the other. Nothing: the event has only words.
  std::optional<std::int64_t> document = {};
  double reward = 0.0;                         ///< of the document
  std::vector<SaidWord> words = {};            ///< each once, in the order of the file; without a document, all with a reward
  std::optional<std::int64_t> separated = {};  ///< a copy that is a record of its own from now on; then nothing else is set

  bool operator==(const Event&) const = default;
};

/// The events of one person, in order.
struct EventLog {
  std::string path;
  std::vector<Event> events;
  std::int64_t skipped = 0;        ///< bad events left out
  std::string first_skipped = {};  ///< "FILE:LINE:COLUMN: REASON" of the first of them
};

/// The rows that have an id: none, one, or at least two of them.
struct RowsOfId {
  std::optional<std::int64_t> first = {};
  std::optional<std::int64_t> second = {};
};

/// What events may refer to.
struct EventScope {
  std::int64_t documents = 0;
  std::int32_t features = 0;
  /// The feature of a word or of a phrase, in capitals or not; not set where the pool has no words.
  std::function<std::optional<FeatureId>(std::string_view word)> feature_of = {};
  /// What to write instead of a word that has no feature, for the message. The call may be slow, and the text empty.
  std::function<std::string(std::string_view word)> advice_for = {};
  /// The rows of each of these ids, in one pass over all documents; not set where documents have no ids.
  std::function<std::vector<RowsOfId>(std::span<const std::string> ids)> rows_of_ids = {};
  /// Documents that are one record with another, which is used in their place. Lifetime: lends both lists.
  SetCopies copies = {};
  /// What `pool_fingerprint` says of the pool.
  std::string fingerprint = {};
  /// The fingerprints of the pools to which records were added to make this one: their events are valid here, too.
  std::vector<std::string> fingerprints_before = {};

  [[nodiscard]] bool knows_pool(std::string_view its_fingerprint) const {
    return its_fingerprint == fingerprint || std::ranges::find(fingerprints_before, its_fingerprint) != fingerprints_before.end();
  }
};

/// May a document be played again?
enum class Replays { refused, allowed };

/// May events name another pool than the one they are used with?
enum class OtherPools { refused, allowed };

/// A longer line is refused: a mark of a million words fits, and a file that holds no events fails early.
inline constexpr std::uint64_t kLongestEvent = std::uint64_t{16} << 20U;

/// How much memory learning may take. It is checked while events are read, so that the message can name a line.
struct LearningRoom {
  std::uint64_t most_bytes = std::numeric_limits<std::uint64_t>::max();
  /// The bytes of a model that has learned from so many marked or rated features and so many documents.
  std::function<std::uint64_t(std::int64_t marked, std::int64_t documents)> model_bytes = {};
};

struct EventRules {
  Replays replays = Replays::refused;
  OtherPools other_pools = OtherPools::refused;
  bool skip_bad = false;  ///< leave bad events out and count them, instead of stopping at the first
  std::uint64_t most_line_bytes = kLongestEvent;
  std::uint64_t chunk_bytes = std::uint64_t{1} << 20U;  ///< read at once; has no effect on the events
  LearningRoom room = {};
};

/// How messages name a file of events; "-" is standard input.
[[nodiscard]] std::string events_name(const std::string& path);

/// Reads one event a line (io/search/events/README.md says how they are written). An event that is left out changes
/// nothing: it neither plays its document nor marks or rates its features. A byte order mark, line ends of any kind, blank
/// lines and a missing last line end are allowed. The path "-" is standard input.
///
/// Throws SystemError; FormatError "FILE:LINE:COLUMN" at the first bad event unless bad events are skipped. Events of another
/// pool and events that take too much memory are never skipped: they throw FormatError.
[[nodiscard]] EventLog read_events(const std::string& path, const EventScope& scope, const EventRules& rules);

/// The same from a stream; `path` names it in messages.
[[nodiscard]] EventLog read_events(InputStream& stream, const std::string& path, const EventScope& scope,
                                   const EventRules& rules);

}  // namespace inkling
