#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/policy/presets.hpp"
#include "io/corpus/unpack/byte_stream.hpp"
#include "io/doors/serve/api.hpp"
#include "io/doors/serve/request_body.hpp"
#include "io/doors/serve/search_answers.hpp"
#include "io/search/events/event_words.hpp"
#include "io/search/events/setting_values.hpp"
#include "io/search/session/kept_search_form.hpp"

namespace inkling {
namespace {

constexpr std::size_t kMostImported = 20'000;
constexpr std::size_t kLongestName = 200;
constexpr std::size_t kMostBytesOfQuestion = 2'000;
constexpr std::int64_t kLargestSeed = std::int64_t{1} << 53U;  // programs in other languages hold it exactly

// A new search of this user, without its id.
SessionFacts facts_of_new(const ServedPool& pool, std::string name, const std::string& policy,
                          const std::string& user) {
  const std::optional<Preset> preset = find_preset(policy);
  if (!preset || !can_search_with(*preset)) {
    std::string known;
    for (const Preset& other : presets())
      if (can_search_with(other)) known += (known.empty() ? "" : ", ") + std::string(other.name);
    throw HttpRefusal({422, "nobody can search with this policy", "policy", known});
  }
  return {.id = {},
          .name = std::move(name),
          .owner = user,
          .pool = pool.pool().path(),
          .fingerprint = pool.scope().fingerprint,
          .policy = policy,
          .options = "{}",
          .seed = 1,
          .created_ms = milliseconds_now()};
}

// Throws HttpRefusal where the policy does not know them.
void check_options(const SessionFacts& facts) {
  try {
    static_cast<void>(options_in_json(facts.options, *find_preset(facts.policy)));
  } catch (const std::exception& error) {
    throw HttpRefusal({422, error.what(), "options", "options of the model that this policy looks at"});
  }
}

void add_event(std::vector<SearchEvent>& events, SearchEvent event, std::int64_t at_ms) {
  event.sequence = std::ssize(events) + 1;
  event.at_ms = at_ms;
  events.push_back(std::move(event));
}

HttpResponse created(ServedSearch& search) {
  HttpResponse response = search_response(201, session_answer(search), search);
  response.headers.push_back({"Location", "/api/v1/sessions/" + search.facts().id});
  return response;
}

HttpResponse begin_search(const ApiParts& parts, const RouteCall& call) {
  const RequestBody body(call.request.body,
                         {"name", "pool", "policy", "options", "seed", "words", "question", "rule"});
  const ServedPool& pool = pool_named(parts, body.text("pool", 1, kLongestName));
  const std::string policy = body.has("policy") ? body.text("policy", 1, kLongestName) : parts.default_policy;
  SessionFacts facts = facts_of_new(pool, body.text("name", 1, kLongestName), policy, call.user);
  if (body.has("options")) facts.options = std::string(body.object("options"));
  facts.seed = static_cast<std::uint64_t>(body.optional_integer("seed", 0, kLargestSeed).value_or(1));
  check_options(facts);
  std::vector<SearchEvent> first;
  const SearchAim aim = {
      .question = body.optional_text("question", kMostBytesOfQuestion).value_or(""),
      .rule = body.has("rule") ? std::optional(read_rule(body.object("rule"))) : std::nullopt};
  if (aim != SearchAim{})
    add_event(first, {.kind = SearchEventKind::noted, .note = note_of_aim(aim)}, facts.created_ms);
  if (std::vector<SaidWord> words = body.words(pool.scope()); !words.empty()) {
    rate_all(words);
    add_event(first, {.kind = SearchEventKind::marked, .words = std::move(words)}, facts.created_ms);
  }
  const SearchLease search = parts.sessions.begin(std::move(facts), pool, first, call.user);
  return created(*search);
}

HttpResponse import_search(const ApiParts& parts, const RouteCall& call) {
  const auto needed = [&](std::string_view name) {
    const std::optional<std::string_view> value = call.target.text(name);
    if (!value || value->empty() || value->size() > kLongestName)
      throw HttpRefusal({422, "the address lacks a part", std::string(name), "a text of 1 to 200 bytes"});
    return std::string(*value);
  };
  const std::string name = needed("name");
  const ServedPool& pool = pool_named(parts, needed("pool"));
  const std::string policy(call.target.text("policy").value_or(parts.default_policy));
  SessionFacts facts = facts_of_new(pool, name, policy, call.user);
  MemoryStream stream(call.request.body);
  const EventLog log = read_events(stream, "the body", pool.scope(), {.replays = Replays::allowed});
  if (log.events.size() > kMostImported)
    throw HttpRefusal(
        {422, "the file has too many events", "the body", fmt::format("at most {}", kMostImported)});
  const std::vector<SearchEvent> first = search_events_of(log, facts.created_ms);
  const SearchLease search = parts.sessions.begin(std::move(facts), pool, first, call.user);
  return created(*search);
}

HttpResponse next_document(ServedSearch& search, const RouteCall&) {
  std::optional<std::string> next = next_answer(search);
  if (!next) throw HttpRefusal({410, "every document is rated", {}, {}, search.last()});
  return search_response(200, std::move(*next), search);
}

HttpResponse why_document(ServedSearch& search, const RouteCall& call) {
  const DocumentId document = search.pool().document_of(call.parts.at("document"));
  return search_response(200, why_answer(search, document), search);
}

HttpResponse learned(ServedSearch& search, const RouteCall& call) {
  constexpr std::int64_t most = 10'000;
  constexpr std::int64_t unless_said = 100;
  const auto limit = static_cast<std::size_t>(call.target.number("limit", 1, most, unless_said));
  return search_response(200, words_answer(search, limit), search);
}

HttpResponse ranking(ServedSearch& search, const RouteCall& call) {
  constexpr std::int64_t most = 1'000;
  constexpr std::int64_t unless_said = 20;
  const auto top = static_cast<std::size_t>(call.target.number("top", 1, most, unless_said));
  return search_response(200, ranking_answer(search, top), search);
}

HttpResponse lines_response(std::string lines, const ServedSearch& search) {
  HttpResponse response = search_response(200, std::move(lines), search);
  response.headers.front().value = "application/x-ndjson";
  return response;
}

HttpResponse found(ServedSearch& search, const RouteCall& call) {
  if (wants_lines(call.request)) return lines_response(found_lines(search), search);
  return search_response(200, found_answer(search), search);
}

HttpResponse event_list(ServedSearch& search, const RouteCall& call) {
  if (wants_lines(call.request))
    return lines_response(events_file_of(search.facts(), search.history()), search);
  constexpr std::int64_t most = 10'000;
  constexpr std::int64_t unless_said = 100;
  const std::int64_t after = call.target.number("after", 0, INT64_MAX, 0);
  const std::int64_t limit = call.target.number("limit", 1, most, unless_said);
  return search_response(200, events_answer(search, after, limit), search);
}

Route search_route(ApiParts& parts, std::string_view rest,
                   HttpResponse (*handler)(ServedSearch&, const RouteCall&)) {
  return {"GET", "/api/v1/sessions/{session}" + std::string(rest), RouteAccess::users, RouteBody::none,
          [&parts, handler](const RouteCall& call) {
            const SearchLease search = parts.sessions.open(call.parts.at("session"), call.user);
            return handler(*search, call);
          }};
}

}  // namespace

std::vector<Route> session_routes(ApiParts& parts) {
  return {
      {"GET", "/api/v1/sessions", RouteAccess::users, RouteBody::none,
       [&parts](const RouteCall& call) {
         return json_response(200, session_list_answer(parts.sessions.lines(call.user)));
       }},
      {"POST", "/api/v1/sessions", RouteAccess::users, RouteBody::json,
       [&parts](const RouteCall& call) { return begin_search(parts, call); }},
      {"POST", "/api/v1/sessions/import", RouteAccess::users, RouteBody::json_lines,
       [&parts](const RouteCall& call) { return import_search(parts, call); }},
      {"POST", "/api/v1/sessions/{session}/close", RouteAccess::users, RouteBody::json,
       [&parts](const RouteCall& call) {
         static_cast<void>(RequestBody(call.request.body, {}));
         parts.sessions.put_away(call.parts.at("session"), call.user);
         return HttpResponse{204, {}, {}};
       }},
      search_route(parts, "",
                   [](ServedSearch& search, const RouteCall&) {
                     return search_response(200, session_answer(search), search);
                   }),
      search_route(parts, "/next", next_document),
      search_route(parts, "/documents/{document}/why", why_document),
      search_route(parts, "/words", learned),
      search_route(parts, "/ranking", ranking),
      search_route(parts, "/found", found),
      search_route(parts, "/progress",
                   [](ServedSearch& search, const RouteCall&) {
                     return search_response(200, progress_answer(search), search);
                   }),
      search_route(parts, "/events", event_list),
  };
}

}  // namespace inkling
