// Two people who read the same documents without seeing each other, and what their answers become.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/doors/serve/api.hpp"
#include "io/search/people/reading_set.hpp"
#include "io/search/service/compared_work.hpp"

namespace inkling {

/// A pair, as far as this user may see it. The two searches of the readers are in the order of their names in the set.
struct SeenPair {
  ReadingSet set;
  std::string name;                     ///< of the search that its documents were drawn from
  std::string from_owner;               ///< its owner; empty if it is not known
  std::array<std::string, 2> searches;  ///< ids
  SessionFacts facts;                   ///< of the first one
  std::optional<SessionFacts> decision;

  [[nodiscard]] bool is_reader(std::string_view user) const { return std::ranges::find(set.readers, user) != set.readers.end(); }
};

/// Throws HttpRefusal (404) where there is no such pair that this user may see.
[[nodiscard]] SeenPair pair_seen_by(const ApiParts& parts, std::string_view pair, const std::string& user);

/// The search of the decider, of these documents, before it is begun.
[[nodiscard]] SessionFacts decision_facts(const SeenPair& pair, std::vector<DocumentId> documents);

/// Shows neither search before both are closed; of a set that grows, documents that both have answered for good.
struct PairState {
  std::array<std::int64_t, 2> left = {};
  bool is_closed = false;
  std::optional<ComparedWork> compared;
};

/// Closes both searches if both readers are done. Requires: no search of the pair is leased by this thread.
[[nodiscard]] PairState state_of(const ApiParts& parts, const SeenPair& pair);

/// Ends the reading of both, whatever is left. Requires: no search of the pair is leased by this thread.
void end_pair(const ApiParts& parts, const SeenPair& pair);

/// A pair whose set grows: hands out documents, compares answers that both gave for good, and puts conflicts before the decider.
/// Nothing happens if the set of this search does not grow. Requires: this thread has no lease.
void follow_pair(const ApiParts& parts, const std::optional<ReadingSet>& set, const std::string& user);

/// Whether documents of the search are handed to a pair until its owner ends that: then nobody answers documents in it. Requires:
/// this thread has its lease, and no other one.
[[nodiscard]] bool is_read_by_two(const ApiParts& parts, const ServedSearch& search);

/// A lease of the search for a request that only asks. Where pairs that have documents of it are done, what they agree on and what
/// was decided are ratings of it from now on. Throws as `SessionTable::open` does. Requires: this thread has no lease.
[[nodiscard]] SearchLease open_with_pairs(const ApiParts& parts, std::string_view session, const std::string& user);

}  // namespace inkling
