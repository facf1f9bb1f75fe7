#include "io/doors/commands/kept/rated_search.hpp"

#include <array>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "io/base/file/digit_groups.hpp"
#include "io/base/wording/quotes.hpp"
#include "io/corpus/pool/open/joined_pool.hpp"
#include "io/corpus/source/record_parser.hpp"
#include "io/doors/cli/usage_error.hpp"
#include "io/search/events/field_ratings.hpp"
#include "io/search/score/event_scope.hpp"
#include "io/search/session/kept_search_form.hpp"

namespace inkling {
namespace {

// How many texts have records that rate them differently, and the places of the first two such records; empty if there are none.
std::string disputes_text(const FieldRatings& ratings, const std::function<std::unique_ptr<DocumentSource>()>& read_again) {
  if (ratings.disputed == 0) return {};
  const std::array<std::int64_t, 2> rows = {ratings.earlier_row, ratings.disputed_row};
  std::vector<RecordPlace> places;
  if (read_again) places = places_of(*read_again(), rows);
  const auto place_of = [&](std::size_t n) {
    return places.size() == rows.size() ? places[n].place : fmt::format("document {}", rows[n]);
  };
  return fmt::format(
      "; texts that several records rate differently: {}, of which the last rating counts ({} "
      "differs from {})",
      digit_groups(ratings.disputed), place_of(1), place_of(0));
}

}  // namespace

void check_rated_by(const ParsedOptions& options, const std::string& pool) {
  if (!options.has("rated-by")) return;
  if (options.flag("no-fields")) throw UsageError::option("rated-by", "expected without --no-fields");
  const std::string searches = session_file_beside(pool);
  if (std::filesystem::exists(searches))
    throw UsageError::option("rated-by", fmt::format("expected no searches of this pool yet, found {}; inkling search --rated-by "
                                                     "--name NEW begins another one",
                                                     in_quotes(searches)));
}

std::string take_ratings(const ParsedOptions& options, const std::string& pool,
                         const std::function<std::unique_ptr<DocumentSource>()>& read_again) {
  const WholePool whole(pool, PoolTrust::structure);
  if (!options.has("rated-by")) {
    const std::optional<std::string> field = rating_field_of(whole.pool());
    if (!field) return {};
    return fmt::format("the field {0} holds ratings; inkling search {1} --rated-by {0} begins with them", *field, pool);
  }
  const SessionFacts facts = facts_of_new_search("search", pool, event_scope_of(whole.members()).fingerprint);
  FieldRatings ratings = ratings_in_field(whole.pool(), options.text("rated-by"));
  const std::string disputes = disputes_text(ratings, read_again);
  const EventLog log = {.path = pool, .events = std::move(ratings.events), .skipped = 0};
  const std::string searches = session_file_beside(pool);
  SessionFile file(searches, SessionAccess::write);
  static_cast<void>(file.begin(facts, search_events_of(log, facts.created_ms), name_of_user()));
  return fmt::format("{}: a search that begins with {} ratings{}", searches, digit_groups(std::ssize(log.events)), disputes);
}

}  // namespace inkling
