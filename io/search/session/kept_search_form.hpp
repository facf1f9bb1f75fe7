// A kept search in other forms: as the settings of a searcher, as a file of events, as what it found.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/search/events/events.hpp"
#include "io/search/session/search_history.hpp"
#include "io/search/session/searcher.hpp"
#include "io/search/session/session_file.hpp"

namespace inkling {

/// What decides the choices of a search of this pool that the log keeps. Throws FormatError where this version does not have its
/// policy, or where its settings are none.
[[nodiscard]] SearchSettings settings_of_search(const SessionFacts& facts, RowCopies copies);

/// The search of this name in a file; nothing where there is none.
[[nodiscard]] std::optional<SessionFacts> search_named(const SessionFile& file, std::string_view name);

/// Requires: of one pool, whose copies these are. Throws FormatError where they cannot follow one another.
[[nodiscard]] SearchHistory history_of(std::span<const SearchEvent> events, RowCopies copies = {});

/// What a person said, as a search keeps it: events 1, 2, 3 and so on.
[[nodiscard]] std::vector<SearchEvent> search_events_of(const EventLog& log, std::int64_t at_ms);

/// The steps that hold, without what was put off.
[[nodiscard]] std::vector<SearchStep> said_in(const SearchHistory& history);

/// What was said as a file of events (io/search/events/README.md), which names the pool in its first line; it teaches the
/// policy of the search what the search taught it.
[[nodiscard]] std::string events_file_of(const SessionFacts& facts, const SearchHistory& history);

/// A good document that was found.
struct FoundDocument {
  DocumentId document = 0;
  double rating = 0.0;
};

/// The highest rating first, ties to the lower row.
[[nodiscard]] std::vector<FoundDocument> found_documents(const SearchHistory& history);

/// Of how many documents a tag is given, by the ratings that hold.
struct TagCount {
  std::string tag;
  std::int64_t documents = 0;

  bool operator==(const TagCount&) const = default;
};

/// The most frequent first, ties by the alphabet.
[[nodiscard]] std::vector<TagCount> tag_counts(const SearchHistory& history);

/// Where a search of this pool is kept unless another place is named: beside it, with ".search" after its name.
[[nodiscard]] std::string session_file_beside(const std::string& pool);

/// Who runs this program, as the system calls them: owner of new searches and actor of their events.
[[nodiscard]] std::string name_of_user();

}  // namespace inkling
