// The search that a session file keeps: continued, or begun.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/corpus/pool/open/pool_set.hpp"
#include "io/doors/commands/search/search_options.hpp"
#include "io/search/events/events.hpp"
#include "io/search/session/searcher.hpp"
#include "io/search/session/session_file.hpp"
#include "io/search/session/session_writer.hpp"

namespace inkling {

/// Where a search keeps its events.
struct SearchPlace {
  std::string id;
  std::optional<SessionWriter> writer;
};

/// Lifetime: the pool must outlive it. Move-only.
struct KeptSearch {
  SessionFacts facts;
  std::unique_ptr<SearchPlace> place;
  std::unique_ptr<Searcher> searcher;  ///< keeps its events in `place`
};

/// The search that the options name, or a new one. Throws UsageError if the search has another pool, policy or seed, or if the
/// options could mean several searches; else throws as SessionFile and read_events do.
[[nodiscard]] KeptSearch open_search(const SearchOptions& options, const Pool& pool, const EventScope& scope);

struct ReadSearch {
  SessionFacts facts;
  std::vector<SearchEvent> events;
};

/// The search that the options name; its file is only read.
[[nodiscard]] ReadSearch read_search(const SearchOptions& options, const EventScope& scope);

}  // namespace inkling
