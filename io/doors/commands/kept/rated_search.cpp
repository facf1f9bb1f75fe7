#include "io/doors/commands/kept/rated_search.hpp"

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "io/base/file/digit_groups.hpp"
#include "io/base/system/folder.hpp"
#include "io/base/system/process.hpp"
#include "io/base/wording/quotes.hpp"
#include "io/corpus/pool/open/joined_pool.hpp"
#include "io/corpus/pool/open/read_pool.hpp"
#include "io/corpus/source/record_parser.hpp"
#include "io/doors/cli/usage_error.hpp"
#include "io/search/events/field_ratings.hpp"
#include "io/search/score/event_scope.hpp"
#include "io/search/session/kept_search_form.hpp"

namespace inkling {
namespace {

// With the places of the first two copies that differ.
std::string disputes_of(const FieldRatings& ratings, const std::function<std::unique_ptr<DocumentSource>()>& read_again) {
  const std::array<std::int64_t, 2> rows = {ratings.earlier_row, ratings.disputed_row};
  std::vector<RecordPlace> places;
  if (read_again && ratings.disputed > 0 && rows[0] < rows[1]) places = places_of(*read_again(), rows);
  const std::string text =
      places.size() == rows.size() ? disputes_text(ratings, places[1].place, places[0].place) : disputes_text(ratings);
  return text.empty() ? text : "; " + text;
}

}  // namespace

void check_rated_by(const ParsedOptions& options, const std::string& pool) {
  if (!options.has("rated-by")) return;
  if (options.flag("no-fields")) throw UsageError::option("rated-by", "expected without --no-fields");
  const std::string searches = session_file_beside(pool);
  if (exists_at(searches))
    throw UsageError::option("rated-by", fmt::format("expected no searches of this pool yet, found {}; inkling search --rated-by "
                                                     "--name NEW begins another one",
                                                     in_quotes(searches)));
}

std::string take_ratings(const ParsedOptions& options, const std::string& pool,
                         const std::function<std::unique_ptr<DocumentSource>()>& read_again) {
  if (!options.has("rated-by")) {  // most of a large pool stays unread
    const std::optional<std::string> field = rating_field_of(first_fields(OpenPool(pool), kRecordsOfRatingField));
    if (!field) return {};
    return fmt::format("the field {0} holds ratings; inkling search {1} --rated-by {0} begins with them", *field, pool);
  }
  const WholePool whole(pool, PoolTrust::structure);
  const SessionFacts facts = facts_of_new_search("search", pool, event_scope_of(whole.members()).fingerprint);
  FieldRatings ratings = ratings_in_field(whole.pool(), options.text("rated-by"));
  const std::string disputes = disputes_of(ratings, read_again);
  const EventLog log = {.path = pool, .events = std::move(ratings.events), .skipped = 0};
  const std::string searches = session_file_beside(pool);
  SessionFile file(searches, SessionAccess::write);
  static_cast<void>(file.begin(facts, search_events_of(log, facts.created_ms), name_of_user()));
  return fmt::format("{}: a search that begins with {} ratings{}", searches, digit_groups(std::ssize(log.events)), disputes);
}

}  // namespace inkling
