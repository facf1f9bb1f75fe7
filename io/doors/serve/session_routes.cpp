#include <array>
#include <chrono>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/policy/presets.hpp"
#include "io/base/file/json_text.hpp"
#include "io/corpus/unpack/byte_stream.hpp"
#include "io/doors/serve/api.hpp"
#include "io/doors/serve/pairs.hpp"
#include "io/doors/serve/session_answers.hpp"
#include "io/search/events/event_words.hpp"
#include "io/search/events/field_ratings.hpp"
#include "io/search/events/setting_values.hpp"
#include "io/search/service/request_members.hpp"
#include "io/search/session/kept_search_form.hpp"

namespace inkling {
namespace {

constexpr std::size_t kMostImported = 20'000;
constexpr std::size_t kLongestName = 200;
constexpr std::size_t kMostBytesOfQuestion = 2'000;
constexpr std::int64_t kLargestSeed = std::int64_t{1} << 53U;  // programs in other languages hold it exactly

// A new search of this user, without its id.
SessionFacts facts_of_new(const ServedPool& pool, std::string name, const std::string& policy, const std::string& user) {
  const std::optional<Preset> preset = find_preset(policy);
  if (!preset || !can_search_with(*preset)) {
    std::string known;
    for (const Preset& other : presets())
      if (can_search_with(other)) known += (known.empty() ? "" : ", ") + std::string(other.name);
    throw HttpRefusal({422, "no search can use this policy", "policy", known});
  }
  SessionFacts facts = facts_of_new_search(std::move(name), pool.pool().path(), pool.scope().fingerprint);
  facts.owner = user;
  facts.policy = policy;
  return facts;
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

// An object, as it is written; the settings are checked with the policy.
std::string options_in(const RequestMembers& body, const RequestMembers::Member& options) {
  if (json_kind(options.value.text) != JsonKind::object) body.refuse("options", options.value, "an object");
  return std::string(options.value.text);
}

std::vector<SearchEvent> first_events(const RequestMembers& body, const ServedPool& pool, std::int64_t at_ms) {
  std::vector<SearchEvent> first;
  if (const auto* const field = body.find("rated_by")) {
    const FieldRatings ratings = ratings_in_field(pool.pool(), body.text(*field, 1, kLongestName));
    first = search_events_of({.path = pool.pool().path(), .events = ratings.events, .skipped = 0}, at_ms);
  }
  SearchAim aim;
  if (const auto* const question = body.find("question")) aim.question = body.text(*question, 0, kMostBytesOfQuestion);
  if (const auto* const rule = body.find("rule")) aim.rule = body.rule(*rule);
  if (const auto* const reasons = body.find("reasons")) aim.reasons = body.tags(*reasons);
  if (aim != SearchAim{}) add_event(first, {.kind = SearchEventKind::aimed, .aim = aim}, at_ms);
  const auto* const given = body.find("words");
  std::vector<SaidWord> words = given == nullptr ? std::vector<SaidWord>() : body.words(*given, pool.scope());
  if (words.empty()) return first;
  rate_all(words);
  add_event(first, {.kind = SearchEventKind::marked, .words = std::move(words)}, at_ms);
  return first;
}

HttpResponse begin_search(const ApiParts& parts, const RouteCall& call) {
  const RequestMembers body(call.request.body);
  constexpr std::array<std::string_view, 10> members = {"name",  "pool",     "policy", "options", "seed",
                                                        "words", "question", "rule",   "reasons", "rated_by"};
  body.check_only(members);
  const ServedPool& pool = pool_named(parts, body.text(body.need("pool", "a pool"), 1, kLongestName), call.user);
  const auto* const policy = body.find("policy");
  SessionFacts facts = facts_of_new(pool, body.text(body.need("name", "a name for the search"), 1, kLongestName),
                                    policy == nullptr ? parts.default_policy : body.text(*policy, 1, kLongestName), call.user);
  if (const auto* const options = body.find("options")) facts.options = options_in(body, *options);
  if (const auto* const seed = body.find("seed")) facts.seed = static_cast<std::uint64_t>(body.whole(*seed, 0, kLargestSeed));
  check_options(facts);
  const std::vector<SearchEvent> first = first_events(body, pool, facts.created_ms);
  const SearchLease search = parts.sessions.begin(std::move(facts), first, call.user);
  return created(*search);
}

// A body that can be read until `patience` throws.
class PatientStream final : public InputStream {
 public:
  PatientStream(std::string_view bytes, std::function<void()> patience) : bytes_(bytes), patience_(std::move(patience)) {}

  [[nodiscard]] std::size_t read(std::span<char> to) override {
    patience_();
    return bytes_.read(to);
  }

 private:
  MemoryStream bytes_;
  std::function<void()> patience_;
};

HttpResponse import_search(const ApiParts& parts, const RouteCall& call) {
  const auto begun = std::chrono::steady_clock::now();  // reading takes seconds, too
  const auto needed = [&](std::string_view name) {
    const std::optional<std::string_view> value = call.target.text(name);
    if (!value || value->empty() || value->size() > kLongestName)
      throw HttpRefusal({422, "the address lacks a part", std::string(name), "a text of 1 to 200 bytes"});
    return std::string(*value);
  };
  const std::string name = needed("name");
  const ServedPool& pool = pool_named(parts, needed("pool"), call.user);
  const std::string policy(call.target.text("policy").value_or(parts.default_policy));
  SessionFacts facts = facts_of_new(pool, name, policy, call.user);
  PatientStream stream(call.request.body, parts.sessions.patience(begun));
  const EventLog log = read_events(stream, "the body", pool.scope(), {.replays = Replays::allowed});
  if (log.events.size() > kMostImported)
    throw HttpRefusal({422, "the file has too many events", "the body", fmt::format("at most {}", kMostImported)});
  const std::vector<SearchEvent> first = search_events_of(log, facts.created_ms);
  const SearchLease search = parts.sessions.begin(std::move(facts), first, call.user, begun);
  return created(*search);
}

}  // namespace

std::vector<Route> session_routes(ApiParts& parts) {
  return {
      {"GET", "/api/v1/sessions", RouteAccess::users, RouteBody::none,
       [&parts](const RouteCall& call) { return json_response(200, session_list_answer(parts.sessions.lines(call.user))); }},
      {"POST", "/api/v1/sessions", RouteAccess::users, RouteBody::json,
       [&parts](const RouteCall& call) { return begin_search(parts, call); }},
      {"POST", "/api/v1/sessions/import", RouteAccess::users, RouteBody::json_lines,
       [&parts](const RouteCall& call) { return import_search(parts, call); }},
      {"POST", "/api/v1/sessions/{session}/close", RouteAccess::users, RouteBody::json,
       [&parts](const RouteCall& call) {
         RequestMembers(call.request.body).check_only({});
         parts.sessions.put_away(call.parts.at("session"), call.user);
         return HttpResponse{204, {}, {}};
       }},
      {"GET", "/api/v1/sessions/{session}", RouteAccess::users, RouteBody::none,
       [&parts](const RouteCall& call) {
         const SearchLease search = open_with_pairs(parts, call.parts.at("session"), call.user);
         return search_response(200, session_answer(*search), *search);
       }},
  };
}

}  // namespace inkling
