// All events of one file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/session/event.hpp"
#include "io/session/event_parser.hpp"
#include "io/source/byte_stream.hpp"

namespace inkling {

/// The events of one person, in order.
struct EventLog {
  std::string path;
  std::vector<Event> events;
  std::int64_t skipped = 0;  ///< bad events left out
};

/// A byte order mark, blank lines, line ends of any kind and a missing last one are as they are in JSONL.
/// Throws SystemError, and FormatError "FILE:LINE:COLUMN" at the first bad event unless those are skipped.
[[nodiscard]] EventLog read_events(const std::string& path, const EventScope& scope, const EventRules& rules);

/// The same from a stream; `path` names it.
[[nodiscard]] EventLog read_events(InputStream& stream, const std::string& path, const EventScope& scope,
                                   const EventRules& rules);

}  // namespace inkling
