#include "io/doors/commands/search/asked_searches.hpp"

#include <utility>

#include <fmt/format.h>

#include "io/base/file/utf8.hpp"
#include "io/base/system/folder.hpp"
#include "io/doors/cli/usage_error.hpp"
#include "io/doors/commands/search/pool_of_records.hpp"
#include "io/search/score/event_scope.hpp"
#include "io/search/session/kept_search_form.hpp"

namespace inkling {

std::string searches_at(const std::string& asked) {
  const std::string place = existing_pool_of(asked);
  const bool is_pool = is_folder_at(place) || place.ends_with(".json") || !exists_at(place);
  return is_pool && !place.ends_with(".search") ? session_file_beside(place) : place;
}

std::string names_with_ids(std::span<const SessionFacts> sessions) {
  std::string names;
  for (const SessionFacts& facts : sessions)
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", quoted_text(facts.name), visible_text(facts.id));
  return names.empty() ? "(it keeps none)" : names;
}

std::vector<SessionFacts> asked_sessions(const ParsedOptions& options, std::vector<SessionFacts> all) {
  if (!options.has("name")) return all;
  const std::string& name = options.text("name");
  std::vector<SessionFacts> asked = all;
  std::erase_if(asked, [&](const SessionFacts& facts) { return facts.name != name && facts.id != name; });
  if (!asked.empty()) return asked;
  throw UsageError::option("name", fmt::format("expected the name or the id of a search in this file, found {}: it keeps {}",
                                               quoted_text(name), names_with_ids(all)));
}

SessionFacts only_session(std::vector<SessionFacts> asked) {
  if (asked.size() == 1) return std::move(asked.front());
  throw UsageError(fmt::format("expected --name with the name or the id of one search, found {} searches: {}", asked.size(),
                               names_with_ids(asked)));
}

void check_pool_of(const SessionFacts& facts, const WholePool& whole) {
  if (event_scope_of(whole.members()).knows_pool(facts.fingerprint)) return;
  throw UsageError(fmt::format("{}: expected the pool of the search {}, found another one", visible_text(facts.pool),
                               quoted_text(facts.name)));
}

}  // namespace inkling
