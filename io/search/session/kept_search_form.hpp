// A search in a log, converted: to the settings of a searcher, to a file of events, to the documents and tags found.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/pool/open/pool.hpp"
#include "io/search/events/events.hpp"
#include "io/search/session/search_history.hpp"
#include "io/search/session/searcher.hpp"
#include "io/search/session/session_file.hpp"

namespace inkling {

/// The settings of a searcher for a search in the log. `pool` is null if the search is in no pool on disk. Throws FormatError
/// if this version does not have its policy, or if its options are not valid. Lifetime: the settings lend the pool.
[[nodiscard]] SearchSettings settings_of_search(const SessionFacts& facts, const Pool* pool);

/// A search that begins now, of the user who runs this program: the default policy with its settings, and no id yet.
[[nodiscard]] SessionFacts facts_of_new_search(std::string name, std::string pool, std::string fingerprint);

/// The search of this name in a file; nothing where there is none.
[[nodiscard]] std::optional<SessionFacts> search_named(const SessionFile& file, std::string_view name);

/// The history of these events. Requires: all are of one pool, whose copies these are. Throws FormatError if one of them cannot
/// follow those before it.
[[nodiscard]] SearchHistory history_of(std::span<const SearchEvent> events, RowCopies copies = {});

/// The events of a file of events as events of a search, numbered 1, 2, 3 and so on.
[[nodiscard]] std::vector<SearchEvent> search_events_of(const EventLog& log, std::int64_t at_ms);

/// The steps that hold, without skips.
[[nodiscard]] std::vector<SearchStep> said_in(const SearchHistory& history);

/// The search as a file of events (io/search/events/README.md), which names the pool in its first line. A policy that learns
/// from the file learns the same as in the search.
[[nodiscard]] std::string events_file_of(const SessionFacts& facts, const SearchHistory& history);

/// A good document that was found.
struct FoundDocument {
  DocumentId document = 0;
  double rating = 0.0;
};

/// The highest rating first, ties to the lower row.
[[nodiscard]] std::vector<FoundDocument> found_documents(const SearchHistory& history);

/// How many documents have a tag, by the ratings that hold.
struct TagCount {
  std::string tag;
  std::int64_t documents = 0;

  bool operator==(const TagCount&) const = default;
};

/// The most frequent first, ties by the alphabet.
[[nodiscard]] std::vector<TagCount> tag_counts(const SearchHistory& history);

/// The default path of the file of searches of a pool: the path of the pool with ".search" after it.
[[nodiscard]] std::string session_file_beside(const std::string& pool);

}  // namespace inkling
