#include "io/doors/commands/search/kept_search.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "io/base/file/utf8.hpp"
#include "io/base/system/folder.hpp"
#include "io/base/system/interruption.hpp"
#include "io/base/system/process.hpp"
#include "io/corpus/text/decoding.hpp"
#include "io/doors/cli/learning_options.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/doors/cli/usage_error.hpp"
#include "io/search/events/event_words.hpp"
#include "io/search/events/field_ratings.hpp"
#include "io/search/service/asked_words.hpp"
#include "io/search/session/kept_search_form.hpp"

namespace inkling {
namespace {

constexpr const char* kFirstName = "search";

std::string names_in(std::span<const SessionFacts> sessions) {
  std::string names;
  for (const SessionFacts& session : sessions) names += (names.empty() ? "" : ", ") + visible_text(session.name);
  return names;
}

// The session to continue; nothing if a new one is to be begun.
std::optional<SessionFacts> chosen_session(const SearchOptions& options, const std::vector<SessionFacts>& sessions) {
  if (options.name) {
    auto found = std::ranges::find(sessions, *options.name, &SessionFacts::name);
    if (found == sessions.end()) found = std::ranges::find(sessions, *options.name, &SessionFacts::id);
    return found == sessions.end() ? std::nullopt : std::optional(*found);
  }
  if (sessions.size() <= 1) return sessions.empty() ? std::nullopt : std::optional(sessions.front());
  throw UsageError(fmt::format("{} keeps {} searches: expected --name with one of {}, or with a new name", options.searches_file,
                               sessions.size(), names_in(sessions)));
}

void check_same_pool(const SearchOptions& options, const SessionFacts& facts, const EventScope& scope) {
  if (scope.knows_pool(facts.fingerprint)) return;
  throw UsageError(fmt::format(
      "{}: the search {} is one of another pool, {} (fingerprint {}, this one has {}): expected "
      "that pool, or another --searches",
      options.searches_file, quoted_text(facts.name), visible_text(facts.pool), facts.fingerprint, scope.fingerprint));
}

void check_same_search(const SearchOptions& options, const SessionFacts& facts) {
  if (options.import_from) {
    throw UsageError::option(
        "import", fmt::format("the search {} is there already: expected --name with a new name", quoted_text(facts.name)));
  }
  if (options.rated_by) {
    throw UsageError::option(
        "rated-by", fmt::format("the search {} is there already: expected --name with a new name", quoted_text(facts.name)));
  }
  if (options.policy && *options.policy != facts.policy) {
    throw UsageError::option("policy", fmt::format("the search {} was begun with {}: expected --policy {}, or --name "
                                                   "with a new name",
                                                   quoted_text(facts.name), facts.policy, facts.policy));
  }
  if (options.seed && *options.seed != facts.seed) {
    throw UsageError::option("seed", fmt::format("the search {} was begun with {}: expected --seed {}, or --name with "
                                                 "a new name",
                                                 quoted_text(facts.name), facts.seed, facts.seed));
  }
  if (options.learning && *options.learning != facts.options) {
    throw UsageError(
        fmt::format("the search {} was begun with the model {}: expected the same or none, or --name with a new name",
                    quoted_text(facts.name), visible_text(facts.options)));
  }
}

// A setting that the policy does not use came from the command line, so the error names its option.
SearchSettings settings_of_new(const SessionFacts& facts, const Pool& pool) {
  try {
    return settings_of_search(facts, &pool);
  } catch (const FormatError& error) {
    const PolicySetting* const setting = find_setting(error.where());
    throw UsageError::option(setting == nullptr ? error.where() : option_of(*setting).name, error.expectation());
  }
}

SessionFacts new_facts(const SearchOptions& options, const EventScope& scope) {
  SessionFacts facts = facts_of_new_search(options.name.value_or(kFirstName), options.pool, scope.fingerprint);
  if (options.policy) facts.policy = *options.policy;
  if (options.learning) facts.options = *options.learning;
  if (options.seed) facts.seed = *options.seed;
  return facts;
}

std::vector<SearchEvent> imported_events(const SearchOptions& options, const Pool& pool, const EventScope& scope,
                                         std::int64_t at_ms) {
  if (options.rated_by) {
    const FieldRatings ratings = ratings_in_field(pool, *options.rated_by);
    if (const std::string disputes = disputes_text(ratings); !disputes.empty())
      tell(fmt::format("inkling search: {}\n", disputes));
    return search_events_of({.path = pool.path(), .events = ratings.events, .skipped = 0}, at_ms);
  }
  if (!options.import_from) return {};
  const EventLog log = read_events(*options.import_from, scope, {.replays = Replays::allowed});
  return search_events_of(log, at_ms);
}

// Why the pool lacks a word, and which one is similar.
std::string left_out_of(const AskedWord& word, const EventScope& scope) {
  const std::string advice = scope.advice_for ? scope.advice_for(word.typed) : std::string();
  const bool is_near = advice.starts_with("did you mean");
  return fmt::format("{} ({}{}{})", quoted_text(word.typed), word.why_not, is_near ? "; " : "", is_near ? advice : "");
}

// "soil,-rose": what is looked for, and what is not wanted.
struct TypedQuery {
  std::vector<SaidWord> words = {};
  std::string left_out = {};  // which words the pool does not have, and why
};

TypedQuery query_of(const SearchOptions& options, const Pool& pool, const EventScope& scope) {
  TypedQuery query;
  if (!options.words) return query;
  if (valid_utf8_prefix(*options.words) != options.words->size())
    throw UsageError::option("words", "expected UTF-8, found " + quoted_text(*options.words));
  for (const AskedWord& word : asked_words(*options.words, ShownPool(pool, scope)))
    if (word.feature)
      query.words.push_back({.feature = *word.feature, .reward = word.wanted ? 1.0 : -1.0});
    else
      query.left_out += (query.left_out.empty() ? "" : ", ") + left_out_of(word, scope);
  keep_first_mentions(query.words);
  if (query.words.empty())
    throw UsageError::option("words", fmt::format("expected words of the pool between commas, found {}",
                                                  query.left_out.empty() ? "none" : query.left_out));
  return query;
}

// The first events of a new search.
std::vector<SearchEvent> first_events(const SearchOptions& options, const Pool& pool, const EventScope& scope,
                                      std::int64_t at_ms) {
  std::vector<SearchEvent> events = imported_events(options, pool, scope, at_ms);
  const std::int64_t next = std::ssize(events) + 1;
  TypedQuery query = query_of(options, pool, scope);
  if (!query.left_out.empty()) tell(fmt::format("inkling search: begins without {}\n", query.left_out));
  if (!query.words.empty())
    events.push_back({.sequence = next, .at_ms = at_ms, .kind = SearchEventKind::marked, .words = std::move(query.words)});
  return events;
}

// Repeating the command that began the search is allowed: it adds no words.
void check_same_query(const SearchOptions& options, const SessionFacts& facts, const SearchHistory& history, const Pool& pool,
                      const EventScope& scope) {
  const std::vector<SearchStep> steps = history.steps();
  const auto is_known = [&](const SaidWord& word) {
    return std::ranges::any_of(steps, [&](const SearchStep& step) {
      return step.kind == StepKind::words && std::ranges::find(step.words, word) != step.words.end();
    });
  };
  if (std::ranges::all_of(query_of(options, pool, scope).words, is_known)) return;
  throw UsageError::option("words", fmt::format("the search {} is there already and does not look for all of these: expected "
                                                "--name with a new name, or continue without --words and add them there",
                                                quoted_text(facts.name)));
}

// The search after these events. It can keep later ones only after `keep_in`.
KeptSearch told_search(PoolView pool, SessionFacts facts, const SearchSettings& settings, std::span<const SearchEvent> past) {
  KeptSearch search = {.facts = std::move(facts), .place = std::make_unique<SearchPlace>(), .searcher = nullptr};
  const KeepEvents keep = [&place = *search.place](std::span<const SearchEvent> events) {
    place.writer->append({.session = place.id, .actor = name_of_user(), .events = events});
  };
  search.searcher = std::make_unique<Searcher>(pool, settings, past, keep, throw_if_interrupted);
  return search;
}

void keep_in(KeptSearch& search, SessionFile file) {
  search.place->id = search.facts.id;
  search.place->writer.emplace(std::move(file));
}

}  // namespace

KeptSearch open_search(const SearchOptions& options, const Pool& pool, const EventScope& scope) {
  SessionFile file(options.searches_file, SessionAccess::write);
  const std::optional<SessionFacts> old = chosen_session(options, file.sessions());
  if (old) {
    check_same_pool(options, *old, scope);
    check_same_search(options, *old);
    KeptSearch search = told_search(pool.view(), *old, settings_of_search(*old, &pool), file.events(old->id));
    check_same_query(options, *old, search.searcher->history(), pool, scope);
    keep_in(search, std::move(file));
    return search;
  }
  SessionFacts facts = new_facts(options, scope);
  const SearchSettings settings = settings_of_new(facts, pool);
  try {
    const std::vector<SearchEvent> past = first_events(options, pool, scope, facts.created_ms);
    KeptSearch search = told_search(pool.view(), std::move(facts), settings,
                                    past);  // throws before the search is begun
    search.facts = file.begin(search.facts, past, name_of_user());
    keep_in(search, std::move(file));
    return search;
  } catch (const InterruptedError&) {
    tell("The search was not begun, and nothing of it is kept.\n");
    throw;
  }
}

ReadSearch read_search(const SearchOptions& options, const EventScope& scope) {
  if (!options.searches_given && !exists_at(options.searches_file))
    throw UsageError(
        fmt::format("{}: no search of it was begun yet: expected one, to export what it found", visible_text(options.pool)));
  const SessionFile file(options.searches_file, SessionAccess::read);
  const std::vector<SessionFacts> sessions = file.sessions();
  const std::optional<SessionFacts> facts = chosen_session(options, sessions);
  if (!facts) {
    throw UsageError(options.name && !sessions.empty()
                         ? fmt::format("--name: {} keeps no search of this name: expected one of {}", options.searches_file,
                                       names_in(sessions))
                         : fmt::format("{} keeps no search yet: expected one, to export what it found", options.searches_file));
  }
  check_same_pool(options, *facts, scope);
  check_same_search(options, *facts);
  return {*facts, file.events(facts->id)};
}

}  // namespace inkling
